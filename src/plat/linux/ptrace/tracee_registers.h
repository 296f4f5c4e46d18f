/*
 * tracee_registers: the registers of a stopped thread, read once, when one is asked for, and
 * written once, before it goes on. Each request of ptrace costs about a tenth of a stop.
 *
 *     struct tracee t = {.tid = tid};            at its stop
 *     tracee_hold(&t) == 0                       t.user is there; whoever changes it sets
 * is_changed tracee_go(&t, PTRACE_CONT, 0);
 */
#pragma once

#include "tracee_cpu.h"

#include <stdbool.h>
#include <sys/user.h>

#ifdef __arm__
typedef struct user_regs tracee_user;
#else
typedef struct user_regs_struct tracee_user;
#endif

struct tracee {
    int tid;
    bool is_held, is_changed;
    tracee_user user;
};

/* 0 or -errno; -ENOTSUP: of a 32-bit program on arm64. */
int tracee_hold(struct tracee *t);
/* Writes what has changed, if anything, as before a request that lets it go. 0 or -errno. */
int tracee_release(struct tracee *t);
int tracee_go(struct tracee *t, int request, int signal);

/* --- ARCH/tracee.c --- */

int tracee_user_read(int tid, tracee_user *out);
int tracee_user_write(int tid, const tracee_user *r);
/* The registers by the numbers of the machine's asm/perf_regs.h; the result is which, a bit each.
 */
uint64_t tracee_user_values(const tracee_user *r, uint64_t value[TRACEE_REGISTERS]);
/* The registers of a call: what it returns, or is first given, and its other arguments. direction:
 * where the kernel does not restart calls, the pc moves back to its instruction (-1) or behind it
 * again (1). */
void tracee_user_set_call(tracee_user *r, uint64_t first, const uint64_t arg[3], int direction);
