#include "ptrace/tracee_trap.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

enum { RET = 0xc3, RESTORER = 0x04000000 /* SA_RESTORER */ };

const bool tracee_can_attach = true;
const char *const tracee_why_not_attached = "";

/* The number of rt_sigreturn, which a handler returns to, as C libraries set it. */
static const struct {
    uint8_t bytes[9], len;
} restorers[] = {
    {{0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}, 9}, /* mov $15, %rax; syscall */
    {{0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}, 7},             /* mov $15, %eax; syscall */
};

bool tracee_find_trap(const uint8_t *code, size_t len, uint64_t address, struct tracee_trap *out)
{
    const uint8_t *ret = memchr(code, RET, len), *at = NULL;
    for (size_t i = 0; ret && !at && i < sizeof restorers / sizeof *restorers; i++) {
        at = memmem(code, len, restorers[i].bytes, restorers[i].len);
        out->call = restorers[i].len - tracee_call_bytes;
    }
    if (!at)
        return false;
    out->handler = address + (uint64_t)(ret - code);
    out->restorer = address + (uint64_t)(at - code);
    out->call += out->restorer;
    return true;
}

/* On the stack that the program has for handlers, if it has one. */
void tracee_trap_action(const struct tracee_trap *trap, uint64_t out[TRACEE_ACTION_WORDS])
{
    out[0] = trap->handler;
    out[1] = SA_ONSTACK | SA_RESTART | RESTORER;
    out[2] = trap->restorer;
    out[3] = 0;
}

struct tracee_call tracee_action_call(int signal, uint64_t action, uint64_t old)
{
    const uint64_t set_bytes = 8;
    return (struct tracee_call){.number = SYS_rt_sigaction,
                                .arg = {(uint64_t)signal, action, old, set_bytes}};
}

/* linux/errno.h has these for the kernel alone. */
static bool is_restart(int64_t result)
{
    return (result <= -512 && result >= -514) || result == -516;
}

bool tracee_restarts(struct tracee *t)
{
    return tracee_hold(t) == 0 && (int64_t)t->user.orig_rax >= 0 &&
           is_restart((int64_t)t->user.rax);
}

bool tracee_sets_mask(struct tracee *t)
{
    return tracee_hold(t) == 0 && ((int64_t)t->user.orig_rax == SYS_rt_sigprocmask ||
                                   (int64_t)t->user.orig_rax == SYS_rt_sigreturn);
}
