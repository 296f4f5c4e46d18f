#include "model_private.h"

#include "core/base/grow.h"
#include "range_list.h"

#include <stdlib.h>

static size_t power_of_two(size_t n)
{
    size_t power = n ? 1024 : 0;
    while (power < n && power < (size_t)1 << 30)
        power *= 2;
    return power;
}

void sched_spans_init(struct sched_spans *s, const struct sched_limits *limits, uint64_t begin_ns)
{
    size_t rows = limits->rows ? limits->rows : SCHED_MAX_ROWS;
    *s = (struct sched_spans){.limits = {power_of_two(limits->runs), power_of_two(limits->marks),
                                         rows, limits->dead ? limits->dead : rows},
                              .max_dead_octaves =
                                  limits->dead ? limits->dead * SCHED_DEAD_OCTAVES : SIZE_MAX,
                              .begin_ns = begin_ns};
}

void sched_spans_release(struct sched_spans *s)
{
    for (size_t i = 0; i < s->rows; i++)
        sched_free_row(s->row[i]);
    for (size_t i = 0; i < s->cpus; i++) {
        sched_list_release(&s->cpu[i].runs_here);
        sched_list_release(&s->cpu[i].marks);
    }
    imap_release(&s->living);
    free(s->row);
    free(s->cpu);
    free(s->run.item);
    free(s->mark.item);
    *s = (struct sched_spans){0};
}

/* --- rows and CPUs --- */

struct sched_row *sched_row_of(const struct sched_spans *s, int32_t pid)
{
    return imap_pointer(&s->living, (uint32_t)pid);
}

static struct sched_row *new_row(struct sched_spans *s, const struct sched_event *e)
{
    if (!sched_reserve_row(s))
        return NULL;
    struct sched_row *row = calloc(1, sizeof *row);
    uint64_t *at = NULL;
    if (row && grow(&s->row, &s->rows_cap, s->rows, sizeof(struct sched_row *)))
        at = imap_at(&s->living, (uint32_t)e->pid);
    if (!at) {
        free(row);
        return NULL;
    }
    *row = (struct sched_row){.pid = e->pid,
                              .number = s->rows_made++,
                              .first_ns = e->time_ns,
                              .cpu = -1,
                              .priority = SCHED_NO_PRIORITY,
                              .woken_by = -1,
                              .stats.since_ns = e->time_ns};
    s->row[s->rows++] = row;
    *at = (uintptr_t)row;
    return row;
}

/* The idle task has no row. */
static struct sched_row *row_for(struct sched_spans *s, const struct sched_event *e)
{
    struct sched_row *row = e->pid > 0 ? sched_row_of(s, e->pid) : NULL;
    if (!row && e->pid > 0) {
        row = new_row(s, e);
        s->unplaced += !row;
    }
    return row;
}

struct sched_cpu *sched_cpu_at(struct sched_spans *s, int cpu)
{
    if (cpu < 0 || cpu >= SCHED_MAX_CPUS)
        return NULL;
    while (s->cpus <= (size_t)cpu) {
        if (!GROW_ADD(s->cpu, s->cpus_cap, s->cpus, (struct sched_cpu){0}))
            return NULL;
    }
    return &s->cpu[cpu];
}

/* --- what each event does --- */

static void count_preemptor(struct sched_stats *t, int32_t pid)
{
    struct sched_preemptor *min = t->by;
    t->preempted++;
    for (size_t i = 0; i < SCHED_PREEMPTORS; i++) {
        struct sched_preemptor *p = &t->by[i];
        if (p->count && p->pid == pid) {
            p->count++;
            return;
        }
        if (p->count < min->count)
            min = p;
    }
    *min = (struct sched_preemptor){pid, min->count + 1};
}

/* When its time is up it waits for its next release, not for a CPU. */
static void handle_slice(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                         const struct sched_event *e)
{
    bool up = e->flags & SCHED_INFERRED || e->other < 0;
    sched_end_run(s, row, cpu, e);
    if (!up) {
        count_preemptor(&row->stats, e->other);
        sched_begin_wait(s, row, e, true);
    }
}

static void end_deadline(struct sched_row *row, const struct sched_event *e)
{
    row->stats.missed += row->deadline_ns && e->time_ns > row->deadline_ns;
    row->deadline_ns = 0;
}

static void handle_release(struct sched_spans *s, struct sched_row *row,
                           const struct sched_event *e)
{
    struct sched_stats *t = &row->stats;
    if (row->running || row->ready)
        end_deadline(row, e);
    t->releases++;
    if (t->release_run_ns > t->release_max_ns)
        t->release_max_ns = t->release_run_ns;
    t->release_run_ns = 0;
    if (e->flags & SCHED_INFERRED && !row->sleeping)
        sched_begin_wait(s, row, e, false);
}

static void handle_death(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                         const struct sched_event *e)
{
    sched_end_run(s, row, cpu, e);
    if (s->watch && s->watch->death && !row->dead)
        s->watch->death(s->watch->arg, row);
    sched_note_dead(s, row);
    row->ready = row->sleeping = false;
    imap_take(&s->living, (uint32_t)row->pid);
}

static void handle_ready(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                         const struct sched_event *e)
{
    if (!(e->flags & SCHED_WOKEN))
        sched_end_run(s, row, cpu, e);
    sched_begin_wait(s, row, e, e->flags & SCHED_PREEMPTED);
}

