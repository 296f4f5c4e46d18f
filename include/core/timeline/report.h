/*
 * sched_report: prints a timeline as text and JSON: one row per task, one row per CPU, histograms
 * of latency, delays, one line per event.
 */
#pragma once

#include "core/text/report_fit.h"
#include "core/timeline/delays.h"
#include "core/timeline/timeline_model.h"
#include "core/trace/task_names.h"

struct json;

struct sched_report {
    const struct sched_spans *spans;
    const struct sched_names *names;
    const char *method;
    uint64_t begin_ns, end_ns;         /* of the observation */
    uint64_t lost, losses;             /* events, and places where events were lost */
    struct report_size size;           /* of the text; rows: tasks, those that ran longest */
    const struct sched_delays *delays; /* after sched_delays_end; NULL: not asked for */
};

/* Tasks and CPUs. Columns: pid, name, runs, run ms; of the time from woken to running the number,
 * min, median, p99 and max in microseconds, and when that was, in seconds from the beginning;
 * sleeps, how often preempted, by whom most, migrations. */
void sched_report_summary(const struct sched_report *r, struct buf *out);
/* Of all tasks together, and of those with most wake-ups: SCHED_HISTOGRAMS, or rows. Text that does
 * not fit size is cut as core/text/report_fit.h says; columns for which it is too narrow are named
 * below the table. */
enum { SCHED_HISTOGRAMS = 4 };
void sched_report_latency(const struct sched_report *r, struct buf *out);
/* A row for each delay, the longest first: the time at which it ended in seconds from the
 * beginning, how late in milliseconds, what, on which CPU, which task, and who ran there. */
void sched_report_delays(const struct sched_report *r, struct buf *out);
/* All of these as members of an object that is open. */
void sched_report_json(const struct sched_report *r, struct json *j);

/* `SECONDS CPU PID NAME KIND ...`, the time from begin_ns on, with what the kind adds. */
void sched_report_event(const struct sched_names *names, uint64_t begin_ns,
                        const struct sched_event *e, struct buf *out);
/* The same as one JSON object and a newline. */
void sched_report_event_json(const struct sched_names *names, const struct sched_event *e,
                             struct buf *out);
