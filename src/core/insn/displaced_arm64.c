#include "core/insn/displaced.h"

#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "core/insn/exclusive.h"

#include <string.h>

enum { BRK = 0xd4200000, SVC_MASK = 0xffe0001f, SVC = 0xd4000001 };

/* A branch goes as far from the slot as from its place, and is not followed from there. */
bool displaced_arm64(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    struct arm64_insn i;
    (void)to;
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
    return i.relative != ARM64_LITERAL;
}
