#include "core/timeline/delays.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/text/counted.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void sched_delays_release(struct sched_delays *d)
{
    sched_trigger_release(&d->by_wait);
    sched_trigger_release(&d->by_deadline);
    free(d->delay);
    *d = (struct sched_delays){.limit_ns = d->limit_ns};
}

/* --- the longest: a heap, the shortest of them first --- */

static size_t max_kept(const struct sched_delays *d)
{
    return d->limit_ns ? SCHED_DELAYS_KEPT : SCHED_DELAYS_LONGEST;
}

static bool is_shorter(const struct sched_delay *a, const struct sched_delay *b)
{
    return a->hit.took_ns < b->hit.took_ns;
}

static void sift_up(struct sched_delay *heap, size_t i)
{
    for (size_t above; i && is_shorter(&heap[i], &heap[above = (i - 1) / 2]); i = above)
        SWAP(heap[i], heap[above]);
}

static void sift_down(struct sched_delay *heap, size_t count)
{
    for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_shorter(&heap[child + 1], &heap[child]))
            child++;
        if (!is_shorter(&heap[child], &heap[i]))
            return;
        SWAP(heap[i], heap[child]);
    }
}

static void keep_longest(struct sched_delays *d, const struct sched_delay *delay)
{
    if (!d->delay)
        d->delay = calloc(max_kept(d), sizeof *d->delay);
    if (!d->delay) {
        d->dropped++;
    } else if (d->kept < max_kept(d)) {
        d->delay[d->kept] = *delay;
        sift_up(d->delay, d->kept++);
    } else if (is_shorter(&d->delay[0], delay)) {
        d->delay[0] = *delay;
        sift_down(d->delay, d->kept);
    }
}

static int compare_longest(const void *pa, const void *pb)
{
    const struct sched_hit *a = &((const struct sched_delay *)pa)->hit;
    const struct sched_hit *b = &((const struct sched_delay *)pb)->hit;
    return ORDER(b->took_ns, a->took_ns) ?: ORDER(a->time_ns, b->time_ns) ?: ORDER(a->pid, b->pid);
}

/* --- events --- */

static void copy_name(char to[SCHED_NAME_BYTES], const struct sched_names *names, int32_t pid)
{
    snprintf(to, SCHED_NAME_BYTES, "%s", sched_names_get(names, pid));
}

/* Names are those of now: later they may be others, or gone. */
static void add_hit(struct sched_delays *d, const struct sched_hit *hit, bool waits,
                    const struct sched_names *names)
{
    struct sched_delay delay = {.hit = *hit, .waits = waits};
    copy_name(delay.name, names, hit->pid);
    for (size_t i = 0; i < hit->meanwhile.ran_count; i++)
        copy_name(delay.ran_name[i], names, hit->meanwhile.ran[i].pid);
    ++*(hit->kind == SCHED_HIT_MISSED ? &d->missed : waits ? &d->waiting : &d->late);
    keep_longest(d, &delay);
}

/* Without a limit what is shorter than all that are kept needs no further look. */
static uint64_t least_ns(const struct sched_delays *d)
{
    if (d->limit_ns)
        return d->limit_ns;
    return d->kept == max_kept(d) ? d->delay[0].hit.took_ns : 1;
}

static void watch_all(struct sched_delays *d)
{
    d->by_wait.late_ns = least_ns(d);
    d->by_deadline.missed = true;
}

void sched_delays_other(struct sched_delays *d, const struct sched_event *e)
{
    watch_all(d);
    sched_trigger_other(&d->by_wait, e);
    sched_trigger_other(&d->by_deadline, e);
}

void sched_delays_add(struct sched_delays *d, const struct sched_event *e,
                      const struct sched_names *names)
{
    if (e->kind == SCHED_LOST) {
        sched_trigger_forget(&d->by_wait);
        sched_trigger_forget(&d->by_deadline);
    }
    watch_all(d);
    if (sched_trigger_check(&d->by_wait, e))
        add_hit(d, &d->by_wait.hit, false, names);
    if (sched_trigger_check(&d->by_deadline, e))
        add_hit(d, &d->by_deadline.hit, false, names);
}

static void add_waiting(struct sched_delays *d, const struct sched_row *row,
                        const struct sched_names *names, uint64_t end_ns)
{
    struct sched_wait wait = {row->pid, row->cpu, row->since_ns, end_ns};
    struct sched_hit hit = {.kind = SCHED_HIT_LATE,
                            .pid = row->pid,
                            .cpu = row->cpu,
                            .time_ns = end_ns,
                            .since_ns = row->since_ns,
                            .took_ns = end_ns - row->since_ns};
    sched_history_ran(&d->by_wait.history, &wait, &hit.meanwhile);
    add_hit(d, &hit, true, names);
}

static bool still_waits(const struct sched_row *row, uint64_t end_ns, uint64_t over_ns)
{
    return row->ready && !row->stayed && !row->running && !row->dead && row->since_ns &&
           end_ns > row->since_ns && end_ns - row->since_ns > over_ns;
}

void sched_delays_end(struct sched_delays *d, const struct sched_spans *spans,
                      const struct sched_names *names, uint64_t end_ns)
{
    for (size_t i = 0; i < spans->rows; i++)
        if (still_waits(spans->row[i], end_ns, least_ns(d)))
            add_waiting(d, spans->row[i], names, end_ns);
    sort_array(d->delay, d->kept, sizeof *d->delay, compare_longest);
}

/* --- in words --- */

const char *sched_delay_kind(const struct sched_delay *d)
{
    return d->hit.kind == SCHED_HIT_MISSED ? "deadline" : d->waits ? "waiting" : "wake-up";
}

static void add_share(struct buf *out, size_t before, const char *who, uint64_t ns, uint64_t of_ns)
{
    double share = 100 * (double)ns / (double)of_ns;
    shown_printf(out, "%s%s ", out->len > before ? ", " : "", who);
    buf_printf(out, share < 0.5 ? "<1%%" : "%.0f%%", share);
}

void sched_delay_meanwhile(const struct sched_delays *all_delays, const struct sched_delay *d,
                           struct buf *out)
{
    const struct sched_meanwhile *m = &d->hit.meanwhile;
    uint64_t all = d->hit.time_ns - d->hit.since_ns, known = m->others_ns + m->idle_ns;
    size_t before = out->len;
    for (size_t i = 0; i < m->ran_count; i++) {
        char who[SCHED_NAME_BYTES + 16];
        snprintf(who, sizeof who, "%" PRId32 " %s", m->ran[i].pid, d->ran_name[i]);
        add_share(out, before, who, m->ran[i].ns, all);
        known += m->ran[i].ns;
    }
    if (m->others)
        add_share(out, before, counted(m->others, "other").text, m->others_ns, all);
    if (m->idle_ns * 200 >= all)
        add_share(out, before, all_delays->some_tasks ? "not traced" : "idle", m->idle_ns, all);
    if (out->len > before && known < all && (all - known) * 200 >= all)
        add_share(out, before, "not known", all - known, all);
    if (out->len == before)
        buf_addc(out, '-');
}
