#include "plat/breaks.h"
#include "ptrace/tracee_cpu.h"

#include <errno.h>

int breaks_registers(const struct breaks_stop *s, uint64_t mask, uint64_t *out)
{
    struct tracee_regs r;
    int e = tracee_regs_read(s->tid, &r);
    if (e < 0)
        return e;
    if (mask & ~r.given)
        return -ENOTSUP;
    for (; mask; mask &= mask - 1)
        *out++ = r.reg[__builtin_ctzll(mask)];
    return 0;
}
