/* How runs begin and end, and what that adds to the statistics. */
#include "model_private.h"

#include "core/base/time_ns.h"

/* --- ends --- */

static void sum_up(struct sched_row *row, struct sched_cpu *cpu, uint64_t ns)
{
    row->stats.runs++;
    row->stats.run_ns += ns;
    row->stats.release_run_ns += ns;
    if (cpu) {
        cpu->runs++;
        cpu->busy_ns += ns;
    }
}

static void finish_run(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                       const struct sched_event *e, unsigned flags)
{
    bool cut = flags & SCHED_RUN_CUT;
    struct sched_run run = {.start_ns = row->since_ns,
                            .end_ns = e->time_ns > row->since_ns ? e->time_ns : row->since_ns,
                            .ready_ns = row->ready_ns,
                            .row = row,
                            .woken_by = row->woken_by,
                            .ended_by = e->kind == SCHED_SLICE ? e->other : -1,
                            .cpu = row->cpu,
                            .priority = row->priority,
                            .end = cut ? SCHED_RUN : e->kind,
                            .state = e->kind == SCHED_SLEEP ? e->state : 0,
                            .flags = (uint8_t)(flags | (row->stayed ? SCHED_RUN_STAYED : 0))};
    row->running = row->stayed = false;
    row->ready_ns = 0;
    if (cpu) {
        cpu->known = true;
        cpu->row = NULL;
    }
    sum_up(row, cpu, run.end_ns - run.start_ns);
    if (run.end_ns > run.start_ns)
        sched_keep_run(s, &run);
}

/* Who runs when a CPU's first event is that he leaves it has run before. */
static bool ran_before(const struct sched_spans *s, const struct sched_row *row,
                       const struct sched_cpu *cpu, const struct sched_event *e)
{
    return cpu && !cpu->known && !row->ready && !row->sleeping && e->kind != SCHED_READY &&
           (cpu->first_ns || s->begin_ns);
}

/* Another still runs there: its end was lost. */
static void cut_other(struct sched_spans *s, const struct sched_row *row, struct sched_cpu *cpu,
                      const struct sched_event *e)
{
    if (cpu && cpu->row && cpu->row != row && cpu->row->running)
        finish_run(s, cpu->row, cpu, e, SCHED_RUN_CUT);
}

void sched_end_run(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                   const struct sched_event *e)
{
    if (row->running) {
        finish_run(s, row, cpu, e, 0);
    } else if (ran_before(s, row, cpu, e)) {
        row->since_ns = cpu->first_ns ? cpu->first_ns : s->begin_ns;
        row->ready_ns = 0;
        row->woken_by = -1;
        row->cpu = e->cpu;
        finish_run(s, row, cpu, e, SCHED_RUN_BEFORE);
    }
    if (cpu && e->kind != SCHED_READY) {
        cut_other(s, row, cpu, e);
        cpu->known = true;
        cpu->row = NULL;
    }
}

/* --- beginnings --- */

static void end_sleep(struct sched_row *row, uint64_t now_ns)
{
    uint64_t ns = ns_between(row->since_ns, now_ns);
    bool disk = row->state == 'D';
    row->sleeping = false;
    row->stats.sleeps++;
    row->stats.sleep_ns += ns;
    row->stats.disk_sleeps += disk;
    row->stats.disk_sleep_ns += disk ? ns : 0;
}

void sched_begin_wait(struct sched_spans *s, struct sched_row *row, const struct sched_event *e,
                      bool stayed)
{
    if (row->ready || row->running)
        return;
    if (row->sleeping)
        end_sleep(row, e->time_ns);
    row->ready = true;
    row->stayed = stayed;
    row->since_ns = e->time_ns;
    row->woken_by = stayed ? -1 : e->other;
}

void sched_begin_sleep(struct sched_row *row, const struct sched_event *e)
{
    row->ready = false;
    row->sleeping = true;
    row->since_ns = e->time_ns;
    row->state = e->state;
}

static void end_wait(struct sched_row *row, const struct sched_event *e)
{
    struct sched_latency *l = row->stayed ? &row->stats.stayed : &row->stats.wakeup;
    row->ready_ns = row->ready ? row->since_ns : 0;
    if (row->ready && !sched_is_inferred_switch(e))
        sched_latency_add(l, ns_between(row->since_ns, e->time_ns), e->time_ns);
    else if (!row->ready)
        row->woken_by = -1;
    row->ready = false;
}

void sched_begin_run(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                     const struct sched_event *e)
{
    cut_other(s, row, cpu, e);
    if (row->sleeping)
        end_sleep(row, e->time_ns);
    if (row->running) { /* that it stopped was lost, or is Plan 9's habit: it starts anew */
        struct sched_cpu *old = sched_cpu_at(s, row->cpu);
        if (old && old->row == row)
            old->row = NULL;
        row->stayed = false;
    }
    end_wait(row, e);
    row->running = true;
    row->since_ns = e->time_ns;
    row->cpu = e->cpu;
    if (cpu) {
        cpu->known = true;
        cpu->row = row;
    }
}
