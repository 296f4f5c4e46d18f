/* Tasks; what is mapped is followed in mapped.c, samples are counted in count.c. */
#include "count.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t sampled_nodes_for_memory(size_t memory_bytes)
{
    size_t n = memory_bytes / 16 / SAMPLED_NODE_BYTES;
    return n < SAMPLED_MIN_NODES   ? SAMPLED_MIN_NODES
           : n > SAMPLED_MAX_NODES ? SAMPLED_MAX_NODES
                                   : n;
}

void sampled_init(struct sampled *s, const struct sampled_want *want)
{
    *s = (struct sampled){.want = *want,
                          .event = {"cpu-clock", true},
                          .nodes = INTERN_OF(struct sampled_node),
                          .unwound.ends = {.each = sizeof(struct sampled_end), .key = 8},
                          .cells = {.each = sizeof(struct sampled_cell), .key = 8}};
    if (!want->max_nodes)
        s->want.max_nodes = SAMPLED_USUAL_NODES;
    mapped_init(&s->mapped, want->pid);
}

void sampled_settle(struct sampled *s)
{
    sampled_count_tally(s);
    free(s->tally.slot);
    s->tally.slot = NULL;
    intern_settle(&s->nodes);
    intern_settle(&s->cells);
    if (s->hooks.counted) /* who listens may uncount */
        return;
    free(s->cell_of.index);
    s->cell_of = (struct sampled_cell_of){0};
}

void sampled_release(struct sampled *s)
{
    mapped_release(&s->mapped);
    imap_release(&s->threads.of_tid);
    sampled_cgroups_release(&s->cgroups);
    intern_release(&s->nodes);
    intern_release(&s->cells);
    intern_release(&s->unwound.ends);
    free(s->unwound.cached_stacks);
    waits_release(&s->waiting.pairing);
    free(s->threads.thread);
    free(s->timeline.one);
    free(s->recent.cell);
    free(s->cell_of.index);
    free(s->tally.slot);
    heap_totals_release(&s->heap);
    *s = (struct sampled){0};
}

void sampled_process(struct sampled *s, uint32_t pid)
{
    s->want.pid = s->mapped.pid = pid;
}

bool sampled_follows(const struct sampled *s, uint32_t pid)
{
    for (size_t i = 0; i < s->want.others; i++)
        if (s->want.other[i] == pid)
            return true;
    return s->want.pid == pid;
}

/* --- threads --- */

static size_t spare_thread(struct sampled *s)
{
    if (s->threads.spare) {
        size_t at = s->threads.spare - 1;
        s->threads.ended -= s->threads.thread[at].ended;
        s->threads.spare = 0;
        return at;
    }
    bool grown =
        grow(&s->threads.thread, &s->threads.cap, s->threads.count, sizeof *s->threads.thread);
    return grown ? s->threads.count++ : SIZE_MAX;
}

static void mark_ended(struct sampled *s, size_t at)
{
    s->threads.ended += !s->threads.thread[at].ended;
    s->threads.thread[at].ended = true;
}

static struct sampled_thread *thread_new(struct sampled *s, uint32_t pid, uint32_t tid)
{
    uint64_t *index = imap_at(&s->threads.of_tid, tid);
    size_t at = spare_thread(s);
    if (!index || at == SIZE_MAX) {
        s->err = -ENOMEM;
        return NULL;
    }
    if (*index)
        mark_ended(s, (size_t)*index - 1);
    s->threads.thread[at] = (struct sampled_thread){.pid = pid, .tid = tid};
    *index = at + 1;
    return &s->threads.thread[at];
}

/* The record of a thread that ended unsampled is reused, so that many short ones cost nothing,
 * unless hooks.counted has their indexes. A sampled one may be sampled again while it exits; a new
 * thread with its tid begins with a fork. */
static void thread_ended(struct sampled *s, uint32_t tid)
{
    size_t i = (size_t)imap_get(&s->threads.of_tid, tid);
    if (!i)
        return;
    if (s->threads.thread[i - 1].samples || s->threads.spare || s->hooks.counted)
        return mark_ended(s, i - 1);
    *imap_at(&s->threads.of_tid, tid) = 0;
    s->threads.spare = i;
}

