#include "iotrace.h"
#include "plat/clock.h"
#include "tracee_cpu.h"

#include <errno.h>
#include <string.h>

#ifndef PTRACE_GET_SYSCALL_INFO
#define PTRACE_GET_SYSCALL_INFO ((enum __ptrace_request)0x420e)
#endif

/* As the kernel has it (linux/ptrace.h), which headers before 5.3 lack. */
struct call_info {
    uint8_t op, pad[3];
    uint32_t arch;
    uint64_t instruction_pointer, stack_pointer;
    union {
        struct {
            uint64_t number, arg[6];
            uint32_t ret_data;
        } entry; /* and of a seccomp stop */
        struct {
            int64_t result;
            uint8_t is_error;
        } exit;
    };
};
enum { INFO_ENTRY = 1, INFO_EXIT = 2, INFO_SECCOMP = 3 };

static bool arch_of(uint32_t audit, enum io_arch *out)
{
    for (size_t i = 0; i < iotrace_arches; i++)
        if (iotrace_arch[i].audit == audit) {
            *out = iotrace_arch[i].arch;
            return true;
        }
    return false;
}

static int info_read(struct iotrace *t, const struct traced *x, struct call_info *out)
{
    if (t->use_registers)
        return -EIO;
    long n = ptrace(PTRACE_GET_SYSCALL_INFO, x->tid, (void *)sizeof *out, out);
    if (n < 0 && errno == EIO)
        t->use_registers = true;
    return n < 0 ? -errno : 0;
}

/* --- its begin --- */

static bool entry_read(struct iotrace *t, const struct traced *x, struct iotrace_regs *out)
{
    struct call_info info;
    int r = info_read(t, x, &info);
    if (r < 0)
        return r == -EIO && iotrace_regs_read(x->tid, out) == 0;
    if (info.op == INFO_EXIT || !arch_of(info.arch, &out->arch))
        return false;
    out->number = info.entry.number;
    memcpy(out->arg, info.entry.arg, sizeof out->arg);
    return true;
}

static void read_open_how(const struct traced *x, struct io_called *c)
{
    uint64_t at = io_called_how_addr(c);
    if (at && tracee_copy(x->tid, at, &c->how, sizeof c->how) != sizeof c->how)
        c->how = 0;
}

bool traced_call_enter(struct iotrace *t, struct traced *x)
{
    struct iotrace_regs regs;
    if (t->quiet || !t->started || !entry_read(t, x, &regs))
        return false;
    struct io_called *c = &x->call;
    c->call = io_call_find(regs.arch, regs.number);
    if (!c->call)
        return false;
    memcpy(c->arg, regs.arg, sizeof c->arg);
    read_open_how(x, c);
    if (c->call->kind == IO_CALL_CPUS)
        place_call_begins(&t->place);
    x->in_call = t->callbacks.call_entered(t->callbacks.arg, x->user_data, x->tid, c);
    c->start_ns = clock_mono_ns();
    return x->in_call;
}

/* --- and its end --- */

static bool result_read(struct iotrace *t, const struct traced *x, int64_t *out)
{
    struct call_info info;
    int r = info_read(t, x, &info);
    if (r == 0) {
        *out = info.exit.result;
        return info.op == INFO_EXIT;
    }
    struct iotrace_regs regs;
    if (r != -EIO || iotrace_regs_read(x->tid, &regs) < 0)
        return false;
    *out = regs.result;
    return true;
}

void traced_call_exit(struct iotrace *t, struct traced *x)
{
    if (!x->in_call)
        return;
    x->in_call = false;
    if (x->call.call->kind == IO_CALL_CPUS)
        place_call_ends(&t->place);
    x->call.end_ns = clock_mono_ns();
    if (!t->quiet && result_read(t, x, &x->call.result) && !io_called_restarts(&x->call))
        t->callbacks.call_returned(t->callbacks.arg, &x->user_data, x->tid, &x->call);
}

/* --- where all calls stop --- */

static bool is_syscall_exit(struct iotrace *t, struct traced *x)
{
    struct call_info info;
    x->entered = !x->entered;
    return info_read(t, x, &info) == 0 ? info.op == INFO_EXIT : !x->entered;
}

void traced_call_stop(struct iotrace *t, struct traced *x)
{
    if (is_syscall_exit(t, x))
        traced_call_exit(t, x);
    else
        traced_call_enter(t, x);
}
