/*
 * sample: samples a process with all its threads, or all processes: a record at each tick of a
 * clock, or each time an event was counted so many times. It returns raw records in the layout of
 * perf events, whichever backend made them; core/perf/perfrec decodes them.
 *
 * Two ways to measure: perf events, or, where the kernel has none or forbids them, ptrace: running
 * threads are stopped for the time of a look at their registers. Each has a thread of its own while
 * it is open: one empties the kernel's rings into memory, the other is the tracer.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/perf/perfrec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLE_MAX_EVENTS = 8 };

enum sample_backend { SAMPLE_ANY, SAMPLE_PERF, SAMPLE_PTRACE };

/* What is sampled by. */
struct sample_event {
    char name[64]; /* as it was asked for, "sched:sched_switch" */
    uint32_t type; /* perf_event_attr's, as config */
    uint64_t config, config1, config2;
    uint64_t period; /* a sample each so many; 0: hz a second */
    bool clock;      /* counts nanoseconds */
    bool in_kernel;  /* happens in the kernel: its samples' pc is there, whether want.kernel or not;
                        the user part of the chain shows the cause */
    bool user, kernel; /* `:u', `:k' behind the name; then want.kernel and no_user do not count */
};

/*
 * cpu-clock task-clock cycles instructions cache-misses branch-misses page-faults
 * context-switches ..., GROUP:NAME of a tracepoint, rNNN, the PMU's own names of /sys
 * (PMU/NAME/, PMU/TERM=NUMBER,.../, NAME); `:u' or `:k' behind it.
 * How often: a clock by a fixed period, hz times a second; the kernel's own events (tracepoints,
 * faults, switches) each time, so that they add up; a counter of the processor's by a period that
 * the kernel steers to hz a second and each sample carries, or by its `period='.
 * -ENOENT with a hint when it is none of these here, -EINVAL when its terms are none, -EACCES when
 * tracepoints are hidden from us, -EOPNOTSUPP when the processor (or what it is emulated by)
 * cannot.
 */
int sample_event_find(const char *name, struct sample_event *out, struct fail *f);

/* An event that has a name here. Tracepoints are not among these. */
struct sample_listed {
    const char *name, *kind; /* "cycles", "hardware" */
    int err;                 /* 0, or the errno with which a sampling of ourselves is refused */
};
/* All of them, kind by kind. */
void sample_event_list(void (*emit)(void *arg, const struct sample_listed *e), void *arg);

struct sample_want {
    int pid;          /* 0: everything that runs, on every CPU that is online now; with
                         kernel, the idle task is pid 0 */
    const int *other; /* with pid: these processes, too; not by ptrace */
    size_t others;
    bool on_exec;         /* pid is a held child: start when it becomes the command */
    bool children;        /* also what it starts */
    bool kernel, no_user; /* also while the kernel runs for it; only then */
    bool chains;          /* with call chains by frame pointers, as the kernel walks them: on
                             32-bit ARM it expects the frames of old compilers (-mapcs-frame),
                             of others it gives the pc and at most one wrong caller */
    uint64_t registers;   /* and with these user registers, a bit each as linux/perf_regs.h of
                             the machine numbers them; 0: none */
    uint32_t stack_bytes; /* and with so much of the user stack, from its pointer up: a multiple
                             of 8 under 64 KB; 0: none. It becomes less with rings too small for
                             it, and the method says so */
    bool waits;           /* also a sample, of period 1, when a thread leaves its CPU, and a
                             PERFREC_SWITCH then and when it comes onto one; all samples carry
                             periods. Each of chains, registers and stack goes for both; without
                             chains such a sample's has its innermost user place alone. Linux 4.3;
                             not by ptrace */
    bool cgroups;    /* samples have the control group that the task is in, and a PERFREC_CGROUP
                        tells of each new group. Linux 5.7 with CONFIG_CGROUP_PERF; without
                        them, and by ptrace, samples have none */
    uint64_t hz;     /* samples a second of running time */
    uint64_t period; /* a sample each so many of the event (of a clock: ns), in the place of hz
                        and of the event's own; 0: those. Not by ptrace */
    const int *cpu;  /* what runs on these alone is sampled; none: on all. Not with waits, not
                        by ptrace */
    size_t cpus;
    struct sample_event event;       /* name "": cpu-clock */
    const struct sample_event *more; /* and by these, at the same time: a record's id says which;
                                        not with waits, not by ptrace */
    size_t mores;                    /* at most SAMPLE_MAX_EVENTS - 1 */
    enum sample_backend backend;
    size_t ring_bytes; /* a CPU, rounded to pages; made smaller when the kernel will not lock so
                          much; 0 = default */
};

struct sampler;

/* Of a running process perf events take a descriptor a thread and CPU, or two with waits; where the
 * limit (the hard one) has not so many, and the user may, one a CPU, and all records but those of
 * the processes are dropped: the method says so. Not with want.children. -EACCES or -EPERM with the
 * remedy, -ESRCH, -ENODEV and f: one of want.cpu is not online, -ENOSYS when the kernel has no perf
 * events, -EMFILE. SAMPLE_ANY takes perf events, else ptrace when it can do what is wanted. */
int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f);
void sample_close(struct sampler *s);

/* How it is measured, "perf cpu-clock"; the rate the kernel really gives, 0 by `period'; the layout
 * of records. */
const char *sample_method(const struct sampler *s);
uint64_t sample_hz(const struct sampler *s);
void sample_format(const struct sampler *s, struct perfrec_format *out);

/* Of several events: the rate of one of them, 0: want.event, then those of want.more; and which one
 * a sample's id is of. */
uint64_t sample_event_hz(const struct sampler *s, size_t event);
size_t sample_event_of(const struct sampler *s, uint64_t id);

/* Ready when there is something to read before the next round: *handles is the sampler's, n are
 * returned. */
size_t sample_handles(const struct sampler *s, const int **handles);

/* Where memory is so short that a ring holds few samples with want.stack_bytes of the stack, there
 * is a choice: how many bytes the short copies have; 0: there is none. */
uint32_t sample_short_stack(const struct sampler *s);

/* Copies are short from now on, or long again, as they are at first; samples in the rings are as
 * they were. A thread's (a CPU's) time from its last sample until then, less than a period, is in
 * no sample. sample_method says what is chosen. */
void sample_shorten_stack(struct sampler *s, bool to_short);

/* No more samples from now on; what the rings hold stays to be read. */
void sample_stop(struct sampler *s);

/* Hands every record now in the rings to take, ring by ring, each whole and in order within its
 * ring, and frees the room. The record's bytes are valid during the call only. */
void sample_read(struct sampler *s, void (*emit)(void *arg, const void *record, size_t len),
                 void *arg);

/* The same records, one behind the other, in *bytes, which is to be empty; its memory becomes the
 * sampler's, and perf events give theirs for it, so that no record is copied. perfrec_size walks
 * them. Where memory ends bytes->err is set. */
void sample_take(struct sampler *s, struct buf *bytes);

/* The records that found no place in the rings, by the kernel's own count; 0: it has none (perf
 * events before Linux 6.0). A record that says so comes only before the next one in its ring, and
 * so not of what was lost last. */
uint64_t sample_lost(const struct sampler *s);
