#include "core/insn/arm_code.h"

enum { ALWAYS = 14, SCRATCH = 12, READ_AHEAD = 8 /* bytes that the pc reads as further on */ };

static uint32_t rotate_right(uint32_t value, unsigned by)
{
    return by % 32 ? value >> by % 32 | value << (32 - by % 32) : value;
}

/* Of the lowest number itself, as the processor does. */
static int32_t negate(int32_t value)
{
    return (int32_t) - (uint32_t)value;
}

/* A constant of 8 bits, turned right by twice so many. */
static int32_t constant_of(uint32_t op)
{
    return (int32_t)rotate_right(op & 0xff, 2 * (op >> 8 & 0xf));
}

static struct arm_code moves(enum arm_kind kind, unsigned rd, unsigned rn, int32_t by)
{
    return (struct arm_code){.kind = kind, .rd = rd, .rn = rn, .by = by};
}

static struct arm_code calls(int32_t by, bool exchanges)
{
    return (struct arm_code){.kind = ARM_CALL, .by = by, .direct = true, .exchanges = exchanges};
}

static struct arm_code transfer(bool load, unsigned rn, unsigned mask, int32_t by, int32_t step)
{
    return (struct arm_code){
        .kind = load ? ARM_LOAD : ARM_STORE, .rn = rn, .mask = mask, .by = by, .step = step};
}

/* LDM and STM: P before, U upwards, W writes back. */
static struct arm_code multiple(uint32_t op, unsigned mask)
{
    bool before = op >> 24 & 1, up = op >> 23 & 1, back = op >> 21 & 1, load = op >> 20 & 1;
    int32_t size = 4 * __builtin_popcount(mask);
    int32_t lowest = up ? 4 * before : -size + 4 * !before;
    return transfer(load, op >> 16 & 15, mask, lowest, back ? (up ? size : -size) : 0);
}

/* One or two words: P = 0 is behind the access, with writing back. */
static struct arm_code offset_form(uint32_t op, unsigned mask, uint32_t offset, bool load)
{
    bool before = op >> 24 & 1, up = op >> 23 & 1, back = op >> 21 & 1;
    int32_t by = up ? (int32_t)offset : -(int32_t)offset;
    return transfer(load, op >> 16 & 15, mask, before ? by : 0, !before || back ? by : 0);
}

/* VLDM and VSTM with the stack pointer, which move it by so many words. */
static bool moves_vfp(uint32_t op, struct arm_code *out)
{
    int32_t bytes = 4 * (int32_t)(op & 0xff);
    bool push = (op & 0x0fbf0e00) == 0x0d2d0a00, pop = (op & 0x0fbf0e00) == 0x0cbd0a00;
    if (push || pop)
        *out = moves(ARM_ADD, ARM_SP, ARM_SP, push ? -bytes : bytes);
    return push || pop;
}

/* --- A32 --- */

static bool a32_single(uint32_t op, struct arm_code *out)
{
    unsigned rt = op >> 12 & 15;
    bool load = op >> 20 & 1, byte = op >> 22 & 1, by_register = op >> 25 & 1;
    if ((op & 0x0c000000) != 0x04000000 || (by_register && op >> 4 & 1))
        return false;
    if (byte || by_register)
        *out = load && rt == ARM_PC ? moves(ARM_JUMP_TABLE, 0, 0, 0) : moves(ARM_PLAIN, 0, 0, 0);
    else if (load && (op >> 16 & 15) == ARM_PC && (op & 0x01200000) == 0x01000000)
        *out = moves(ARM_LITERAL, rt, 0,
                     READ_AHEAD + (op >> 23 & 1 ? (int32_t)(op & 0xfff) : -(int32_t)(op & 0xfff)));
    else
        *out = offset_form(op, 1u << rt, op & 0xfff, load);
    return true;
}

static bool a32_double(uint32_t op, struct arm_code *out)
{
    unsigned rt = op >> 12 & 14, form = op & 0xf0;
    if ((op & 0x0e500000) != 0x00400000 || (form != 0xd0 && form != 0xf0))
        return false;
    *out = offset_form(op, 3u << rt, (op >> 4 & 0xf0) | (op & 0xf), form == 0xd0);
    return true;
}

static bool is_compare(uint32_t op)
{
    return (op >> 23 & 3) == 2; /* tst, teq, cmp, cmn, and what else is there */
}

