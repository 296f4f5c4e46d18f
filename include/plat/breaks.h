/*
 * breaks: runs a command, and stops its threads at breakpoints and, where that is wanted, behind
 * every instruction. All its processes and threads are followed: forks, whose memory has the same
 * breakpoints, and execs, whose memory has none.
 *
 *     struct breaks_callbacks to = {.started = ..., .reached = ..., .stepped = ...};
 *     breaks_command(argv, &to, &b, &f)
 *     breaks_run(b, &end, &f)                     calls these until nothing of the command is left
 *     breaks_free(b)
 *
 * A breakpoint stays in the code: the instruction that it covers is executed in a slot
 * (core/insn/displaced.h). So a thread never passes one while another is stopped there. The
 * program notices none of it, unless it reads its own code, looks for a tracer, or traces its
 * children itself. No breakpoint outlives us: whatever is traced is killed when we are
 * (PTRACE_O_EXITKILL), so that only what psuite started may have one.
 *
 * An atomic sequence of arm64, from a load-exclusive to its store-exclusive, is executed in a copy
 * (core/insn/exclusive.h) when it is stepped: its steps are reported at its end, without attempts
 * whose store failed.
 *
 * 32-bit ARM has no single step: each instruction is executed in a slot, or done on the registers
 * (core/insn/arm_step.h). One whose condition does not hold has not been executed, and is not
 * reported. Bit 0 of addresses of code, of breakpoints and in stops, says that they are T32, as it
 * does in pointers to functions and return addresses.
 *
 * Programs that others start are followed as well, those that the caller wants:
 *
 *     struct breaks_callbacks to = {.wanted = ..., and the others};
 *     breaks_follow(&to, &b, &f)
 *     breaks_add(b, pid, &f)                      a process that is held before its exec
 *     breaks_attend(b, handle)                    calls these until the handle has something to say
 *     breaks_leave(b)                             the programs go on alone
 *     breaks_free(b)
 *
 * A process that runs already is attached to, and has no breakpoints at all: each of its threads is
 * stepped, wherever it is, and breaks_set and breaks_reserve do nothing there. What it forks is not
 * followed, nor what it executes in its own place. When we are killed it goes on: a step that was
 * begun then ends in SIGTRAP, of which the process has a handler meanwhile that does nothing, made
 * of code that it has anyway. One that handles SIGTRAP itself keeps its own.
 *
 * In all callbacks the thread is stopped, and only it; the memory of its process may be changed by
 * others. The thread that called breaks_command or breaks_follow must call everything
 * else.
 */
#pragma once

#include "core/base/fail.h"
#include "plat/child.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct breaks;       /* opaque */
struct breaks_image; /* the memory of a process, with its breakpoints: opaque */
struct tracee;       /* a thread with its registers: opaque */

/* How a thread goes on. */
enum breaks_next {
    BREAKS_RUN,  /* to the next breakpoint */
    BREAKS_STEP, /* one instruction */
};

struct breaks_stop {
    struct breaks_image *image;
    int pid; /* some process that has this memory: for /proc/PID/maps and the like */
    int tid;
    uint64_t pc;           /* where it goes on */
    uint64_t from;         /* of stepped: the instruction that was executed */
    struct tracee *tracee; /* of the implementation */
};

struct breaks_callbacks {
    void *arg;
    /* Whether the program that a process has just begun to execute gets breakpoints. NULL: each. */
    bool (*wanted)(void *arg, int pid);
    /* An image is there; none of its instructions has been executed yet. copied is NULL after an
     * exec; else what a fork copied, whose breakpoints it has, and there is no need to set any. The
     * result is how an exec goes on. */
    enum breaks_next (*started)(void *arg, const struct breaks_stop *s,
                                const struct breaks_image *copied);
    /* The last process with this memory has ended, or executes something else. */
    void (*ended)(void *arg, struct breaks_image *image);
    /* A thread has reached a breakpoint: its instruction has not been executed. */
    enum breaks_next (*reached)(void *arg, const struct breaks_stop *s);
    /* It has executed the one instruction. pc == from: a jump to itself, or one repetition of an
     * x86 string instruction. Without this callback BREAKS_STEP must not be returned. */
    enum breaks_next (*stepped)(void *arg, const struct breaks_stop *s);
    /* A thread has come to pc in another way than by an instruction that was reported: it is new,
     * or a handler of a signal begins while it was stepped. NULL: it runs. */
    enum breaks_next (*moved)(void *arg, const struct breaks_stop *s);
};

