#include "step.h"

#include "core/base/bytes.h"

bool unwind_slice_read(const struct unwind_slice *s, uint64_t addr, void *bytes, size_t len)
{
    if (addr < s->addr || addr - s->addr > s->len || len > s->len - (addr - s->addr))
        return false;
    memcpy(bytes, s->bytes + (addr - s->addr), len);
    return true;
}

static uint64_t number_of(const uint8_t *bytes, unsigned size, bool big)
{
    switch (size) {
    case 1:
        return bytes[0];
    case 2:
        return get_u16(bytes, big);
    case 4:
        return get_u32(bytes, big);
    default:
        return get_u64(bytes, big);
    }
}

bool unwind_number(const struct unwind_space *s, uint64_t addr, unsigned size, uint64_t *out)
{
    uint8_t bytes[8];
    if (addr > UINT64_MAX - size || !s->memory(s->arg, addr, bytes, size))
        return false;
    *out = number_of(bytes, size, s->big_endian);
    return true;
}

uint64_t unwind_strip_pc(const struct unwind_space *s, uint64_t pc)
{
    unsigned bits = s->va_bits ? s->va_bits : 48;
    if (s->machine == UNWIND_ARM)
        return pc & ~(uint64_t)1;
    if (s->machine != UNWIND_AARCH64 || bits >= 64)
        return pc;
    return pc & ((UINT64_C(1) << bits) - 1);
}
