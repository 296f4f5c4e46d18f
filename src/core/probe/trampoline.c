#include "trampoline.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"

#include <errno.h>

/* From behind the call at an offset; false: it does not reach so far. */
static bool find_distance(const struct probe_moved *m, const struct probe_hook *h, unsigned behind,
                          int64_t reach, int64_t *distance)
{
    *distance = (int64_t)(h->addr - (m->to + behind));
    return *distance >= -reach && *distance < reach;
}

static int head_x86(const struct probe_moved *m, const struct probe_hook *h, uint8_t *out)
{
    int64_t by;
    if (!find_distance(m, h, 5, INT64_C(1) << 31, &by))
        return -ERANGE;
    out[0] = 0xe8;
    put_le32(out + 1, (uint32_t)by);
    put_le32(out + 5, h->site);
    return 9;
}

/* STR LR, BL */
static int head_words(uint8_t *out, uint32_t store, uint32_t call, uint32_t site)
{
    put_le32(out, store);
    put_le32(out + 4, call);
    put_le32(out + 8, site);
    return 12;
}

static int head_arm64(const struct probe_moved *m, const struct probe_hook *h, uint8_t *out)
{
    int64_t by;
    if (!find_distance(m, h, 4, 1 << 27, &by))
        return -ERANGE;
    return head_words(out, 0xf81f0ffe, 0x94000000 | ((uint32_t)(by >> 2) & 0x3ffffff), h->site);
}

static int head_a32(const struct probe_moved *m, const struct probe_hook *h, uint8_t *out)
{
    int64_t by;
    if (!find_distance(m, h, 12, 1 << 25, &by))
        return -ERANGE;
    return head_words(out, 0xe52de008, 0xeb000000 | ((uint32_t)(by >> 2) & 0xffffff), h->site);
}

/* The halves of an instruction of T32, the first in the lower bits of the word. */
static int head_t32(const struct probe_moved *m, const struct probe_hook *h, uint8_t *out)
{
    int64_t by;
    if (!find_distance(m, h, 8, 1 << 24, &by))
        return -ERANGE;
    uint32_t far = (uint32_t)by, s = far >> 31;
    uint32_t j1 = (~(far >> 23) ^ s) & 1, j2 = (~(far >> 22) ^ s) & 1;
    uint32_t first = 0xf000 | s << 10 | (far >> 12 & 0x3ff),
             second = 0xd000 | j1 << 13 | j2 << 11 | (far >> 1 & 0x7ff);
    return head_words(out, 0xed08f84d, second << 16 | first, h->site);
}

static int put_head(unsigned machine, const struct probe_moved *m, const struct probe_hook *h,
                    uint8_t *out)
{
    switch (machine) {
    case ELF_MACHINE_X86_64:
        return head_x86(m, h, out);
    case ELF_MACHINE_AARCH64:
        return head_arm64(m, h, out);
    case ELF_MACHINE_ARM:
        return m->thumb ? head_t32(m, h, out) : head_a32(m, h, out);
    default:
        return -ENOTSUP;
    }
}

int probe_trampoline(unsigned machine, const struct probe_moved *m, const struct probe_hook *h,
                     uint8_t *out)
{
    struct probe_moved moved = *m;
    int head = put_head(machine, m, h, out);
    if (head < 0)
        return head;
    moved.to += (unsigned)head;
    int len = machine == ELF_MACHINE_X86_64    ? probe_x86_relocate(&moved, out + head)
              : machine == ELF_MACHINE_AARCH64 ? probe_arm64_relocate(&moved, out + head)
                                               : probe_arm_relocate(&moved, out + head);
    return len < 0 ? len : head + len;
}
