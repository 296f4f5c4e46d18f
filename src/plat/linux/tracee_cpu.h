/*
 * tracee_cpu: what a stopped thread of another process was doing, by its registers; one
 * implementation a folder. The thread is in a ptrace-stop of the calling thread.
 */
#ifndef PSUITE_LINUX_TRACEE_CPU_H
#define PSUITE_LINUX_TRACEE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracee_regs {
    uint64_t pc, sp;
    uint64_t fp;      /* as a program with frame pointers keeps it */
    bool narrow;      /* a 32-bit program */
    bool in_call;     /* stopped on its way out of a system call, or about to repeat one */
    bool first_known; /* arg[0] is what the call was given, not overwritten by its result */
    long call;        /* its number; -1: of another table than our own */
    int64_t result;   /* of a call that has returned */
    uint64_t arg[6];
};

/* 0, or -errno: -ESRCH when it is gone. */
int tracee_regs_read(int tid, struct tracee_regs *out);

/*
 * A call that returned EINTR is made to run again. Where the kernel decides about restarting behind
 * the stop (tracee_kernel_decides), the call is restarted only when no handler of a signal runs,
 * and returns EINTR otherwise, as the calls do that restart by themselves. Elsewhere the program
 * counter is set back, and tracee_call_interrupt takes it back when a handler runs after all.
 */
extern const bool tracee_kernel_decides;
int tracee_call_again(int tid, uint64_t first_arg);
int tracee_call_interrupt(int tid);

/* Memory of the thread's process, a page at a time. */
struct tracee_memory {
    int tid;
    uint64_t at; /* of bytes */
    size_t len;
    uint8_t bytes[4096];
};
bool tracee_word(struct tracee_memory *m, uint64_t address, size_t bytes, uint64_t *out);

/* From the frame at *fp to the one that called it: false at the end, or when it is none. *pc is the
 * return address. */
bool tracee_caller(struct tracee_memory *m, bool narrow, uint64_t *fp, uint64_t *pc);

#endif
