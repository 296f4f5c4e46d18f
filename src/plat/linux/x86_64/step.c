#include "ptrace/tracee_stepped.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

const size_t tracee_call_bytes = 2;
const unsigned tracee_breakpoint_moves_pc = 1;
const int tracee_breakpoint_code = SI_KERNEL;
const bool tracee_calls_go_back = false;

struct tracee_code tracee_breakpoint(const struct displaced *d)
{
    (void)d;
    return (struct tracee_code){{0xcc}, 1};
}

struct tracee_code tracee_call_code(uint64_t address)
{
    (void)address;
    return (struct tracee_code){{0x0f, 0x05}, 2};
}

bool tracee_displace(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    return displaced_x86(code, len, from, to, out);
}

bool tracee_begins_exclusive(const struct breaks_image *m, uint64_t address)
{
    (void)m;
    (void)address;
    return false;
}

bool tracee_copy_exclusive(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    (void)read;
    (void)arg;
    (void)address;
    (void)out;
    return false;
}

int tracee_read_pc(int tid, uint64_t *pc)
{
    errno = 0;
    long v = ptrace(PTRACE_PEEKUSER, tid, offsetof(struct user_regs_struct, rip), NULL);
    *pc = (uint64_t)v;
    return v == -1 ? -errno : 0;
}

int tracee_write_pc(int tid, uint64_t pc)
{
    return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user_regs_struct, rip), pc) < 0 ? -errno
                                                                                        : 0;
}

int tracee_write_reg(int tid, unsigned reg, uint64_t value)
{
    (void)tid;
    (void)reg;
    (void)value;
    return -ENOTSUP; /* no instruction needs it */
}

int tracee_move_return(int tid, uint64_t distance)
{
    errno = 0;
    long sp = ptrace(PTRACE_PEEKUSER, tid, offsetof(struct user_regs_struct, rsp), NULL);
    if (sp == -1 && errno)
        return -errno;
    long address = ptrace(PTRACE_PEEKDATA, tid, sp, NULL);
    if (address == -1 && errno)
        return -errno;
    return ptrace(PTRACE_POKEDATA, tid, sp, (uint64_t)address + distance) < 0 ? -errno : 0;
}

/* orig_rax -1: nothing is restarted. */
int tracee_begin_call(int tid, const struct tracee_call *call, struct tracee_saved *before)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &r) < 0)
        return -errno;
    memcpy(before->bytes, &r, sizeof r);
    r.orig_rax = (unsigned long long)-1;
    r.rax = (unsigned long long)call->number;
    r.rip = call->pc;
    r.rdi = call->arg[0];
    r.rsi = call->arg[1];
    r.rdx = call->arg[2];
    r.r10 = call->arg[3];
    r.r8 = call->arg[4];
    r.r9 = call->arg[5];
    return ptrace(PTRACE_SETREGS, tid, NULL, &r) < 0 ? -errno : 0;
}

int tracee_end_call(int tid, const struct tracee_saved *before, int64_t *result)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &r) < 0)
        return -errno;
    *result = (int64_t)r.rax;
    memcpy(&r, before->bytes, sizeof r);
    return ptrace(PTRACE_SETREGS, tid, NULL, &r) < 0 ? -errno : 0;
}

/* --- functions (psABI 3.2) --- */

int breaks_arguments(const struct breaks_stop *s, uint64_t out[4])
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, s->tid, NULL, &r) < 0)
        return -errno;
    memcpy(out, (const uint64_t[]){r.rdi, r.rsi, r.rdx, r.rcx}, 4 * sizeof *out);
    return 0;
}

int breaks_return_address(const struct breaks_stop *s, uint64_t *address, uint64_t *sp)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, s->tid, NULL, &r) < 0)
        return -errno;
    errno = 0;
    long word = ptrace(PTRACE_PEEKDATA, s->tid, r.rsp, NULL);
    *address = (uint64_t)word;
    *sp = r.rsp;
    return word == -1 ? -errno : 0;
}

int breaks_result(const struct breaks_stop *s, uint64_t *value, uint64_t *sp)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, s->tid, NULL, &r) < 0)
        return -errno;
    *value = r.rax;
    *sp = r.rsp;
    return 0;
}
