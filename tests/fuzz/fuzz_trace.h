/*
 * fuzz_trace: what the fuzz targets of tracing share: a decoder that knows formats, and what holds
 * of any timeline.
 */
#pragma once

#include "core/timeline/timeline_model.h"
#include "core/trace/decode.h"

#include <stdlib.h>
#include <string.h>

#define FUZZ_COMMON                                                                                \
    "format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *const fuzz_formats[] = {
    "name: sched_switch\nID: 1\n" FUZZ_COMMON
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
    "print fmt: prev_state { 0x1, \"S\" }, { 0x2, \"D\" }, { 0x10, \"X\" }, { 0x20, \"Z\" })",
    "name: sched_wakeup\nID: 2\n" FUZZ_COMMON
    "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n",
    "name: sched_migrate_task\nID: 3\n" FUZZ_COMMON
    "\tfield:__data_loc char[] comm;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
    "\tfield:int prio;\toffset:16;\tsize:4;\tsigned:1;\n"
    "\tfield:int orig_cpu;\toffset:20;\tsize:4;\tsigned:1;\n"
    "\tfield:int dest_cpu;\toffset:24;\tsize:4;\tsigned:1;\n",
    "name: sched_process_exec\nID: 4\n" FUZZ_COMMON
    "\tfield:__rel_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n",
    "name: print\nID: 5\n" FUZZ_COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
    "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n",
    "name: irq_handler_entry\nID: 6\n" FUZZ_COMMON
    "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n",
};

static inline void fuzz_trace_decoder(struct trace_decoder *d, struct sched_names *names)
{
    trace_decoder_init(d, names);
    for (size_t i = 0; i < sizeof fuzz_formats / sizeof *fuzz_formats; i++)
        if (trace_decoder_learn(d, fuzz_formats[i], strlen(fuzz_formats[i])) < 0)
            abort();
}

/* Runs and marks of all rows are within the store; what lies between two times is where a walk
 * finds it. */
static inline void fuzz_trace_check(const struct sched_spans *s)
{
    size_t runs = 0;
    for (size_t i = 0; i < s->rows; i++) {
        const struct sched_row *row = s->row[i];
        for (size_t j = 0; j < row->runs.count; j++) {
            const struct sched_run *run = sched_run_at(s, &row->runs, j);
            if (run->row != row || run->end_ns <= run->start_ns)
                abort();
        }
        for (size_t j = 0; j < row->marks.count; j++) {
            const struct sched_mark *m = sched_mark_at(s, &row->marks, j);
            if (m->row != row || (j && m->time_ns < sched_mark_at(s, &row->marks, j - 1)->time_ns))
                abort();
        }
        struct sched_range r = sched_runs_between(s, &row->runs, s->first_ns, s->last_ns);
        if (r.count && r.first + r.count > row->runs.count)
            abort();
        runs += row->runs.count;
    }
    if (runs > s->run.count || s->run.count > s->limits.runs)
        abort();
}