size_t sampled_thread_of(struct sampled *s, uint32_t pid, uint32_t tid)
{
    size_t i = (size_t)imap_get(&s->threads.of_tid, tid);
    if (i && s->threads.thread[i - 1].pid == pid)
        return i - 1;
    const struct sampled_thread *t = thread_new(s, pid, tid);
    return t ? (size_t)(t - s->threads.thread) : SIZE_MAX;
}

static void set_name(struct sampled_thread *t, const char *name)
{
    size_t len = strcspn(name, "\n");
    if (len >= sizeof t->name)
        len = sizeof t->name - 1;
    memcpy(t->name, name, len);
    t->name[len] = '\0';
}

void sampled_name(struct sampled *s, uint32_t pid, uint32_t tid, const char *name)
{
    bool other = s->want.by == SAMPLED_BY_PROCESS && tid != pid;
    if (other || s->want.by == SAMPLED_BY_CGROUP)
        return;
    size_t t = sampled_thread_of(s, pid, tid);
    if (t == SIZE_MAX)
        return;
    set_name(&s->threads.thread[t], name);
    s->threads.thread[t].asked = false;
}

static void thread_started(struct sampled *s, const struct perfrec *r)
{
    char name[sizeof s->threads.thread->name] = "";
    bool processes = s->want.by == SAMPLED_BY_PROCESS;
    size_t parent = (size_t)imap_get(&s->threads.of_tid, processes ? r->ppid : r->ptid);
    if (processes && r->pid == r->ppid)
        return;
    if (parent)
        memcpy(name, s->threads.thread[parent - 1].name, sizeof name);
    struct sampled_thread *t = thread_new(s, r->pid, r->tid);
    if (!t)
        return;
    t->ppid = r->pid == r->ppid ? 0 : r->ppid;
    memcpy(t->name, name, sizeof name);
}

bool sampled_has_pid(const struct sampled_thread *t)
{
    return t->pid != SAMPLED_GONE && t->pid != SAMPLED_FOREIGN;
}

void sampled_idle(struct sampled *s, uint64_t start, uint64_t end)
{
    if (s->idle_code.count < SAMPLED_MAX_IDLE)
        s->idle_code.range[s->idle_code.count++] = (struct mapped_code){start, end};
}

/* --- records --- */

/* After an exec the name is that of the number of the thread that the process began with. */
static void handle_comm(struct sampled *s, const struct perfrec *r)
{
    sampled_name(s, r->pid, r->tid, r->name);
    if (r->exec)
        sampled_waits_task(s, r);
}

/* Its fork is all that the kernel says of it: no mapping, no exit. */
static bool is_not_followed(const struct sampled *s, const struct perfrec *r)
{
    return s->want.pid && !s->want.children && !sampled_follows(s, r->pid);
}

static void handle_fork(struct sampled *s, const struct perfrec *r)
{
    s->count.forks += r->pid != r->ppid;
    if (is_not_followed(s, r))
        return;
    mapped_add_record(&s->mapped, r);
    if (s->want.by != SAMPLED_BY_CGROUP)
        thread_started(s, r);
    sampled_waits_task(s, r);
}

static void handle_exit(struct sampled *s, const struct perfrec *r)
{
    sampled_waits_task(s, r);
    bool process = s->want.by == SAMPLED_BY_PROCESS;
    if (s->want.by != SAMPLED_BY_CGROUP && (!process || r->tid == r->pid))
        thread_ended(s, r->tid);
}

static void handle_lost(struct sampled *s, const struct perfrec *r)
{
    s->loss.lost += r->lost;
    sampled_waits_task(s, r);
}

void sampled_add_record(struct sampled *s, const struct perfrec *r)
{
    if (r->type == PERFREC_SAMPLE)
        return (sampled_is_switch(s, r) ? sampled_leaves : sampled_sample)(s, r);
    if (r->type != PERFREC_FORK)
        mapped_add_record(&s->mapped, r);
    switch (r->type) {
    case PERFREC_SWITCH:
    case PERFREC_SWITCH_CPU_WIDE:
        sampled_switched(s, r);
        break;
    case PERFREC_COMM:
        handle_comm(s, r);
        break;
    case PERFREC_FORK:
        handle_fork(s, r);
        break;
    case PERFREC_EXIT:
        handle_exit(s, r);
        break;
    case PERFREC_LOST:
        handle_lost(s, r);
        break;
    case PERFREC_CGROUP:
        sampled_add_cgroup(s, r);
        break;
    case PERFREC_THROTTLE:
        s->loss.throttled++;
        break;
    default:
        break;
    }
}
