/*
 * tracee_cpu: what a stopped thread of another process was doing, by its registers; one
 * implementation per processor. The thread is in a ptrace-stop of the calling thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACEE_REGISTERS = 33 };

struct tracee_regs {
    uint64_t pc, sp;
    uint64_t fp;     /* as a program with frame pointers keeps it */
    bool narrow;     /* a 32-bit program */
    bool in_call;    /* stopped at the exit of a system call, or about to repeat one */
    long call;       /* its number; -1: of another table than our own */
    int64_t result;  /* of a call that has returned */
    uint64_t arg[3]; /* arg[0] may hold the result: tracee_first_argument */
    uint64_t given;  /* which of reg have a value, a bit each; 0: none, of a 32-bit program
                      on a 64-bit processor */
    uint64_t reg[TRACEE_REGISTERS]; /* by the numbers of the machine's asm/perf_regs.h */
};

/* 0, or -errno: -ESRCH when it is gone. */
int tracee_regs_read(int tid, struct tracee_regs *out);

/* What a call that has returned was given as its first argument. */
int tracee_first_argument(int tid, const struct tracee_regs *r, uint64_t *out);

/*
 * A call that has returned is made to run again with these first three arguments. Where the kernel
 * decides about restarting behind the stop (tracee_kernel_restarts), it does so only when no
 * handler of a signal is to run, and returns EINTR otherwise, as the calls do that restart by
 * themselves. Elsewhere the program counter is set back.
 */
extern const bool tracee_kernel_restarts;
int tracee_repeat_call(int tid, const uint64_t arg[3]);

/* Gives a call its result, and its arguments' registers what they held before. undo: it was to run
 * again, and shall not. */
int tracee_set_result(int tid, int64_t result, const uint64_t arg[3], bool undo);

/* Copies memory of the thread's process from address up, as far as it can be read and most reaches.
 * Returns how many bytes. */
size_t tracee_copy(int tid, uint64_t address, void *to, size_t max_bytes);

/* Memory of the thread's process, a page at a time. */
struct tracee_memory {
    int tid;
    uint64_t address; /* of bytes */
    size_t len;
    uint8_t bytes[4096];
};
bool tracee_read_word(struct tracee_memory *m, uint64_t address, size_t bytes, uint64_t *out);

/* From the frame at *fp to the one that called it: false at the end, or when it is none. *pc is the
 * return address. */
bool tracee_caller_frame(struct tracee_memory *m, bool narrow, uint64_t *fp, uint64_t *pc);
