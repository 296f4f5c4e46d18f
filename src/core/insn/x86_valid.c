#include "x86_tables.h"

static unsigned reg_field(const struct x86_insn *i)
{
    return i->modrm >> 3 & 7;
}

static bool bit(unsigned mask, unsigned number)
{
    return mask >> number & 1;
}

/* D8 to DF: bits of the register field with an operand in memory; of the whole byte's low six bits
 * without. */
static bool x87_has(const struct x86_insn *i)
{
    static const uint8_t memory[8] = {0xff, 0xfd, 0xff, 0xaf, 0xff, 0xdf, 0xff, 0xff};
    static const uint64_t registers[8] = {
        UINT64_C(0xffffffffffffffff), UINT64_C(0xffff7f330001ffff), UINT64_C(0x00000200ffffffff),
        UINT64_C(0x00ffff1fffffffff), UINT64_C(0xffffffff0000ffff), UINT64_C(0x0000ffffffff00ff),
        UINT64_C(0xffffffff0200ffff), UINT64_C(0x00ffff0100000000)};
    unsigned op = i->opcode & 7;
    return i->memory ? bit(memory[op], reg_field(i)) : registers[op] >> (i->modrm & 63) & 1;
}

static bool one_byte_has(const struct x86_insn *i)
{
    unsigned reg = reg_field(i);
    switch (i->opcode) {
    case 0x8c:
    case 0x8e:
        return reg < 6 && (i->opcode == 0x8c || reg != 1);
    case 0x8d:
        return i->memory;
    case 0x8f:
        return reg == 0;
    case 0xc6:
    case 0xc7:
        return reg == 0;
    case 0xfe:
        return reg < 2;
    case 0xff:
        return reg != 3 && reg != 5 && reg != 7;
    default:
        return (i->opcode & 0xf8) != 0xd8 || x87_has(i);
    }
}

/* MONITOR, MWAIT, CLAC, STAC, XGETBV, XSETBV, XEND, XTEST, SWAPGS, RDTSCP. */
static bool has_0f01(const struct x86_insn *i)
{
    static const uint8_t known[] = {0xc8, 0xc9, 0xca, 0xcb, 0xd0, 0xd1, 0xd5, 0xd6, 0xf8, 0xf9};
    if (i->memory)
        return reg_field(i) != 5;
    for (size_t k = 0; k < sizeof known; k++)
        if (known[k] == i->modrm)
            return true;
    return reg_field(i) == 4 || reg_field(i) == 6;
}

static bool has_0fae(const struct x86_insn *i, unsigned prefix)
{
    unsigned reg = reg_field(i);
    switch (prefix) {
    case X86_PREFIX_NONE:
        return i->memory || (reg >= 5 && (i->modrm & 7) == 0);
    case X86_PREFIX_66:
        return i->memory ? reg >= 6 : reg == 6;
    case X86_PREFIX_F3:
        return i->memory ? reg == 4 || reg == 6 : reg < 7;
    default:
        return !i->memory && reg == 6;
    }
}

/* Shifts by a number: PSRLW and the like. */
static bool has_shift(const struct x86_insn *i, unsigned prefix)
{
    unsigned reg = reg_field(i);
    if (i->memory)
        return i->map == X86_MAP_EVEX + 1;
    if (i->opcode == 0x73 && (reg == 3 || reg == 7))
        return prefix == X86_PREFIX_66;
    if (i->map == X86_MAP_EVEX + 1 && i->opcode == 0x72)
        return bit(0x57, reg);
    return reg == 2 || reg == 6 || (reg == 4 && i->opcode != 0x73);
}

static bool has_0fc7(const struct x86_insn *i, unsigned prefix)
{
    unsigned reg = reg_field(i);
    if (!i->memory)
        return reg == 7 ? prefix != X86_PREFIX_F2 : reg == 6 && prefix <= X86_PREFIX_66;
    return prefix == X86_PREFIX_NONE && (reg == 1 || reg == 3 || reg == 4 || reg == 5);
}

static bool two_bytes_has(const struct x86_insn *i, unsigned prefix)
{
    switch (i->opcode) {
    case 0x00:
        return reg_field(i) < 6;
    case 0x01:
        return has_0f01(i);
    case 0x71:
    case 0x72:
    case 0x73:
        return has_shift(i, prefix);
    case 0xae:
        return has_0fae(i, prefix);
    case 0xba:
        return reg_field(i) >= 4;
    case 0xc7:
        return has_0fc7(i, prefix);
    default:
        return true;
    }
}

/* ANDN's neighbours BLSR, BLSMSK, BLSI; VLDMXCSR and VSTMXCSR. */
static bool vex_has(const struct x86_insn *i, unsigned prefix)
{
    unsigned reg = reg_field(i), map = i->map & 3;
    if (map == 1 && i->opcode == 0xae)
        return i->memory && (reg == 2 || reg == 3);
    if (map == 2 && i->opcode == 0xf3)
        return reg >= 1 && reg <= 3;
    if (map == 1 && i->opcode >= 0x71 && i->opcode <= 0x73)
        return has_shift(i, prefix);
    return true;
}

bool x86_group_has(const struct x86_insn *i, unsigned prefix)
{
    if (i->map == X86_MAP_ONE)
        return one_byte_has(i);
    if (!(x86_prefixes(i->map, i->opcode, i->memory) & prefix))
        return false;
    if (i->map >= X86_MAP_VEX)
        return vex_has(i, prefix);
    return i->map != X86_MAP_0F || two_bytes_has(i, prefix);
}