static bool a32_data(uint32_t op, struct arm_code *out)
{
    unsigned rd = op >> 12 & 15, rn = op >> 16 & 15, how = op >> 21 & 15;
    bool immediate = op >> 25 & 1;
    if (op & 0x0c000000 || (!immediate && (op & 0x90) == 0x90))
        return false;
    if (!immediate && how == 4 && rd == ARM_PC && rn == ARM_PC)
        *out = moves(ARM_COMPUTED, 0, 0, READ_AHEAD);
    else if ((op & 0x0fffffff) == 0x008cf00f || (op & 0x0fffffff) == 0x008ff00c)
        *out = moves(ARM_MOVE, ARM_PC, SCRATCH, 0); /* add pc, ip, pc: a linker's far jump */
    else if (immediate && (how == 4 || how == 2) && rn != ARM_PC)
        *out = moves(ARM_ADD, rd, rn, how == 4 ? constant_of(op) : negate(constant_of(op)));
    else if ((op & 0x0fef0ff0) == 0x01a00000)
        *out = moves(ARM_MOVE, rd, op & 15, 0);
    else if ((op & 0x0fef0000) == 0x03a00000)
        *out = moves(ARM_CONSTANT, rd, 0, constant_of(op));
    else if (is_compare(op)) /* movw, movt, and miscellaneous, too */
        *out = moves(ARM_PLAIN, 0, 0, 0);
    else
        *out = moves(rd == ARM_PC ? ARM_JUMP_TABLE : ARM_LOST, rd, 0, 0);
    return true;
}

static bool a32_branch(uint32_t op, struct arm_code *out)
{
    int32_t by = (int32_t)(op << 8) >> 6;
    if ((op & 0x0ffffff0) == 0x012fff10)
        *out = moves(ARM_MOVE, ARM_PC, op & 15, 0);
    else if ((op & 0x0ffffff0) == 0x012fff30)
        *out = moves(ARM_CALL, 0, op & 15, 0);
    else if ((op & 0x0f000000) == 0x0b000000)
        *out = calls(by + READ_AHEAD, false);
    else if ((op & 0x0f000000) == 0x0a000000)
        *out = moves(op >> 28 == ALWAYS ? ARM_JUMP : ARM_BRANCH, 0, 0, by + READ_AHEAD);
    else if ((op & 0x0f000000) == 0x0f000000)
        *out = moves(ARM_SYSTEM_CALL, 0, 0, 0);
    else
        return false;
    return true;
}

static struct arm_code a32_unconditional(uint32_t op)
{
    int32_t by = ((int32_t)(op << 8) >> 6) + (int32_t)(op >> 23 & 2);
    if ((op & 0xfe000000) == 0xfa000000)
        return calls(by + READ_AHEAD, true);
    return moves(ARM_PLAIN, 0, 0, 0);
}

void arm_code_read(uint32_t op, struct arm_code *out)
{
    *out = moves(ARM_PLAIN, 0, 0, 0);
    if (op >> 28 == 15)
        *out = a32_unconditional(op);
    else if ((op & 0x0e000000) == 0x08000000)
        *out = multiple(op, op & 0xffff);
    else if (!a32_branch(op, out) && !moves_vfp(op, out) && !a32_double(op, out) &&
             !a32_single(op, out))
        a32_data(op, out);
    out->len = 4;
    out->conditional = op >> 28 != ALWAYS && op >> 28 != 15 && out->kind != ARM_BRANCH;
}

/* --- T32, 16 bits --- */

static struct arm_code push_or_pop(uint16_t op)
{
    bool pop = op >> 11 & 1;
    unsigned mask = (op & 0xffu) | (op >> 8 & 1u) << (pop ? ARM_PC : ARM_LR);
    int32_t size = 4 * __builtin_popcount(mask);
    return transfer(pop, ARM_SP, mask, pop ? 0 : -size, pop ? size : -size);
}

/* 1011: what has to do with the stack pointer, hints, compare and branch. */
static struct arm_code thumb_misc(uint16_t op)
{
    int32_t far = (op >> 3 & 0x40) | (op >> 2 & 0x3e);
    if ((op & 0xff00) == 0xb000)
        return moves(ARM_ADD, ARM_SP, ARM_SP, (op & 0x80 ? -4 : 4) * (op & 0x7f));
    if ((op & 0xf600) == 0xb400)
        return push_or_pop(op);
    if ((op & 0xf500) == 0xb100)
        return moves(ARM_BRANCH, 0, 0, 4 + far);
    if ((op & 0xff00) == 0xbf00 && op & 0xf)
        return moves(ARM_IF, 0, 0, 4 - __builtin_ctz(op & 0xf));
    return moves(ARM_PLAIN, 0, 0, 0);
}

