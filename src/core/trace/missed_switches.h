/*
 * trace_proof: finds switches that the kernel left out. A record of the kernel names the task that
 * ran on its CPU when it was written. If that is not the task that was last switched to, a switch
 * between them is missing: there are kernels that leave some out, of the idle task and of others,
 * and count no loss. (A thread that takes over its process's number, as exec does, looks the same,
 * and gets the same answer.)
 */
#pragma once

#include "core/trace/decode.h"

/* Takes that pid runs on the CPU. True: a switch was left out, and *e, which has the record's time,
 * is made the event that the record proves: the pid's Run or, of an idle CPU, the other's Sleep;
 * SCHED_INFERRED. */
bool trace_infer_switch(struct trace_decoder *d, int cpu, int32_t pid, struct sched_event *e);

/* Sets the running task after a switch; clears it after a loss, when it is unknown. */
void trace_set_running(struct trace_decoder *d, int cpu, int32_t to);
void trace_clear_running(struct trace_decoder *d, int cpu);
