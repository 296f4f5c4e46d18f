/*
 * sched_spans: the scheduler's events as a timeline: a row a task with its runs, marks and
 * statistics, and the same by CPU. What is drawn, summed up and written out is asked here.
 *
 *     sched_spans_init(&s, &limits, begin_ns);
 *     sched_spans_add(&s, &event) ...            in the order of time, as near as the source can
 *     for (i = 0; i < s.rows; i++) ... s.row[i]
 *     range = sched_runs_between(&s, &row->runs, t0, t1);
 *     for (i = 0; i < range.count; i++) sched_run_at(&s, &row->runs, range.first + i)
 *
 * Memory is bounded: of runs and marks the oldest of all rows are dropped beyond the limits, and
 * counted; of rows the dead: the oldest, or where no runs are kept those that ran least. The rows
 * that stay have statistics of all their events.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/timeline/latency.h"
#include "core/trace/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sched_names;

/* Of what is kept. 0 of runs or marks: none are, statistics alone. */
struct sched_limits {
    size_t runs, marks; /* rounded up to powers of two; 48 and 32 bytes each, and 4 a row and CPU */
    size_t rows;        /* 0: SCHED_MAX_ROWS */
    size_t dead;        /* of rows, tasks that died, with the histograms of SCHED_DEAD_OCTAVES each;
                           0: as many as there is room for */
};
enum { SCHED_DEAD_OCTAVES = 8 }; /* those that ran longest, which are kept, have the largest */
enum { SCHED_MAX_ROWS = 16384, SCHED_MAX_CPUS = 4096, SCHED_PREEMPTORS = 8 };

struct sched_row;

enum {
    SCHED_RUN_BEFORE = 1, /* it ran already when the trace, or what is known after a loss, begins */
    SCHED_RUN_CUT = 2,    /* its end was not seen: another ran there */
    SCHED_RUN_OPEN = 4,   /* it runs still: the end is the time asked for */
    SCHED_RUN_STAYED = 8, /* before it the task waited since it was preempted, not woken */
};

/* A task on a CPU without a pause; one that took no time is counted, not kept. */
struct sched_run {
    uint64_t start_ns, end_ns;
    uint64_t ready_ns;          /* could have run since then; 0: not known */
    struct sched_row *row;      /* NULL: that was dropped */
    int32_t woken_by, ended_by; /* pids; -1: not known. ended_by: who preempted it */
    int16_t cpu, priority;
    uint8_t end;   /* what ended it: an enum sched_kind */
    uint8_t state; /* of SCHED_SLEEP: the letter */
    uint8_t flags; /* SCHED_RUN_... */
};

/* What happened at one time: all kinds but Ready, Run, Sleep, and the Slice of who may run on. */
struct sched_mark {
    uint64_t time_ns;
    struct sched_row *row; /* NULL: dropped; of SCHED_LOST always */
    uint32_t arg;
    int32_t other;
    int16_t cpu;
    uint8_t kind, flags; /* of the event */
};

/* Runs or marks of a row or CPU, in the order of time: numbers of them in the common store. */
struct sched_list {
    uint32_t *item; /* a ring */
    size_t head, count, cap;
};

struct sched_preemptor {
    int32_t pid;
    uint64_t count; /* at least: exact up to SCHED_PREEMPTORS of them, then too high by what the
                       one it replaced had */
};

struct sched_stats {
    uint64_t since_ns; /* the task's first event, or the last reset */
    uint64_t runs, run_ns;
    struct sched_latency wakeup;                           /* from woken to running */
    struct sched_latency stayed;                           /* from preempted to running again */
    uint64_t sleeps, sleep_ns, disk_sleeps, disk_sleep_ns; /* ended ones; state D apart, in both */
    uint64_t preempted, yields, migrations;
    struct sched_preemptor by[SCHED_PREEMPTORS];
    uint64_t releases, missed; /* deadlines: found running or ready when theirs was over */
    uint64_t release_run_ns, release_max_ns; /* since the last release; the most between two */
    uint64_t calls, interrupts;
};

struct sched_row {
    int32_t pid;
    uint32_t number;            /* of rows ever made, from 0: distinguishes rows of a reused pid */
    uint64_t first_ns, last_ns; /* its first and latest event */
    bool dead, running, ready, sleeping, stayed;
    int16_t cpu, priority; /* as last known; -1: none, SCHED_NO_PRIORITY */
    uint8_t policy, state;
    uint64_t since_ns;    /* running, ready or sleeping since; 0: not known */
    uint64_t ready_ns;    /* of a run: see struct sched_run */
    uint64_t deadline_ns; /* the one that it has now; 0: none */
    int32_t woken_by;
    struct sched_stats stats;
    struct sched_list runs, marks;
};
enum { SCHED_NO_PRIORITY = INT16_MIN };

