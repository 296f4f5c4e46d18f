#include "x86_code.h"

#include "core/base/bytes.h"
#include "core/insn/x86.h"

#include <string.h>

/* An instruction of the one-byte map or of 0F. */
struct parts {
    struct x86_insn i;
    const uint8_t *bytes;
    uint8_t op;
    bool two;    /* it follows 0F */
    bool narrow; /* 66 */
};

static unsigned modrm_mod(const struct parts *p)
{
    return p->i.modrm >> 6;
}

/* With the prefix's fourth bit. */
static unsigned modrm_reg(const struct parts *p)
{
    return (p->i.modrm >> 3 & 7u) | (p->i.rex & 4u) << 1;
}

static unsigned modrm_rm(const struct parts *p)
{
    return (p->i.modrm & 7u) | (p->i.rex & 1u) << 3;
}

/* --- the stack pointer as an operand --- */

static bool is_sp(const struct parts *p)
{
    return modrm_mod(p) == 3 && modrm_rm(p) == X86_SP;
}

/* ADD and SUB of a number; what compares leaves it alone. */
static bool decode_add_sub(const struct parts *p, struct x86_code *out)
{
    unsigned op = modrm_reg(p) & 7;
    enum { ADD = 0, SUB = 5, CMP = 7 };
    if (op == CMP)
        return true;
    const uint8_t *end = p->bytes + p->i.len;
    int32_t by = p->op == 0x83 ? (int8_t)end[-1] : (int32_t)get_le32(end - 4);
    out->kind = X86_MOVES_SP;
    out->by = op == SUB ? -by : by;
    return p->i.rex & 8 && (op == ADD || op == SUB);
}

/* LEA of a distance from itself. */
static bool decode_lea(const struct parts *p, struct x86_code *out)
{
    out->kind = X86_MOVES_SP;
    out->by = p->i.displacement;
    return p->i.rex & 8 && p->i.memory && p->i.base == X86_RSP && p->i.index == X86_NO_REGISTER;
}

static bool moves_to_fp(const struct parts *p)
{
    return p->i.rex & 8 && modrm_mod(p) == 3 &&
           ((p->op == 0x89 && modrm_reg(p) == X86_SP && modrm_rm(p) == X86_FP) ||
            (p->op == 0x8b && modrm_reg(p) == X86_FP && modrm_rm(p) == X86_SP));
}

/* Of MOV, XCHG, MOVSXD and the eight that calculate, whose second bit is the direction. */
static bool writes_sp(const struct parts *p)
{
    bool calculates = p->op < 0x38 && (p->op & 7) < 4, into_reg = p->op & 2;
    if (calculates || p->op == 0x89 || p->op == 0x8b)
        return into_reg ? modrm_reg(p) == X86_SP : is_sp(p);
    if (p->op == 0x63)
        return modrm_reg(p) == X86_SP;
    if (p->op == 0x87)
        return modrm_reg(p) == X86_SP || is_sp(p);
    return (p->op == 0xc7 || p->op == 0xc1 || p->op == 0xd1 || p->op == 0xd3) && is_sp(p);
}

/* POP of memory, XCHG with the stack pointer, PUSHF, POPF, ENTER, interrupts; of segment registers
 * PUSH, POP and LSS. */
static bool changes_sp(const struct parts *p)
{
    static const uint8_t one[] = {0x8f, 0x9c, 0x9d, 0xc8, 0xcd};
    static const uint8_t two[] = {0xa0, 0xa1, 0xa8, 0xa9, 0xb2};
    if (p->op == 0x94 && !p->two)
        return !(p->i.rex & 1);
    return memchr(p->two ? two : one, p->op, sizeof one);
}

/* --- kinds --- */

static bool decode_group_ff(const struct parts *p, struct x86_code *out)
{
    enum { INC, DEC, PUSH = 6 };
    unsigned op = modrm_reg(p) & 7;
    if (op == PUSH) {
        out->kind = X86_MOVES_SP;
        out->by = -8;
    }
    return !(op <= DEC && is_sp(p));
}

static bool decode_push_pop(const struct parts *p, struct x86_code *out)
{
    out->reg = (p->op & 7u) | (p->i.rex & 1u) << 3;
    out->kind = (p->op & 0xf0) != 0x50 ? X86_MOVES_SP : p->op & 8 ? X86_POP : X86_PUSH;
    out->by = -8;
    return !(out->kind == X86_POP && out->reg == X86_SP) && !p->narrow;
}

static bool decode_one_byte(const struct parts *p, struct x86_code *out)
{
    switch (p->op) {
    case 0xc9:
        out->kind = X86_LEAVE;
        return true;
    case 0xff:
        return decode_group_ff(p, out);
    case 0x81:
    case 0x83:
        return !is_sp(p) || decode_add_sub(p, out);
    case 0x8d:
        return modrm_reg(p) != X86_SP || decode_lea(p, out);
    case 0x68:
    case 0x6a:
        return decode_push_pop(p, out);
    default:
        break;
    }
    if ((p->op & 0xf0) == 0x50)
        return decode_push_pop(p, out);
    if (moves_to_fp(p))
        out->kind = X86_SETS_FP;
    return !p->i.has_modrm || !writes_sp(p);
}

static bool decode_kind(const struct parts *p, struct x86_code *out)
{
    switch (p->i.kind) {
    case INSN_RETURN:
        out->kind = X86_RETURN;
        return p->op == 0xc3;
    case INSN_JUMP:
        out->kind = X86_JUMP;
        out->by = p->i.displacement;
        return true;
    case INSN_JUMP_INDIRECT:
        out->kind = X86_JUMP_INDIRECT;
        return true;
    case INSN_PLAIN:
        return !changes_sp(p) && (p->two || decode_one_byte(p, out));
    default:
        return p->i.kind != INSN_TRAP;
    }
}

bool x86_code_read(const uint8_t bytes[X86_MAX_BYTES], struct x86_code *out)
{
    struct parts p = {.bytes = bytes};
    *out = (struct x86_code){.kind = X86_PLAIN};
    if (!x86_insn_read(bytes, X86_MAX_BYTES, &p.i) || p.i.map > X86_MAP_0F)
        return false;
    p.op = p.i.opcode;
    p.two = p.i.map == X86_MAP_0F;
    p.narrow = memchr(bytes, 0x66, p.i.prefixes);
    out->len = p.i.len;
    return decode_kind(&p, out);
}
