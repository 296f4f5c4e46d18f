/*
 * trace_decode: converts the kernel's tracepoints to the scheduler's events: sched_switch,
 * sched_wakeup, sched_wakeup_new, sched_migrate_task, sched_process_fork and _exec, interrupts,
 * softirqs, system calls and what was written into trace_marker.
 *
 * A switch gives two events: how the previous task leaves (Sleep, Slice, Dead), and Run of the next
 * one; the idle task gives none. A switch that is missing from the trace gives one inferred event,
 * at the time of the record that proves it: Run of the next task, or Sleep of the previous one. A
 * task's policy is known as far as its priority shows: deadline, real time (as FIFO), or other.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/trace/event.h"
#include "core/trace/page.h"
#include "core/trace/task_names.h"

typedef void sched_emit_fn(void *arg, const struct sched_event *e);

enum { TRACE_POINTS_MAX = 16, TRACE_USED_MAX = 8, TRACE_CPUS_MAX = 4096 };

struct trace_decoder;
struct trace_point {
    void (*decode)(struct trace_decoder *d, const struct trace_point *p,
                   const struct trace_record *r);
    uint32_t id, detail;
    struct trace_field used[TRACE_USED_MAX];
    struct trace_state state[TRACE_STATES_MAX];
    size_t states;
};

struct trace_decoder {
    struct sched_names *names;
    struct trace_page_layout layout;     /* the caller's to set, where there are pages */
    struct trace_field type, pid, flags; /* common_... */
    struct trace_point point[TRACE_POINTS_MAX];
    size_t points;
    struct imap functions;                  /* by an event's number: 2 * its function's text + 1 of
                                               the exit */
    uint64_t unknown, damaged;              /* records of other tracepoints; pages */
    bool (*is_compat)(const char *program); /* of a program that starts, the caller's to set: it is
                                               a 32-bit one on a 64-bit machine; NULL: none is */
    sched_emit_fn *emit;                    /* while decoding */
    void *arg;
    struct sched_event next;          /* with what is common to all of a record */
    uint32_t running[TRACE_CPUS_MAX]; /* by CPU, a pid + 1; 0: not known */
};

void trace_decoder_init(struct trace_decoder *d, struct sched_names *names);

/* The tracepoints there are to know, "sched/sched_switch", in the order in which they are to be
 * asked for; NULL after the last. group: of TRACE_SCHED and so on. */
enum trace_group { TRACE_SCHED, TRACE_MARKS, TRACE_INTERRUPTS, TRACE_CALLS };
const char *trace_point_path(size_t i, enum trace_group *group);

/* Learns one by its format file. -EINVAL: that is none, or lacks a field; -ENOENT: of a tracepoint
 * that is not known. */
int trace_decoder_learn(struct trace_decoder *d, const char *format, size_t len);

/* Learns the event of a probe of a function's entry or exit, by its format file. text: the number
 * of its name (sched_names_add_text). -EINVAL, -ENOMEM. */
int trace_decoder_learn_function(struct trace_decoder *d, uint32_t text, bool exit,
                                 const char *format, size_t len);
void trace_decoder_release(struct trace_decoder *d);

/* All events of a page of this CPU, in order, a SCHED_LOST before them where some are missing. */
void trace_decode_page(struct trace_decoder *d, int cpu, const uint8_t *page, size_t len,
                       sched_emit_fn *emit, void *arg);
/* The same of perf's record of a sample (of time, CPU and raw bytes, in this order) or of lost ones
 * (which ends with a time and a CPU); others are passed over. */
void trace_decode_sample(struct trace_decoder *d, int cpu, const uint8_t *record, size_t len,
                         sched_emit_fn *emit, void *arg);
/* The same of one record. */
void trace_decode_record(struct trace_decoder *d, int cpu, const struct trace_record *r,
                         sched_emit_fn *emit, void *arg);
