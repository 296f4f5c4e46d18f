#define TRACEE_PC     rip
#define TRACEE_SP     rsp
#define TRACEE_RESULT rax
#include "ptrace/tracee_stepped.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>

const size_t tracee_call_bytes = 2;
const unsigned tracee_breakpoint_moves_pc = 1;
const int tracee_breakpoint_code = SI_KERNEL;
const bool tracee_calls_go_back = false;

struct tracee_code tracee_breakpoint(const struct displaced *d)
{
    return (struct tracee_code){{0xcc}, 1};
}

struct tracee_code tracee_call_code(uint64_t address)
{
    return (struct tracee_code){{0x0f, 0x05}, 2};
}

bool tracee_displace(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    return displaced_x86(code, len, from, to, out);
}

bool tracee_begins_exclusive(const struct breaks_image *m, uint64_t address)
{
    return false;
}

bool tracee_copy_exclusive(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    return false;
}

int tracee_write_reg(struct tracee *t, unsigned reg, uint64_t value)
{
    return -ENOTSUP; /* no instruction needs it */
}

static int read_word(struct tracee *t, uint64_t address, uint64_t *out)
{
    errno = 0;
    long word = ptrace(PTRACE_PEEKDATA, t->tid, address, NULL);
    *out = (uint64_t)word;
    return word == -1 ? -errno : 0;
}

int tracee_move_return(struct tracee *t, uint64_t distance)
{
    uint64_t address;
    int e = tracee_hold(t);
    if (e == 0)
        e = read_word(t, t->user.rsp, &address);
    if (e < 0)
        return e;
    return ptrace(PTRACE_POKEDATA, t->tid, t->user.rsp, address + distance) < 0 ? -errno : 0;
}

/* orig_rax -1: nothing is restarted. */
int tracee_begin_call(struct tracee *t, const struct tracee_call *call)
{
    int e = tracee_hold(t);
    tracee_user *r = &t->user;
    if (e < 0)
        return e;
    r->orig_rax = (unsigned long long)-1;
    r->rax = (unsigned long long)call->number;
    r->rip = call->pc;
    r->rdi = call->arg[0];
    r->rsi = call->arg[1];
    r->rdx = call->arg[2];
    r->r10 = call->arg[3];
    r->r8 = call->arg[4];
    r->r9 = call->arg[5];
    t->is_changed = true;
    return 0;
}

/* --- functions (psABI 3.2) --- */

int breaks_arguments(const struct breaks_stop *s, uint64_t out[4])
{
    struct tracee *t = s->tracee;
    int e = tracee_hold(t);
    if (e == 0)
        memcpy(out, (const uint64_t[]){t->user.rdi, t->user.rsi, t->user.rdx, t->user.rcx},
               4 * sizeof *out);
    return e;
}

int breaks_return_address(const struct breaks_stop *s, uint64_t *address)
{
    int e = tracee_hold(s->tracee);
    *address = 0;
    return e < 0 ? e : read_word(s->tracee, s->tracee->user.rsp, address);
}
