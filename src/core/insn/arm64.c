#include "core/insn/arm64.h"

/* The number of so many bits from bit `low' on, with its sign. */
static int64_t signed_field(uint32_t word, unsigned low, unsigned bits)
{
    return (int64_t)((uint64_t)word << (64 - low - bits)) >> (64 - bits);
}

struct form {
    uint32_t mask, bits;
    enum arm64_relative relative;
    enum insn_kind kind;
};

static const struct form forms[] = {
    {0xfc000000, 0x14000000, ARM64_B, INSN_JUMP},
    {0xfc000000, 0x94000000, ARM64_B, INSN_CALL},
    {0xff000000, 0x54000000, ARM64_BRANCH, INSN_BRANCH},
    {0x7e000000, 0x34000000, ARM64_BRANCH, INSN_BRANCH},
    {0x7e000000, 0x36000000, ARM64_TEST, INSN_BRANCH},
    {0x9f000000, 0x10000000, ARM64_ADR, INSN_PLAIN},
    {0x9f000000, 0x90000000, ARM64_ADRP, INSN_PLAIN},
    {0x3b000000, 0x18000000, ARM64_LITERAL, INSN_PLAIN},
    {0xffffffff, 0xd503201f, ARM64_NOT_RELATIVE, INSN_NOP},
    {0xffffff3f, 0xd503241f, ARM64_NOT_RELATIVE, INSN_LANDING},
    {0xfefff000, 0xd61f0000, ARM64_NOT_RELATIVE, INSN_JUMP_INDIRECT},
    {0xfefff000, 0xd63f0000, ARM64_NOT_RELATIVE, INSN_CALL_INDIRECT},
    {0xfffff000, 0xd65f0000, ARM64_NOT_RELATIVE, INSN_RETURN},
    {0xfffff000, 0xd69f0000, ARM64_NOT_RELATIVE, INSN_RETURN},
    {0xffff0000, 0x00000000, ARM64_NOT_RELATIVE, INSN_TRAP},
    {0xffe0001f, 0xd4200000, ARM64_NOT_RELATIVE, INSN_TRAP},
    {0xffe0001f, 0xd4400000, ARM64_NOT_RELATIVE, INSN_TRAP}};

static int64_t distance_of(uint32_t word, enum arm64_relative relative)
{
    int64_t page = signed_field(word, 5, 19) * 4 + (word >> 29 & 3);
    switch (relative) {
    case ARM64_B:
        return signed_field(word, 0, 26) * 4;
    case ARM64_BRANCH:
    case ARM64_LITERAL:
        return signed_field(word, 5, 19) * 4;
    case ARM64_TEST:
        return signed_field(word, 5, 14) * 4;
    case ARM64_ADR:
        return page;
    case ARM64_ADRP:
        return page * 4096;
    default:
        return 0;
    }
}

void arm64_insn_read(uint32_t word, struct arm64_insn *out)
{
    *out = (struct arm64_insn){.rd = word & 31, .signs = (word & 0xffffffbf) == 0xd503233f};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if ((word & forms[i].mask) == forms[i].bits) {
            out->kind = forms[i].kind;
            out->relative = forms[i].relative;
            out->distance = distance_of(word, out->relative);
            return;
        }
}

/* STP with any index; STR with an offset, before or after; STUR. */
bool arm64_store_read(uint32_t word, struct arm64_store *out)
{
    bool is_pair = (word & 0xfe400000) == 0xa8000000;
    out->base = word >> 5 & 31;
    out->reg = word & 31;
    out->reg2 = is_pair ? word >> 10 & 31 : out->reg;
    return is_pair || (word & 0xffc00000) == 0xf9000000 || (word & 0xffe00000) == 0xf8000000;
}
