/*
 * sched_spans_parts: what the files of sched_spans share: timeline_model.c has rows, CPUs and what
 * each event does, dead_rows.c which rows of dead tasks go, runs.c how runs begin and end,
 * run_store.c the stores, query.c answers.
 */
#pragma once

#include "core/timeline/timeline_model.h"

/* --- dead_rows.c --- */

void sched_free_row(struct sched_row *row);
void sched_note_dead(struct sched_spans *s, struct sched_row *row);
bool sched_reserve_row(struct sched_spans *s); /* false: there are too many living ones */

/* --- runs.c --- */

void sched_begin_run(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                     const struct sched_event *e);
/* Of a task that runs, as far as is known: else nothing. */
void sched_end_run(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                   const struct sched_event *e);
void sched_begin_wait(struct sched_spans *s, struct sched_row *row, const struct sched_event *e,
                      bool stayed);
void sched_begin_sleep(struct sched_row *row, const struct sched_event *e);
struct sched_cpu *sched_cpu_at(struct sched_spans *s, int cpu); /* NULL: none, or no memory */

/* --- run_store.c --- */

void sched_keep_run(struct sched_spans *s, const struct sched_run *run);
/* In the row's list, or in the CPU's; either may be NULL. */
void sched_keep_mark(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                     const struct sched_mark *mark);
/* Runs and marks of the row stay without it. */
void sched_forget_row(struct sched_spans *s, struct sched_row *row);

static inline struct sched_run *sched_run_numbered(const struct sched_spans *s, uint32_t number)
{
    return (struct sched_run *)s->run.item + (number & (s->run.cap - 1));
}

static inline struct sched_mark *sched_mark_numbered(const struct sched_spans *s, uint32_t number)
{
    return (struct sched_mark *)s->mark.item + (number & (s->mark.cap - 1));
}
