#include "core/insn/displaced.h"

#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "core/insn/exclusive.h"

#include <string.h>

enum { BRK = 0xd4200000, SVC_MASK = 0xffe0001f, SVC = 0xd4000001 };

/* A branch behind it, instead of the breakpoint, which system calls need. */
static bool add_return(struct displaced *out, uint64_t distance)
{
    enum { B = 0x14000000, B_REACH = 1 << 27, B_FIELD = 0x03ffffff };
    int64_t back = (int64_t)distance;
    if (back < -B_REACH || back >= B_REACH)
        return false;
    put_le32(out->bytes + 4, B | ((uint32_t)(back >> 2) & B_FIELD));
    return true;
}

static bool returns(const struct arm64_insn *i, uint64_t distance, struct displaced *out)
{
    if (out->fix == DISPLACED_NOTHING)
        return true;
    return out->fix == DISPLACED_MOVE && i->kind != INSN_TRAP && !out->call && !out->exclusive &&
           add_return(out, distance);
}

/* A branch goes as far from the slot as from its place, and is not followed from there. */
bool displaced_arm64(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    struct arm64_insn i;
    *out = (struct displaced){.len = 4};
    if (len < 4)
        return false;
    arm64_insn_read(get_le32(code), &i);
    memcpy(out->bytes, code, 4);
    put_le32(out->bytes + 4, BRK);
    out->exclusive = exclusive_begins_arm64(get_le32(code));
    out->call = (get_le32(code) & SVC_MASK) == SVC;
    out->fix = (uint8_t)displaced_fix_of(i.kind);
    if (i.relative == ARM64_ADR || i.relative == ARM64_ADRP) {
        out->fix = DISPLACED_LOAD;
        out->reg = i.rd;
        out->value = arm64_insn_target(&i, from);
    }
    out->returns = i.relative != ARM64_LITERAL && returns(&i, from - to, out);
    return i.relative != ARM64_LITERAL;
}
