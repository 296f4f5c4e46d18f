/*
 * sample_ptrace: sampling where perf events are missing or forbidden. A thread of ours, the tracer,
 * seizes the target's threads; at each tick of its timer it stops those that are running, looks at
 * their registers and lets them go on. Threads that sleep are left alone.
 *
 * It is a thread and no part of the caller's loop, since the target is stopped until its signals,
 * clones and execs are answered; and since a tracer that exits lets go of threads that run or
 * sleep, which PTRACE_DETACH alone cannot: it requires them to be stopped.
 *
 *   sample_ptrace.c          the sampler of plat/sample.h: starts and ends the tracer
 *   sample_ptrace_tracer.c   its loop: waits, ticks
 *   sample_ptrace_threads.c  the threads it follows; attaching to a process
 *   sample_ptrace_tick.c     which threads run
 *   sample_ptrace_stops.c    what a stop means, and how the thread goes on
 *   sample_ptrace_peek.c     a sample of a stopped thread
 *   sample_ptrace_maps.c     executable mappings
 *   sample_ptrace_records.c  records in perf's layout, passed to the caller
 *   ARCH/tracee.c            registers
 */
#pragma once

#include "core/base/buf.h"
#include "core/procfs/proc_stat.h"
#include "perf/sampler.h"
#include "restart.h"
#include "threads.h"
#include "ticker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

enum { PTRACE_MAX_HZ = 1000, PTRACE_MAX_CHAIN = 127 };

/* With all else a record has to stay below 64 KB. */
enum { PTRACE_MAX_STACK = 65536 - 1024 };

/* --- records --- */

/* Written by the tracer, read by the sampler's user. What does not fit is counted. */
struct ptrace_records {
    pthread_mutex_t lock;
    struct buf filling, reading;
    size_t max_bytes;
    uint64_t fields;    /* enum perfrec_field, that samples have */
    uint64_t registers; /* of PERFREC_REGS_USER: a bit a register */
    uint64_t lost;
    int ready[2]; /* a pipe; a byte in it: half full, or nothing more will come */
};

struct ptrace_mapping {
    uint64_t start, end, file_offset, inode;
    uint32_t major, minor;
};

int ptrace_records_init(struct ptrace_records *r, size_t max_bytes);
void ptrace_records_release(struct ptrace_records *r);
void ptrace_records_wake(const struct ptrace_records *r);
void ptrace_records_read(struct ptrace_records *r, void (*emit)(void *, const void *, size_t),
                         void *arg);

struct ptrace_ids {
    int pid, tid;
};
/* Of a thread's look; what the records' fields do not name is left out. */
struct ptrace_sample {
    uint64_t pc;
    uint64_t period_ns;    /* the time that it represents: several periods for a late tick */
    const uint64_t *chain; /* addresses innermost first; chain_len 0: none */
    size_t chain_len;
    const uint64_t *reg;  /* by perf's numbers; NULL: it has none */
    bool narrow;          /* they are of 32 bits */
    const uint8_t *stack; /* from its pointer up */
    size_t stack_len;     /* PTRACE_MAX_STACK at most */
};
void ptrace_record_sample(struct ptrace_records *r, struct ptrace_ids ids,
                          const struct ptrace_sample *sample);
void ptrace_record_comm(struct ptrace_records *r, struct ptrace_ids ids, const char *name,
                        bool exec);
void ptrace_record_fork(struct ptrace_records *r, struct ptrace_ids ids, struct ptrace_ids parent);
void ptrace_record_exit(struct ptrace_records *r, struct ptrace_ids ids);
void ptrace_record_map(struct ptrace_records *r, struct ptrace_ids ids,
                       const struct ptrace_mapping *map, const char *path);

/* --- threads that the tracer follows --- */

/* CPU time of a process or thread. Its file `stat' splits it into user and kernel mode, in steps of
 * 10 ms; it is read now and then. */
struct traced_time {
    uint64_t cpu_ns;       /* at the last tick; 0: not known yet */
    int64_t credit_ns;     /* user time not yet represented by a sample */
    unsigned user_pct;     /* this share of CPU time, as between the last two readings of `stat' */
    bool stat_known;       /* it was read: */
    struct proc_stat stat; /* its values, */
    uint64_t stat_cpu_ns;  /* the CPU time then, */
    int64_t credited_ns;   /* and the credit given since */
};

struct traced_sizes { /* of memory, in pages; 0: not known */
    uint64_t all, data;
};

