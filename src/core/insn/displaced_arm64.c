#include "core/insn/displaced.h"

#include "core/base/bytes.h"
#include "core/insn/arm64.h"

#include <string.h>

static enum displaced_fix fix_of(const struct arm64_insn *i)
{
    switch (i->kind) {
    case INSN_NOP:
    case INSN_LANDING:
        return DISPLACED_SKIP;
    case INSN_JUMP:
    case INSN_BRANCH:
        return DISPLACED_JUMP;
    case INSN_CALL:
        return DISPLACED_CALL;
    case INSN_CALL_INDIRECT:
        return DISPLACED_RETURNED;
    case INSN_JUMP_INDIRECT:
    case INSN_RETURN:
        return DISPLACED_NOTHING;
    default:
        return DISPLACED_MOVE;
    }
}

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
    out->fix = (uint8_t)fix_of(&i);
    if (i.relative == ARM64_ADR || i.relative == ARM64_ADRP) {
        out->fix = DISPLACED_LOAD;
        out->reg = i.rd;
        out->value = arm64_insn_target(&i, from);
    }
    return i.relative != ARM64_LITERAL;
}
