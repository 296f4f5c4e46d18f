/*
 * trace: the kernel's tracepoints, by tracefs: a private tracing instance (instances/psuite-PID)
 * with only those events on that are asked for, read as raw pages. Pages and format files are
 * returned as they are: core/trace/decode knows what they mean.
 *
 * Where tracefs is not mounted, root has it by a private mount, of which nothing stays behind.
 * Where it can be read but not written, or memory is too short for an instance, perf's events of
 * the same tracepoints: without marks.
 *
 * The instance goes with trace_close; one whose process is gone is removed at the next trace_open.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace;

enum { TRACE_BUFFER_BYTES = 8 << 20 }; /* a CPU, at most; also the default, on a large machine */

/* Nothing is traced yet. buffer_bytes: a CPU, 0 for the default: as core/perf/buffers.h decides by
 * the memory that is free. -EACCES or -EPERM with the remedy; -ENODEV: no tracefs; -ENOMEM: too
 * little memory is free, f says how much is needed. */
int trace_open(size_t buffer_bytes, struct trace **out, struct fail *f);
/* -ESRCH: a process of the trace was killed, as when memory runs out. What was read is complete. */
int trace_close(struct trace *t, struct fail *f);

/* "tracefs", "perf tracepoints", with a note on rings that are smaller than usual. */
const char *trace_method(const struct trace *t);
bool trace_has_pages(const struct trace *t); /* else what is read are perf's records */
size_t trace_buffer_bytes(const struct trace *t);

/* The text of events/NAME: "header_page", or of events/GROUP/POINT/format for "GROUP/POINT".
 * -ENOENT: this kernel has none. */
int trace_text(struct trace *t, const char *name, struct buf *out);

/* Whether the events name processes by the numbers that this process knows them by: not in a pid
 * namespace, as containers have, of which the kernel's tracing knows nothing. */
bool trace_names_ours(void);

/* Asks for a tracepoint's events, "GROUP/POINT". */
int trace_enable(struct trace *t, const char *name, struct fail *f);

/*
 * Probes of the kernel's functions, by kprobes: events of a group of this trace's own. Function i
 * has an entry `e...' with the fields a1, a2 and so on, its first arguments, and an exit `x...'
 * with the field r, what it returned. The text that argument 2 points to is the field s2, and that
 * of what was returned s1. The kernel's list of such definitions is one for all of tracing: ours
 * are removed by trace_close, and however this process ends.
 *
 * Defines those of n places, as kprobes have them: `_text+0x1c0' in the kernel, `MODULE:FUNCTION'
 * in a module. Some the kernel refuses: their events are not there (trace_text: -ENOENT). All are
 * enabled together by trace_enable of the group. -EOPNOTSUPP: this trace is none of tracefs, or the
 * kernel has no kprobes; -EPERM: the kernel is locked down.
 */
enum { TRACE_PROBE_NAME_BYTES = 96 };
struct trace_probed {
    const char *place;
    unsigned args;  /* how many are recorded, at most trace_probe_args() */
    unsigned texts; /* bit I: argument I + 1 points to a text */
    bool returns_text;
};
int trace_probe(struct trace *t, const struct trace_probed *probe, size_t n, struct fail *f);
/* Probes of n system calls for the texts among their arguments, which tracepoints do not have.
 * place: the name in syscalls/sys_enter_NAME; of args and returns_text nothing is used. Where call
 * i begins, the entry i has the fields a1 and s1, a2 and s2 and so on, of the texts alone: the
 * address and what was there. The exit n is one for all: a1 and s1 are where a path was, and the
 * kernel's own copy, which it works with. Errors as of trace_probe. */
int trace_probe_call_texts(struct trace *t, const struct trace_probed *call, size_t n,
                           struct fail *f);
/* Arguments that are in registers on this processor. */
unsigned trace_probe_args(void);
/* The types of the kernel, or of a module, as the kernel has them (BTF). -ENOENT: it has none. */
int trace_types(const char *module, struct buf *out);
/* Every event is followed by ftrace/kernel_stack: the functions that led there. */
int trace_stacks(struct trace *t, struct fail *f);
const char *trace_probe_group(struct trace *t, char out[TRACE_PROBE_NAME_BYTES]);
/* "GROUP/NAME" of an event. */
const char *trace_probe_name(struct trace *t, size_t i, bool exit,
                             char out[TRACE_PROBE_NAME_BYTES]);
/* How often they were hit so far, by the kernel's count, whoever ran; and how often they were not
 * recorded for want of kretprobes' memory or within another probe. */
struct trace_probe_counts {
    uint64_t entries, exits, missed;
};
void trace_probe_count(struct trace *t, struct trace_probe_counts *out);

/*
 * Calls of a function of the kernel and of all below it, by the tracer function_graph: a trace
 * whose pages have the events ftrace/funcgraph_entry and _exit, and nothing else. Where kernels
 * have this tracer for the whole machine only (before 6.11), tracefs' own buffers are used; all
 * settings are restored by trace_close, and however this process ends. -EOPNOTSUPP: the kernel has
 * no such tracer; -EBUSY: another program uses it; -EINVAL: it cannot trace this function.
 */
int trace_graph_open(const char *function, size_t buffer_bytes, struct trace **out, struct fail *f);

/* Times of events are those of the processor's counter, where the kernel can (x86), and true;
 * else ns of the clock that nobody adjusts. Before trace_start. */
bool trace_use_ticks(struct trace *t);

/* Only events of these threads, and of what they start from here on. -EOPNOTSUPP where events have
 * other numbers (trace_names_ours), or the trace is none of tracefs. */
int trace_only(struct trace *t, const int *pid, size_t n, struct fail *f);

/* This process, as events know it; 0: not known. */
int trace_own_pid(void);

int trace_start(struct trace *t, struct fail *f);
/* From here to trace_stop this process comes before ordinary ones, if it may, but not what it
 * starts: it has to read before the buffers are full, on a machine however busy. It runs as
 * SCHED_RR, below all others of real time; where that is refused, at nice -15, which counts only
 * among the processes of its session where the kernel has autogroups. */
void trace_raise_priority(struct trace *t);
void trace_stop(struct trace *t); /* what is in the buffers stays to be read */

/* Hands every page, or perf's record (of its time, CPU and raw bytes), now there to take, CPU by
 * CPU, whose bytes are valid during the call only, at most a buffer's worth of each CPU. Behind a
 * page may be the number of events that were lost before it (core/trace/page.h). Returns the most
 * bytes that one CPU had: its buffer's worth means that there may be more. */
size_t trace_read(struct trace *t,
                  void (*emit)(void *arg, int cpu, const uint8_t *page, size_t len), void *arg);

/* How a task of the deadline policy runs; -errno when it is none. */
struct trace_deadline {
    uint64_t runtime_ns, deadline_ns, period_ns;
};
int trace_deadline(int pid, struct trace_deadline *out);

/* Writes a text, as a User event of ours, into every psuite's trace that runs; how many those are,
 * or -errno. */
int trace_mark(const char *text, struct fail *f);