struct traced_process {
    int pid;
    bool started;            /* it is what is to be sampled: a held child is not until its exec */
    bool ran;                /* since the last tick */
    clockid_t clock;         /* -1: none */
    struct traced_time time; /* by that clock */
    size_t threads;
    struct ptrace_mapping *map; /* executable, in order */
    size_t maps;
    bool is_pc_unmapped;       /* nor did reading them anew tell where its code runs */
    uint64_t maps_ns;          /* when they were read */
    long code_kb;              /* of libraries, by its status, when they were read; -1: not known */
    int statm_fd;              /* /proc/PID/statm; -1: not kept open */
    struct traced_sizes sizes; /* by that, at the last look */
};

struct tracee {
    int tid;
    struct traced_process *process; /* NULL: none of ours, and let go at its first stop */
    int call_fd, sched_fd;          /* /proc/.../syscall and schedstat; -1: not kept open */
    bool is_interrupting;           /* PTRACE_INTERRUPT was sent */
    uint64_t interrupt_ns;          /* since then */
    unsigned due;                   /* ticks that the next look represents */
    struct traced_time time;        /* by its `schedstat' */
    uint64_t samples;
    struct restart restart;
    char name[16];
};

static inline struct ptrace_ids ids_of_tracee(const struct tracee *x)
{
    return (struct ptrace_ids){x->process->pid, x->tid};
}

/* What was done, for measuring. */
struct ptrace_counts {
    uint64_t ticks, missed;           /* missed: came too late, their weight is the next one's */
    uint64_t interrupts, samples;     /* stops asked for; those found in user code */
    uint64_t weights, weight_squares; /* of those looks: the periods that each represents */
    uint64_t in_call;                 /* found in a system call */
    uint64_t calls_repeated,
        eintr_kept;          /* EINTR taken back; left standing, as it could not safely be */
    uint64_t writes_resumed; /* writes that were cut short, and went on */
    uint64_t stop_ns;        /* from asking to going on, in all */
    uint64_t sample_ns;      /* of them: looking, while the thread is stopped */
    uint64_t stack_bytes;    /* copied, in all */
};

struct tracer {
    struct sample_want want;
    uint64_t period_ns, start_ns, ticks_done;
    unsigned stride;                 /* the timer ends each so many periods */
    uint64_t cpu_checked_ns, own_ns; /* when its own cost was looked at, and that CPU time */
    bool own_child;                  /* want.pid is our child: its end is left to plat/child.h */
    bool has_ended;                  /* no thread is left */
    bool polls_each; /* each thread is asked by its id: before Linux 4.7, or when its leader has
                        ended */
    struct threads threads; /* of struct tracee */
    size_t open_files;
    size_t first; /* the thread that the next tick begins with: behind the first that had a look */
    struct traced_process **process;
    size_t processes, process_cap;
    size_t interrupts_pending; /* threads */
    atomic_bool stop;
    struct ticker ticker;
    uint8_t *stack; /* PTRACE_MAX_STACK: of the thread that is looked at; NULL: not wanted */
    struct ptrace_records *records;
    struct ptrace_counts counts;
};

/* sample_ptrace_threads.c */
struct traced_process *tracer_process(struct tracer *t, int pid); /* found or made; NULL: memory */
struct tracee *tracer_add(struct tracer *t, int tid, struct traced_process *of);
void tracer_set_process(struct tracee *x, struct traced_process *of);
void tracer_remove(struct tracer *t, struct tracee *x);
void tracer_release(struct tracer *t);
/* Seizes every thread of want.pid. */
int tracer_attach(struct tracer *t, struct fail *f);

/* sample_ptrace_tick.c */
void tracer_tick(struct tracer *t, unsigned due);
/* The look at a stopped thread that was asked gives no sample. */
void tracer_undo_charge(const struct tracer *t, struct tracee *x);

/* sample_ptrace_stops.c: what wait4 reported of a thread. */
void tracer_on_wait_status(struct tracer *t, int tid, int status);
void tracer_count_restart(struct tracer *t, enum restart_result done);

/* sample_ptrace_peek.c */
void tracer_sample(struct tracer *t, struct tracee *x);
void tracer_update_comm(struct tracer *t, struct tracee *x, bool exec);

/* sample_ptrace_maps.c: new mappings become records, unless quiet. */
void traced_maps_read(struct tracer *t, struct traced_process *p, bool quiet);
/* At a look at a thread that runs at pc, after its stack was copied. */
void traced_maps_update(struct tracer *t, struct traced_process *p, uint64_t pc);
int traced_maps_copy(struct traced_process *to, const struct traced_process *from);

/* sample_ptrace_tracer.c: the thread's life behind the attach; returns when all is over. */
void tracer_run(struct tracer *t);

/* For tests and measurements: a copy. */
void ptrace_sampler_counts(const struct sampler *s, struct ptrace_counts *out);