/* 010001: data processing with all registers, and branches through one. */
static struct arm_code thumb_high(uint16_t op)
{
    unsigned rd = (op & 7u) | (op >> 4 & 8u), rm = op >> 3 & 15;
    switch (op >> 8 & 3) {
    case 0: /* add */
        return moves(ARM_LOST, rd, 0, 0);
    case 1: /* cmp */
        return moves(ARM_PLAIN, 0, 0, 0);
    case 2: /* of the pc without a change of the set: within the function */
        return rd == ARM_PC && rm != ARM_LR ? moves(ARM_COMPUTED, 0, 0, 2)
                                            : moves(ARM_MOVE, rd, rm, 0);
    default:
        return op & 0x80 ? moves(ARM_CALL, 0, rm, 0) : moves(ARM_MOVE, ARM_PC, rm, 0);
    }
}

static struct arm_code thumb_add(uint16_t op)
{
    bool less = op >> 9 & 1, small = (op & 0xf800) == 0x1800;
    if (small)
        return op >> 10 & 1 ? moves(ARM_ADD, op & 7, op >> 3 & 7, (less ? -1 : 1) * (op >> 6 & 7))
                            : moves(ARM_LOST, op & 7, 0, 0);
    less = op >> 11 & 1;
    return moves(ARM_ADD, op >> 8 & 7, op >> 8 & 7, less ? -(op & 0xff) : op & 0xff);
}

static struct arm_code thumb_branch(uint16_t op)
{
    unsigned condition = op >> 8 & 15;
    if (condition == 15)
        return moves(ARM_SYSTEM_CALL, 0, 0, 0);
    if (condition == 14)
        return moves(ARM_UNKNOWN, 0, 0, 0);
    return moves(ARM_BRANCH, 0, 0, 4 + 2 * (int8_t)op);
}

static struct arm_code thumb_short(uint16_t op)
{
    unsigned rd = op >> 8 & 7;
    switch (op >> 11) {
    case 0x03:
    case 0x06:
    case 0x07:
        return thumb_add(op);
    case 0x04:
        return moves(ARM_CONSTANT, rd, 0, op & 0xff);
    case 0x08:
        return op >> 10 & 1 ? thumb_high(op) : moves(ARM_PLAIN, 0, 0, 0);
    case 0x09:
        return moves(ARM_LITERAL, rd, 0, 4 + 4 * (op & 0xff));
    case 0x12:
    case 0x13:
        return transfer(op >> 11 & 1, ARM_SP, 1u << rd, 4 * (op & 0xff), 0);
    case 0x15:
        return moves(ARM_ADD, rd, ARM_SP, 4 * (op & 0xff));
    case 0x16:
    case 0x17:
        return thumb_misc(op);
    case 0x1a:
    case 0x1b:
        return thumb_branch(op);
    case 0x1c:
        return moves(ARM_JUMP, 0, 0, 4 + ((int32_t)((uint32_t)op << 21) >> 20));
    default:
        return moves(ARM_PLAIN, 0, 0, 0);
    }
}

/* --- T32, 32 bits: op is the first half above the second --- */

static int32_t thumb_constant(uint32_t op)
{
    uint32_t bits = (op >> 15 & 0x800) | (op >> 4 & 0x700) | (op & 0xff), byte = bits & 0xff;
    switch (bits >> 8) {
    case 0:
        return (int32_t)byte;
    case 1:
        return (int32_t)(byte | byte << 16);
    case 2:
        return (int32_t)(byte << 8 | byte << 24);
    case 3:
        return (int32_t)(byte * 0x01010101u);
    default:
        return (int32_t)rotate_right(0x80 | (bits & 0x7f), bits >> 7);
    }
}

static struct arm_code thumb_immediate(uint32_t op)
{
    unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, how = op >> 21 & 15;
    int32_t plain = (int32_t)((op >> 15 & 0x800) | (op >> 4 & 0x700) | (op & 0xff));
    if (op >> 25 & 1) { /* plain binary: addw, subw, movw, bit fields */
        if (rn != ARM_PC && (op & 0x01f00000) == 0)
            return moves(ARM_ADD, rd, rn, plain);
        if (rn != ARM_PC && (op & 0x01f00000) == 0x00a00000)
            return moves(ARM_ADD, rd, rn, -plain);
        return moves(ARM_LOST, rd, 0, 0);
    }
    bool compare = rd == ARM_PC && op >> 20 & 1;
    if (compare)
        return moves(ARM_PLAIN, 0, 0, 0);
    if (how == 8)
        return moves(ARM_ADD, rd, rn, thumb_constant(op));
    if (how == 13)
        return moves(ARM_ADD, rd, rn, negate(thumb_constant(op)));
    if (how == 2 && rn == ARM_PC)
        return moves(ARM_CONSTANT, rd, 0, thumb_constant(op));
    return moves(ARM_LOST, rd, 0, 0);
}

