/*
 * stats_top: the processes that used most CPU time between two readings of all processes.
 *
 *     stats_top_begin(&t, clock_mono_ns());
 *     stats_top_add(&t, &process);              each one that there is
 *     stats_top_end(&t);
 *
 * A process that has ended has no row. One that began between the readings has all of its time;
 * time of its parent's other children is not its own. Memory: 32 bytes a process.
 */
#pragma once

#include "core/base/buf.h"
#include "core/stats/usage_times.h"

enum { STATS_TOP_MAX = 10, STATS_TOP_NAME = 64 };

struct json;
struct usage_process;

struct stats_process {
    int pid;
    char name[STATS_TOP_NAME]; /* any bytes, of a long one the first */
    char state;                /* R runs or could, S D sleep, T t are stopped, Z ended, ... */
    uint64_t cpu_ns;           /* between the readings */
    uint64_t threads, resident_bytes;
};

struct stats_top { /* starts as zeroes */
    struct usage_times times;
    struct stats_process process[STATS_TOP_MAX]; /* most CPU time first, then most memory */
    size_t count;
    size_t processes;  /* that the last reading found */
    uint64_t begun_ns; /* when it began */
    uint64_t span_ns;  /* since the reading before; 0: there was none */
    bool failed;       /* memory ended: some are missing */
};

void stats_top_begin(struct stats_top *t, uint64_t now_ns);
void stats_top_add(struct stats_top *t, const struct usage_process *p);
void stats_top_end(struct stats_top *t);
void stats_top_release(struct stats_top *t);

/* Of one CPU, in percent: 200 has used two CPUs all the time. */
double stats_top_pct(const struct stats_top *t, size_t i);

/* `213 processes, by CPU time over 1.00 s; 100% is one CPU', and a table of at most max rows.
 * Nothing before two readings. width: 0 any. */
void stats_top_text(const struct stats_top *t, size_t max, size_t width, struct buf *out);
/* Members of an open object: "processes":[{"pid":N,"program":NAME,"cpu_pct":P,"resident_bytes":N,
 * "threads":N,"state":S}, ...],"processes_read":N,"processes_span_s":S. None before two readings.
 */
void stats_top_json(const struct stats_top *t, struct json *j);
