#define TRACEE_PC     pc
#define TRACEE_SP     sp
#define TRACEE_RESULT regs[0]
#include "ptrace/tracee_stepped.h"

#include "core/base/bytes.h"

#include <signal.h>
#include <string.h>

enum { X8 = 8, LR = 30 };

const size_t tracee_call_bytes = 4;
const unsigned tracee_breakpoint_moves_pc = 0;
const int tracee_breakpoint_code = TRAP_BRKPT;
const bool tracee_calls_go_back = true;

struct tracee_code tracee_breakpoint(const struct displaced *d)
{
    return (struct tracee_code){{0x00, 0x00, 0x20, 0xd4}, 4}; /* BRK #0 */
}

struct tracee_code tracee_call_code(uint64_t address)
{
    return (struct tracee_code){{0x01, 0x00, 0x00, 0xd4, 0x00, 0x00, 0x20, 0xd4}, 8}; /* SVC #0 */
}

bool tracee_displace(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    return displaced_arm64(code, len, from, to, out);
}

bool tracee_begins_exclusive(const struct breaks_image *m, uint64_t address)
{
    uint8_t b[4];
    return breaks_peek(m, address, b, sizeof b) == 0 && exclusive_begins_arm64(get_le32(b));
}

bool tracee_copy_exclusive(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    return exclusive_copy_arm64(read, arg, address, out);
}

int tracee_write_reg(struct tracee *t, unsigned reg, uint64_t value)
{
    int e = tracee_hold(t);
    if (e < 0 || reg > LR) /* 31 is the zero register */
        return e;
    t->user.regs[reg] = value;
    t->is_changed = true;
    return 0;
}

int tracee_move_return(struct tracee *t, uint64_t distance)
{
    int e = tracee_hold(t);
    return e < 0 ? e : tracee_write_reg(t, LR, t->user.regs[LR] + distance);
}

int tracee_begin_call(struct tracee *t, const struct tracee_call *call)
{
    int e = tracee_hold(t);
    if (e < 0)
        return e;
    memcpy(t->user.regs, call->arg, sizeof call->arg);
    t->user.regs[X8] = (unsigned long long)call->number;
    t->user.pc = call->pc;
    t->is_changed = true;
    return 0;
}

/* --- functions (AAPCS64) --- */

int breaks_arguments(const struct breaks_stop *s, uint64_t out[4])
{
    int e = tracee_hold(s->tracee);
    if (e == 0)
        memcpy(out, s->tracee->user.regs, 4 * sizeof *out);
    return e;
}

int breaks_return_address(const struct breaks_stop *s, uint64_t *address)
{
    int e = tracee_hold(s->tracee);
    *address = e < 0 ? 0 : s->tracee->user.regs[LR];
    return e;
}
