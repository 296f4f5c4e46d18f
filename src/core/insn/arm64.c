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

/* --- stores, and the stack pointer --- */

enum { POST_INDEX = 1, WHOLE_OFFSET = 0xf9000000 };

/* Of a pair, STNP is 0; else of a single one, 0 is STUR. */
static unsigned index_of(uint32_t word, bool is_pair)
{
    return is_pair ? word >> 23 & 3 : word >> 10 & 3;
}

static int32_t offset_of(uint32_t word, bool is_pair)
{
    if ((word & 0xffc00000) == WHOLE_OFFSET)
        return (int32_t)(word >> 10 & 0xfff) * 8;
    if (index_of(word, is_pair) == POST_INDEX)
        return 0;
    return (int32_t)(is_pair ? signed_field(word, 15, 7) * 8 : signed_field(word, 12, 9));
}

/* STP with any index; STR with an offset, before or after; STUR. */
bool arm64_store_read(uint32_t word, struct arm64_store *out)
{
    bool is_pair = (word & 0xfe400000) == 0xa8000000;
    out->base = word >> 5 & 31;
    out->reg = word & 31;
    out->reg2 = is_pair ? word >> 10 & 31 : out->reg;
    out->offset = offset_of(word, is_pair);
    return is_pair || (word & 0xffc00000) == 0xf9000000 || (word & 0xffe00000) == 0xf8000000;
}

/* A load or a store, of one register or two, that changes its base, before or after. */
static bool changes_base(uint32_t word, int32_t *by)
{
    bool simd = word >> 26 & 1;
    unsigned opc = word >> 30;
    if ((word & 0x3a800000) == 0x28800000) {
        *by = (int32_t)signed_field(word, 15, 7) * (simd ? 4 << opc : opc == 2 ? 8 : 4);
        return true;
    }
    *by = (int32_t)signed_field(word, 12, 9);
    return (word & 0x3b200400) == 0x38000400;
}

/* ADD and SUB with a number or an extended register, AND, ORR and EOR with a number: the register
 * 31 that they set is the stack pointer. */
static bool sets_stack_pointer(uint32_t word)
{
    bool arithmetic = (word & 0x3f800000) == 0x11000000 || (word & 0x3fe00000) == 0x0b200000,
         logical = (word & 0x1f800000) == 0x12000000 && (word >> 29 & 3) != 3;
    return (word & 31) == ARM64_SP && (arithmetic || logical);
}

bool arm64_stack_change(uint32_t word, int32_t *by)
{
    bool from_itself = (word >> 5 & 31) == ARM64_SP;
    if (from_itself && changes_base(word, by))
        return true;
    *by = 0;
    if (!sets_stack_pointer(word))
        return true;
    int32_t number = (int32_t)(word >> 10 & 0xfff) << (word >> 22 & 1 ? 12 : 0);
    *by = word >> 30 & 1 ? -number : number;
    return from_itself && (word & 0xbf800000) == 0x91000000;
}