/*
 * Starts the command, held before its exec. argv must outlive it. It has our standard streams,
 * directory, terminal and process group. Signals to psuite are handed on to it.
 */
int breaks_command(char *const argv[], const struct breaks_callbacks *callbacks,
                   struct breaks **out, struct fail *f);
/* Lets it go, and reports until nothing of it is left. 0, or -ENOENT, -EACCES, ...: it could not be
 * executed. */
int breaks_run(struct breaks *b, struct child_end *end, struct fail *f);
/* How often a thread ran on at full speed where it should have been stepped: an instruction is not
 * known, or no memory for its slot was free. */
size_t breaks_lost(const struct breaks *b);
void breaks_free(struct breaks *b);

/*
 * Follows processes that it is given, and all that they start. A program that is wanted has an
 * image, and is killed when we are. The others are stopped at their forks and execs alone, and live
 * on without us. This process has no other children.
 */
int breaks_follow(const struct breaks_callbacks *callbacks, struct breaks **out, struct fail *f);
/* Follows a process that executes no program that is wanted yet: one that is held before its exec.
 * -EPERM, -ESRCH. */
int breaks_add(struct breaks *b, int pid, struct fail *f);
/* Attaches to a process, and calls `started' with its first thread that stopped. -EPERM, -ESRCH;
 * -ENOTSUP: not on this processor, or its code cannot end a handler of a signal; -EBUSY: it is
 * stopped. After a failure nothing but breaks_leave may be called. */
int breaks_attach(struct breaks *b, int pid, struct fail *f);
/* Reports, until the handle has something to say or its other end is gone. */
void breaks_attend(struct breaks *b, int handle);
/*
 * Takes back all breakpoints, and lets everything go, where and as it is; an instruction that is
 * being executed is reported yet. The memory of the slots stays mapped. A process whose first
 * thread has ended before the others cannot be let go, or it would be killed with us: it goes on
 * without breakpoints, and breaks_outlast waits for its end.
 */
void breaks_leave(struct breaks *b);
void breaks_outlast(struct breaks *b);

/* What the caller keeps with an image, NULL in the beginning. */
void breaks_set_data(struct breaks_image *image, void *data);
void *breaks_data(const struct breaks_image *image);

/*
 * Makes memory for the slots of `points' breakpoints, in the memory of the stopped thread's
 * process, within reach of the code that is mapped at [start, end). In callbacks alone. -ENOMEM:
 * there is no free space near.
 */
int breaks_reserve(const struct breaks_stop *s, uint64_t start, uint64_t end, size_t points);

/* Sets a breakpoint at the instruction at an address; one that is there already is no error.
 * -ENOSPC: nothing that was reserved is near and free; -ENOTSUP: the instruction cannot be executed
 * elsewhere; -EFAULT: no such memory. */
int breaks_set(struct breaks_image *image, uint64_t address);
bool breaks_is_attached(const struct breaks_image *image);
bool breaks_is_set(const struct breaks_image *image, uint64_t address);

/* Memory of the process as it is, with breakpoints. -EFAULT. */
int breaks_peek(const struct breaks_image *image, uint64_t address, void *to, size_t len);

/* --- what the stopped thread is doing --- */

/* Its first four arguments, when it is stopped at a function's first instruction: registers, by the
 * calling convention. */
int breaks_arguments(const struct breaks_stop *s, uint64_t out[4]);
/* The same of a function's return address. */
int breaks_return_address(const struct breaks_stop *s, uint64_t *address);
/* What a function returned, at its return address. */
int breaks_result(const struct breaks_stop *s, uint64_t *value);
/* The stack pointer: at a return address it is above what it was at the function's first
 * instruction (x86-64) or the same (ARM). */
int breaks_stack(const struct breaks_stop *s, uint64_t *sp);

/* The registers of a mask that it has now, in the order of the bits, which are those of the
 * machine's linux/perf_regs.h. */
int breaks_registers(const struct breaks_stop *s, uint64_t mask, uint64_t *out);
