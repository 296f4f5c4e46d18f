#include "core/base/bytes.h"
#include "ptrace/tracee_stepped.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

enum { X8 = 8, LR = 30 };

const size_t tracee_call_bytes = 4;
const unsigned tracee_breakpoint_moves_pc = 0;
const int tracee_breakpoint_code = TRAP_BRKPT;
const bool tracee_calls_go_back = true;

struct tracee_code tracee_breakpoint(const struct displaced *d)
{
    (void)d;
    return (struct tracee_code){{0x00, 0x00, 0x20, 0xd4}, 4}; /* BRK #0 */
}

struct tracee_code tracee_call_code(uint64_t address)
{
    (void)address;
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

/* -ENOTSUP: it is a program of 32-bit ARM. */
static int get_regs(int tid, struct user_regs_struct *r)
{
    struct iovec v = {r, sizeof *r};
    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &v) < 0)
        return -errno;
    return v.iov_len < sizeof *r ? -ENOTSUP : 0;
}

static int set_regs(int tid, struct user_regs_struct *r)
{
    struct iovec v = {r, sizeof *r};
    return ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &v) < 0 ? -errno : 0;
}

int tracee_read_pc(int tid, uint64_t *pc)
{
    struct user_regs_struct r;
    int e = get_regs(tid, &r);
    *pc = e < 0 ? 0 : r.pc;
    return e;
}

int tracee_write_pc(int tid, uint64_t pc)
{
    struct user_regs_struct r;
    int e = get_regs(tid, &r);
    r.pc = pc;
    return e < 0 ? e : set_regs(tid, &r);
}

int tracee_write_reg(int tid, unsigned reg, uint64_t value)
{
    struct user_regs_struct r;
    int e = get_regs(tid, &r);
    if (e < 0 || reg > LR) /* 31 is the zero register */
        return e;
    r.regs[reg] = value;
    return set_regs(tid, &r);
}

int tracee_move_return(int tid, uint64_t distance)
{
    struct user_regs_struct r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    r.regs[LR] += distance;
    return set_regs(tid, &r);
}

int tracee_begin_call(int tid, const struct tracee_call *call, struct tracee_saved *before)
{
    struct user_regs_struct r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    memcpy(before->bytes, &r, sizeof r);
    memcpy(r.regs, call->arg, sizeof call->arg);
    r.regs[X8] = (unsigned long long)call->number;
    r.pc = call->pc;
    return set_regs(tid, &r);
}

int tracee_end_call(int tid, const struct tracee_saved *before, int64_t *result)
{
    struct user_regs_struct r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    *result = (int64_t)r.regs[0];
    memcpy(&r, before->bytes, sizeof r);
    return set_regs(tid, &r);
}

/* --- functions (AAPCS64) --- */

int breaks_arguments(const struct breaks_stop *s, uint64_t out[4])
{
    struct user_regs_struct r;
    int e = get_regs(s->tid, &r);
    if (e == 0)
        memcpy(out, r.regs, 4 * sizeof *out);
    return e;
}

int breaks_return_address(const struct breaks_stop *s, uint64_t *address, uint64_t *sp)
{
    struct user_regs_struct r;
    int e = get_regs(s->tid, &r);
    *address = e < 0 ? 0 : r.regs[LR];
    *sp = e < 0 ? 0 : r.sp;
    return e;
}

int breaks_result(const struct breaks_stop *s, uint64_t *value, uint64_t *sp)
{
    struct user_regs_struct r;
    int e = get_regs(s->tid, &r);
    *value = e < 0 ? 0 : r.regs[0];
    *sp = e < 0 ? 0 : r.sp;
    return e;
}