/* B of all kinds, BL and BLX: both halves have parts of the distance. */
static struct arm_code thumb_far(uint32_t op)
{
    uint32_t s = op >> 26 & 1, j1 = op >> 13 & 1, j2 = op >> 11 & 1;
    uint32_t far = s << 24 | (1 ^ j1 ^ s) << 23 | (1 ^ j2 ^ s) << 22 | (op >> 16 & 0x3ff) << 12 |
                   (op & 0x7ff) << 1;
    int32_t by = 4 + ((int32_t)(far << 7) >> 7); /* 25 bits */
    if ((op & 0xc000) == 0xc000)
        return calls(by, !(op >> 12 & 1));
    if (op >> 12 & 1)
        return moves(ARM_JUMP, 0, 0, by);
    if ((op >> 22 & 14) == 14) /* barriers, system registers */
        return moves(ARM_PLAIN, 0, 0, 0);
    far = s << 20 | j2 << 19 | j1 << 18 | (op >> 16 & 0x3f) << 12 | (op & 0x7ff) << 1;
    return moves(ARM_BRANCH, 0, 0, 4 + ((int32_t)(far << 11) >> 11));
}

/* 1110100: LDM, STM, LDRD, STRD, exclusive ones, jumps by tables. */
static struct arm_code thumb_pairs(uint32_t op)
{
    unsigned rt = op >> 12 & 15, rt2 = op >> 8 & 15;
    bool pair = op >> 22 & 1, load = op >> 20 & 1, access = op >> 24 & 1 || op >> 21 & 1;
    if (!pair)
        return multiple(op, op & 0xffff);
    if (!access)
        return (op & 0xffffffe0) == 0xe8dff000
                   ? (struct arm_code){.kind = ARM_TABLE, .rn = op & 15, .step = op & 0x10 ? 2 : 1}
                   : moves(ARM_PLAIN, 0, 0, 0);
    if (rt >= rt2 || (op >> 16 & 15) == ARM_PC)
        return moves(ARM_PLAIN, 0, 0, 0);
    return offset_form(op, 1u << rt | 1u << rt2, 4 * (op & 0xff), load);
}

/* 1111100: one item; words here. */
static struct arm_code thumb_single(uint32_t op)
{
    unsigned rt = op >> 12 & 15, rn = op >> 16 & 15;
    bool load = op >> 20 & 1, word = (op >> 21 & 3) == 2 && !(op >> 24 & 1);
    if (!word)
        return moves(ARM_PLAIN, 0, 0, 0);
    if (rn == ARM_PC)
        return moves(load ? ARM_LITERAL : ARM_PLAIN, rt, 0,
                     4 + (op >> 23 & 1 ? (int32_t)(op & 0xfff) : -(int32_t)(op & 0xfff)));
    if (op >> 23 & 1)
        return transfer(load, rn, 1u << rt, (int32_t)(op & 0xfff), 0);
    if (op >> 11 & 1) { /* P, U, W in bits 10 to 8 */
        uint32_t form =
            (op & 0x000f0000) | (op >> 10 & 1) << 24 | (op >> 9 & 1) << 23 | (op >> 8 & 1) << 21;
        return offset_form(form, 1u << rt, op & 0xff, load);
    }
    return moves(load && rt == ARM_PC ? ARM_JUMP_TABLE : ARM_PLAIN, 0, 0, 0);
}

static struct arm_code thumb_shifted(uint32_t op)
{
    unsigned rd = op >> 8 & 15;
    if ((op & 0xffeff0f0) == 0xea4f0000)
        return moves(ARM_MOVE, rd, op & 15, 0);
    return rd == ARM_PC ? moves(ARM_PLAIN, 0, 0, 0) : moves(ARM_LOST, rd, 0, 0);
}

static struct arm_code thumb_long(uint32_t op)
{
    struct arm_code vfp;
    switch (op >> 25) {
    case 0x74:
        return thumb_pairs(op);
    case 0x75:
        return thumb_shifted(op);
    case 0x76:
        return moves_vfp(op, &vfp) ? vfp : moves(ARM_PLAIN, 0, 0, 0);
    case 0x78:
    case 0x79:
    case 0x7a:
    case 0x7b:
        return op >> 15 & 1 ? thumb_far(op) : thumb_immediate(op);
    case 0x7c:
        return thumb_single(op);
    default:
        return moves(ARM_PLAIN, 0, 0, 0);
    }
}

void thumb_code_read(uint16_t first, uint16_t second, struct arm_code *out)
{
    bool is_long = first >> 11 >= 0x1d;
    *out = is_long ? thumb_long((uint32_t)first << 16 | second) : thumb_short(first);
    out->len = is_long ? 4 : 2;
}

/* A call from T32 to A32 counts from the aligned address. */
uint32_t arm_code_target(const struct arm_code *c, bool thumb, uint32_t addr)
{
    uint32_t from = thumb && c->exchanges ? addr & ~UINT32_C(3) : addr;
    return from + (uint32_t)c->by;
}