static void update_run(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                       const struct sched_event *e)
{
    switch (e->kind) {
    case SCHED_READY:
        handle_ready(s, row, cpu, e);
        break;
    case SCHED_RUN:
        if (!e->arg)
            sched_begin_run(s, row, cpu, e);
        break;
    case SCHED_SLEEP:
        sched_end_run(s, row, cpu, e);
        end_deadline(row, e);
        sched_begin_sleep(row, e);
        break;
    case SCHED_YIELD:
        sched_end_run(s, row, cpu, e);
        row->stats.yields++;
        end_deadline(row, e);
        break;
    case SCHED_SLICE:
        handle_slice(s, row, cpu, e);
        break;
    case SCHED_DEAD:
        handle_death(s, row, cpu, e);
        break;
    default:
        break;
    }
}

static void update_row(struct sched_spans *s, struct sched_row *row, const struct sched_event *e)
{
    switch (e->kind) {
    case SCHED_RELEASE:
        handle_release(s, row, e);
        break;
    case SCHED_DEADLINE:
        row->deadline_ns = e->time_ns;
        break;
    case SCHED_EXPEL:
        row->deadline_ns = 0;
        break;
    case SCHED_MIGRATE:
        row->stats.migrations++;
        break;
    case SCHED_CALL:
        row->stats.calls++;
        break;
    case SCHED_INTS:
        row->stats.interrupts++;
        break;
    default:
        break;
    }
}

/* After a loss it is unknown which task runs there, and since when. */
static void handle_loss(struct sched_spans *s, struct sched_cpu *cpu, const struct sched_event *e)
{
    struct sched_row *row = cpu->row;
    if (row && row->running) {
        struct sched_event end = {.time_ns = cpu->last_ns, .kind = SCHED_LOST, .other = -1};
        sched_end_run(s, row, cpu, &end);
    }
    cpu->known = false;
    cpu->first_ns = e->time_ns;
    cpu->lost += e->arg;
    cpu->losses++;
}

static void update_cpu(struct sched_spans *s, struct sched_cpu *cpu, const struct sched_event *e)
{
    if (e->kind == SCHED_LOST)
        handle_loss(s, cpu, e);
    if (!cpu->seen && !s->begin_ns)
        cpu->first_ns = s->first_ns;
    cpu->seen = true;
    if (e->kind != SCHED_DEADLINE)
        cpu->last_ns = e->time_ns;
    cpu->interrupts += e->kind == SCHED_INTS;
    cpu->softirqs += e->kind == SCHED_SOFTS;
    cpu->calls += e->kind == SCHED_CALL;
    cpu->wakeups += e->kind == SCHED_READY;
    cpu->migrations_in += e->kind == SCHED_MIGRATE;
}

static bool is_mark(const struct sched_event *e)
{
    return e->kind != SCHED_READY && e->kind != SCHED_RUN && e->kind != SCHED_SLEEP;
}

static void keep_mark(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                      const struct sched_event *e)
{
    struct sched_mark mark = {.time_ns = e->time_ns,
                              .arg = e->arg,
                              .other = e->other,
                              .cpu = e->cpu,
                              .kind = e->kind,
                              .flags = e->flags};
    sched_keep_mark(s, row, row ? NULL : cpu, &mark);
}

static void note_time(struct sched_spans *s, const struct sched_event *e)
{
    if (!s->events || e->time_ns < s->first_ns)
        s->first_ns = e->time_ns;
    if (e->kind != SCHED_DEADLINE && e->time_ns > s->last_ns)
        s->last_ns = e->time_ns;
    s->events++;
    s->of_kind[e->kind]++;
}

static void note_task(struct sched_row *row, const struct sched_event *e)
{
    row->last_ns = e->time_ns > row->last_ns ? e->time_ns : row->last_ns;
    row->priority = e->priority;
    row->policy = e->policy;
    if (e->kind == SCHED_MIGRATE)
        row->cpu = e->cpu;
}

/* A switch that was left out was behind the CPU's last event, and behind the task's. */
static uint64_t earliest_time(const struct sched_cpu *cpu, const struct sched_row *row,
                              uint64_t proven_ns)
{
    uint64_t ns = cpu ? cpu->last_ns : 0;
    if (row && row->since_ns > ns)
        ns = row->since_ns;
    return ns && ns < proven_ns ? ns : proven_ns;
}

void sched_spans_add(struct sched_spans *s, const struct sched_event *e)
{
    struct sched_event early;
    if (e->kind >= SCHED_KINDS)
        return;
    note_time(s, e);
    struct sched_cpu *cpu = sched_cpu_at(s, e->cpu);
    struct sched_row *row = e->kind == SCHED_LOST ? NULL : row_for(s, e);
    if (sched_is_inferred_switch(e)) {
        s->left_out++;
        early = *e;
        early.time_ns = earliest_time(cpu, row, e->time_ns);
        e = &early;
    }
    if (cpu)
        update_cpu(s, cpu, e);
    if (row) {
        update_run(s, row, e->kind == SCHED_READY && e->flags & SCHED_WOKEN ? NULL : cpu, e);
        update_row(s, row, e);
        note_task(row, e);
    }
    if (is_mark(e))
        keep_mark(s, row, cpu, e);
}
