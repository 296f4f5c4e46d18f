#include "core/io/machine.h"

#include "core/base/grow.h"
#include "core/base/sort.h"
#include "machine_state.h"

#include <stdlib.h>
#include <string.h>

/* More than any child has done: all that is added to its parent is taken for the child's. */
#define UNKNOWN_BYTES (UINT64_C(1) << 60)

struct io_machine *io_machine_new(void)
{
    return calloc(1, sizeof(struct io_machine));
}

void io_machine_free(struct io_machine *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->count; i++)
        free(m->process[i].thread);
    free(m->process);
    imap_release(&m->of_pid);
    free(m);
}

bool io_machine_failed(const struct io_machine *m)
{
    return m->failed;
}

/* --- a round's readings --- */

void io_machine_begin(struct io_machine *m)
{
    m->round++;
    for (size_t i = 0; i < m->count; i++) {
        struct machine_process *p = &m->process[i];
        p->own.now = p->by_ended.now = (struct proc_io){0};
        p->wait_now_ns = 0;
    }
    m->rest.now = (struct proc_io){0};
}

static struct machine_process *living(const struct io_machine *m, int pid)
{
    uint64_t number = imap_get(&m->of_pid, (uint32_t)pid);
    return number ? &m->process[number - 1] : NULL;
}

static struct machine_process *process_of(struct io_machine *m, const struct io_reading *r)
{
    struct machine_process *known = living(m, r->pid);
    if (known && known->started == r->started)
        return known;
    uint64_t *number = imap_at(&m->of_pid, (uint32_t)r->pid);
    struct machine_process new = {.pid = r->pid, .started = r->started, .at_start = m->round == 1};
    if (!number || !GROW_ADD(m->process, m->cap, m->count, new))
        return NULL;
    *number = m->count;
    return &m->process[m->count - 1];
}

bool io_machine_changed(const struct io_machine *m, const struct io_reading *r)
{
    const struct machine_process *p = living(m, r->pid);
    if (!r->readable)
        return false;
    if (!p || p->started != r->started || !p->based)
        return !proc_io_is_zero(&r->whole);
    return !proc_io_is_equal(&p->whole, &r->whole);
}

static int compare_threads(const void *pa, const void *pb)
{
    const struct io_thread *a = pa, *b = pb;
    return ORDER(a->tid, b->tid);
}

/* What is new since the threads were read before: waits, and what those that ended had done. */
struct thread_change {
    struct proc_io living, ended;
    uint64_t wait_ns;
};

static bool is_older(const struct io_thread *old, const struct io_thread *now)
{
    return now->io.value[PROC_IO_READ_CALLS] < old->io.value[PROC_IO_READ_CALLS] ||
           now->io.value[PROC_IO_WRITE_CALLS] < old->io.value[PROC_IO_WRITE_CALLS];
}

static void compare_with(const struct machine_process *p, const struct io_thread *now, size_t count,
                         struct thread_change *out)
{
    size_t old = 0;
    for (size_t i = 0; i < count; i++) {
        while (old < p->threads && p->thread[old].tid < now[i].tid)
            proc_io_add(&out->ended, &p->thread[old++].io);
        uint64_t waited_ns = 0;
        if (old < p->threads && p->thread[old].tid == now[i].tid) {
            if (is_older(&p->thread[old], &now[i])) /* another one has its number */
                proc_io_add(&out->ended, &p->thread[old].io);
            else
                waited_ns = p->thread[old].wait_ns;
            old++;
        }
        out->wait_ns += now[i].wait_ns > waited_ns ? now[i].wait_ns - waited_ns : 0;
        proc_io_add(&out->living, &now[i].io);
    }
    for (; old < p->threads; old++)
        proc_io_add(&out->ended, &p->thread[old].io);
}

static bool keep_threads(struct machine_process *p, const struct io_reading *r,
                         struct thread_change *change)
{
    struct io_thread *now = malloc((r->threads + 1) * sizeof *now);
    if (!now)
        return false;
    if (r->threads)
        memcpy(now, r->thread, r->threads * sizeof *now);
    sort_array(now, r->threads, sizeof *now, compare_threads);
    compare_with(p, now, r->threads, change);
    free(p->thread);
    p->thread = now;
    p->threads = r->threads;
    return true;
}

/* Where it is compared from. Others than those of the first round begin with nothing. */
static void set_base(struct machine_process *p, const struct io_reading *r,
                     const struct thread_change *change)
{
    p->whole = p->ended = r->thread ? r->after : r->whole;
    proc_io_subtract(&p->ended, &change->living);
}

/* The division into its own and that of what ended is completed at the round's end. */
static void count_change(struct machine_process *p, const struct io_reading *r,
                         const struct thread_change *change)
{
    struct proc_io delta = r->whole, ended = r->whole;
    proc_io_subtract(&delta, &p->whole);
    proc_io_subtract(&ended, &change->living);
    proc_io_subtract(&ended, &p->ended);
    proc_io_add(&p->ended, &ended);
    proc_io_subtract(&ended, &change->ended);
    p->own.now = delta;
    p->by_ended.now = ended;
    p->wait_now_ns = change->wait_ns;
    p->whole = r->whole;
}

