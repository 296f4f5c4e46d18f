#include "plat/breaks.h"
#include "ptrace/tracee_registers.h"

#include <errno.h>

int breaks_registers(const struct breaks_stop *s, uint64_t mask, uint64_t *out)
{
    uint64_t value[TRACEE_REGISTERS];
    int e = tracee_hold(s->tracee);
    if (e < 0)
        return e;
    if (mask & ~tracee_user_values(&s->tracee->user, value))
        return -ENOTSUP;
    for (; mask; mask &= mask - 1)
        *out++ = value[__builtin_ctzll(mask)];
    return 0;
}
