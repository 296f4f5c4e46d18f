#include "core/insn/displaced.h"

enum displaced_fix displaced_fix_of(enum insn_kind kind)
{
    switch (kind) {
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