static void set_name(struct machine_process *p, const struct io_reading *r)
{
    size_t len = r->name_len < sizeof p->name ? r->name_len : sizeof p->name - 1;
    memcpy(p->name, r->name, len);
    p->name[len] = '\0';
}

void io_machine_add(struct io_machine *m, const struct io_reading *r)
{
    struct machine_process *p = process_of(m, r);
    struct thread_change change = {0};
    if (!p) {
        m->failed = true;
        return;
    }
    p->parent = r->parent;
    p->round = m->round;
    p->readable = r->readable;
    set_name(p, r);
    if (!r->readable)
        return;
    if (r->thread && !keep_threads(p, r, &change)) {
        m->failed = true;
        return;
    }
    if (!p->based && p->at_start)
        set_base(p, r, &change);
    else if (r->thread)
        count_change(p, r, &change);
    p->based = true;
}

/* --- a round's end --- */

static bool has_vanished(const struct io_machine *m, const struct machine_process *p)
{
    return !p->gone && p->round != m->round;
}

/* The closest ancestor that lives: of those between, each was added to its parent. */
static struct machine_process *heir_of(const struct io_machine *m, const struct machine_process *p)
{
    struct machine_process *heir = living(m, p->parent);
    for (int i = 0; heir && has_vanished(m, heir) && i < 1000; i++)
        heir = living(m, heir->parent);
    return heir && !has_vanished(m, heir) ? heir : NULL;
}

static void pass_debt(struct io_machine *m, const struct machine_process *p)
{
    struct machine_process *heir = heir_of(m, p);
    if (!heir)
        return;
    proc_io_add(&heir->debt, &p->whole);
    proc_io_add(&heir->debt, &p->debt);
    proc_io_add(&heir->debt, &p->old_debt);
    for (size_t i = 0; i < PROC_IO_FIELDS && p->at_start && !p->based; i++)
        heir->debt.value[i] = UNKNOWN_BYTES;
}

static void settle_debt(struct machine_process *p)
{
    struct proc_io debt = p->debt;
    proc_io_add(&debt, &p->old_debt);
    struct proc_io paid = proc_io_min(&debt, &p->by_ended.now);
    proc_io_subtract(&p->by_ended.now, &paid);
    proc_io_subtract(&p->own.now, &paid);
    if (!p->threads) /* it ended before they were read: all that is new is its own */
        p->by_ended.now = (struct proc_io){0};
    proc_io_subtract(&p->own.now, &p->by_ended.now);
    proc_io_subtract(&debt, &paid);
    p->old_debt = proc_io_min(&debt, &p->debt);
    p->debt = (struct proc_io){0};
    proc_io_add(&p->own.total, &p->own.now);
    proc_io_add(&p->by_ended.total, &p->by_ended.now);
    p->wait_ns += p->wait_now_ns;
}

static void end_process(struct io_machine *m, struct machine_process *p)
{
    uint64_t *number = imap_at(&m->of_pid, (uint32_t)p->pid);
    if (number && *number && &m->process[*number - 1] == p)
        *number = 0;
    free(p->thread);
    p->thread = NULL;
    p->threads = 0;
    p->gone = true;
}

/* Whether one that ended keeps its row. */
static bool stays(struct io_machine *m, const struct machine_process *p, size_t *left)
{
    if (!p->gone)
        return true;
    if (proc_io_is_zero(&p->own.total) && proc_io_is_zero(&p->by_ended.total))
        return false;
    if ((*left)-- <= IO_MACHINE_ENDED)
        return true;
    proc_io_add(&m->rest.total, &p->own.total);
    proc_io_add(&m->rest.total, &p->by_ended.total);
    m->rest_wait_ns += p->wait_ns;
    m->rest_count++;
    return false;
}

static void forget_ended(struct io_machine *m)
{
    size_t kept = 0, left = 0;
    for (size_t i = 0; i < m->count; i++)
        left += m->process[i].gone;
    for (size_t i = 0; i < m->count; i++) {
        struct machine_process *p = &m->process[i];
        if (!stays(m, p, &left))
            continue;
        uint64_t *number = p->gone ? NULL : imap_at(&m->of_pid, (uint32_t)p->pid);
        if (number)
            *number = kept + 1;
        m->process[kept++] = *p;
    }
    m->count = kept;
}

void io_machine_end(struct io_machine *m, const struct io_round *round)
{
    for (size_t i = 0; i < m->count; i++)
        if (has_vanished(m, &m->process[i]))
            pass_debt(m, &m->process[i]);
    for (size_t i = 0; i < m->count; i++)
        if (has_vanished(m, &m->process[i]))
            end_process(m, &m->process[i]);
        else if (!m->process[i].gone)
            settle_debt(&m->process[i]);
    forget_ended(m);
    if (m->round == 1)
        m->first = m->last = *round;
    m->before = m->last;
    m->last = *round;
}