enum { SCHED_CPU_COUNTS = 9 };
struct sched_cpu {
    bool seen;             /* it had an event */
    bool known;            /* whether it is known which task runs, or none */
    struct sched_row *row; /* the running task; NULL: none, or not known */
    union {
        struct {
            uint64_t busy_ns, runs, wakeups, migrations_in, interrupts, softirqs, calls;
            uint64_t lost;   /* events that the source lost of this CPU; */
            uint64_t losses; /* at so many places */
        };
        uint64_t count[SCHED_CPU_COUNTS]; /* the same */
    };
    uint64_t first_ns, last_ns;
    struct sched_list runs_here, marks; /* marks: of the CPU: losses, interrupts of the idle task */
};

/* A store that rows share: item n is at n & (cap - 1). */
struct sched_store {
    void *item; /* struct sched_run or struct sched_mark */
    size_t cap;
    uint32_t first, count; /* the oldest's number, how many */
};

/* How many were dropped because of the limits. */
struct sched_dropped {
    uint64_t runs, marks, rows;
    uint64_t run_ns; /* what the tasks of these rows ran */
};
/* "5 older runs, 3 older marks, 1 ended task"; nothing when all are 0. */
void sched_dropped_text(const struct sched_dropped *d, struct buf *out);

/* Called as runs end, marks come and tasks die: for what takes them all, and keeps none. Each may
 * be NULL. */
struct sched_watch {
    void (*run)(void *arg, const struct sched_run *run);
    void (*mark)(void *arg, const struct sched_mark *mark); /* row NULL: of the CPU */
    void (*death)(void *arg, const struct sched_row *row);
    void *arg;
};

struct sched_spans {
    struct sched_limits limits;
    const struct sched_watch *watch; /* the caller's, after sched_spans_init; NULL: none */
    struct sched_names *names;       /* likewise: those of tasks that have no row any more retire */
    uint64_t begin_ns;               /* of what was observed */
    uint64_t first_ns, last_ns;      /* of events */
    struct sched_row **row;          /* in the order in which they came; dead ones too */
    size_t rows, rows_cap, dead;
    size_t dead_octaves, max_dead_octaves; /* of histograms of the dead; the limit */
    struct sched_cpu *cpu;
    size_t cpus, cpus_cap;
    uint64_t events, of_kind[SCHED_KINDS];
    struct sched_dropped dropped;
    uint64_t left_out;  /* switches missing from the kernel's trace, as far as others prove them:
                           their times are the earliest possible, and none ends a wait */
    uint64_t unplaced;  /* events without a row or CPU, for lack of memory or by their numbers, and
                           marks too far out of order */
    struct imap living; /* pid -> struct sched_row * */
    uint32_t rows_made;
    struct sched_store run, mark;
};

/* begin_ns: when observation began; 0: with the first event. Nothing is allocated. */
void sched_spans_init(struct sched_spans *s, const struct sched_limits *limits, uint64_t begin_ns);
void sched_spans_release(struct sched_spans *s);
void sched_spans_add(struct sched_spans *s, const struct sched_event *e);

/* The living task's row; NULL. Rows stay where they are until they are dropped. */
struct sched_row *sched_row_of(const struct sched_spans *s, int32_t pid);

/* Which of a list's runs or marks lie in, or reach into, [from, to). O(log n). */
struct sched_range {
    size_t first, count;
};
struct sched_range sched_runs_between(const struct sched_spans *s, const struct sched_list *list,
                                      uint64_t from_ns, uint64_t to_ns);
struct sched_range sched_marks_between(const struct sched_spans *s, const struct sched_list *list,
                                       uint64_t from_ns, uint64_t to_ns);
/* The i-th of a list (i < list->count), valid until the next event. */
const struct sched_run *sched_run_at(const struct sched_spans *s, const struct sched_list *list,
                                     size_t i);
const struct sched_mark *sched_mark_at(const struct sched_spans *s, const struct sched_list *list,
                                       size_t i);
/* Which kept run began within SCHED_NEAR_NS of a time, the nearest, with its row. False: none did.
 */
enum { SCHED_NEAR_NS = 1000 };
bool sched_run_near(const struct sched_spans *s, uint64_t at_ns, struct sched_run *out);
/* The run that has not ended, as if it ended now; false when it does not run. */
bool sched_run_open(const struct sched_row *row, uint64_t now_ns, struct sched_run *out);

/* The start of the trace: when observation began, or the first event. */
static inline uint64_t sched_origin(const struct sched_spans *s)
{
    return s->begin_ns ? s->begin_ns : s->first_ns;
}

/* How long it could have run before it did, as far as is known. */
static inline uint64_t sched_run_wait(const struct sched_run *run)
{
    return run->ready_ns && run->ready_ns < run->start_ns ? run->start_ns - run->ready_ns : 0;
}

/* Events that the source lost, of all CPUs. */
uint64_t sched_lost(const struct sched_spans *s);

/* Statistics from now on (the key r). */
void sched_spans_reset(struct sched_spans *s, uint64_t now_ns);

/* "ran 3.521ms on CPU 2 after a wait of 80us" */
void sched_run_text(struct buf *out, const struct sched_run *run);

/* FORMATS 8: `pid name`, then ` per T | avg: T max: T`, ` per 1s | avg: T total: T` or ` total: T`.
 */
void sched_row_text(struct buf *out, const struct sched_row *row, const char *name,
                    uint64_t now_ns);
