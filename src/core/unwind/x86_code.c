#include "x86_code.h"

#include "core/base/bytes.h"

/* What follows an opcode: n nothing, m a ModRM byte, b and d a number of 8 or 32 bits, B and D both
 * a ModRM byte and a number, g F6 and F7, whose register tells. */
static const char one_byte[] = "mmmmbd..mmmmbd..mmmmbd..mmmmbd.."
                               "mmmmbd..mmmmbd..mmmmbd..mmmmbd.."
                               "................nnnnnnnnnnnnnnnn"
                               "...m....dDbB....bbbbbbbbbbbbbbbb"
                               "BD.Bmmmmmmmmmmm.nnnn.nnnnn....nn"
                               "....nnnnbdnnnnnnbbbbbbbbdddddddd"
                               "BB.n..BD.n......mmmm....mmmmmmmm"
                               "........dd.b.........nggnn..nnmm";
static const char behind_0f[] = ".....n.......m..mmmmmmmmmmmmmmmm"
                                "........mmmmmmmm.n.............."
                                "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmmBBBBmmmn....mmmm"
                                "ddddddddddddddddmmmmmmmmmmmmmmmm"
                                "..nmBm.....mBmmmmm.m..mmm.Bmmmmm"
                                "mmBmBBBmnnnnnnnnmmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm.";

struct parts {
    const uint8_t *bytes;
    unsigned at; /* behind what was read */
    bool narrow; /* 66 */
    uint8_t rex, op, modrm, sib;
    bool two; /* op follows 0F */
    char form;
    int32_t displacement, immediate;
};

static bool is_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || byte == 0x64 ||
           byte == 0x65 || byte == 0x2e || byte == 0x3e;
}

static uint8_t next_byte(struct parts *p)
{
    if (p->at < X86_MAX_BYTES)
        return p->bytes[p->at++];
    p->at = X86_MAX_BYTES + 1;
    return 0;
}

static void read_opcode(struct parts *p)
{
    while (p->at < X86_MAX_BYTES && is_prefix(p->bytes[p->at]))
        p->narrow |= next_byte(p) == 0x66;
    if (p->at < X86_MAX_BYTES && (p->bytes[p->at] & 0xf0) == 0x40)
        p->rex = next_byte(p);
    p->op = next_byte(p);
    p->two = p->op == 0x0f;
    if (p->two)
        p->op = next_byte(p);
    p->form = p->two ? behind_0f[p->op] : one_byte[p->op];
}

static unsigned modrm_mod(const struct parts *p)
{
    return p->modrm >> 6;
}

/* With the prefix's fourth bit. */
static unsigned modrm_reg(const struct parts *p)
{
    return (p->modrm >> 3 & 7) | (p->rex & 4) << 1;
}

static unsigned modrm_rm(const struct parts *p)
{
    return (p->modrm & 7) | (p->rex & 1u) << 3;
}

static int32_t read_signed(struct parts *p, unsigned bytes)
{
    unsigned at = p->at;
    p->at += bytes;
    if (p->at > X86_MAX_BYTES)
        return 0;
    return bytes == 1   ? (int8_t)p->bytes[at]
           : bytes == 2 ? (int16_t)get_le16(p->bytes + at)
                        : (int32_t)get_le32(p->bytes + at);
}

static void read_modrm(struct parts *p)
{
    p->modrm = next_byte(p);
    if (modrm_mod(p) == 3)
        return;
    bool absolute = (p->modrm & 7) == 5;
    if ((p->modrm & 7) == 4) {
        p->sib = next_byte(p);
        absolute = (p->sib & 7) == 5;
    }
    if (modrm_mod(p) == 1)
        p->displacement = read_signed(p, 1);
    else if (modrm_mod(p) == 2 || absolute)
        p->displacement = read_signed(p, 4);
}

/* Of MOV alone a number of 64 bits follows; jumps have 32 whatever the prefix. */
static void read_number(struct parts *p, char form)
{
    bool is_jump = p->two || p->op == 0xe8 || p->op == 0xe9;
    if (form == 'b' || form == 'B')
        p->immediate = read_signed(p, 1);
    else if (p->rex & 8 && (p->op & 0xf8) == 0xb8 && !p->two)
        p->at += 8;
    else
        p->immediate = read_signed(p, p->narrow && !is_jump ? 2 : 4);
}

static bool read_parts(struct parts *p)
{
    read_opcode(p);
    char form = p->form;
    if (form == 'm' || form == 'B' || form == 'D' || form == 'g')
        read_modrm(p);
    if (form == 'g')
        form = modrm_reg(p) & 6 ? 'm' : p->op == 0xf6 ? 'B' : 'D';
    if (form == 'b' || form == 'd' || form == 'B' || form == 'D')
        read_number(p, form);
    return p->form != '.' && p->at <= X86_MAX_BYTES;
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
    out->kind = X86_MOVES_SP;
    out->by = op == SUB ? -p->immediate : p->immediate;
    return p->rex & 8 && (op == ADD || op == SUB);
}

/* LEA of a distance from itself. */
static bool decode_lea(const struct parts *p, struct x86_code *out)
{
    out->kind = X86_MOVES_SP;
    out->by = p->displacement;
    return p->rex & 8 && (modrm_mod(p) == 1 || modrm_mod(p) == 2) && (p->modrm & 7) == 4 &&
           p->sib == 0x24 && !(p->rex & 3);
}

static bool moves_to_fp(const struct parts *p)
{
    return p->rex & 8 && modrm_mod(p) == 3 &&
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

/* --- kinds --- */

static bool decode_group_ff(const struct parts *p, struct x86_code *out)
{
    enum { CALL = 2, JUMP = 4, PUSH = 6 };
    switch (modrm_reg(p) & 7) {
    case JUMP:
        out->kind = X86_JUMP_INDIRECT;
        return true;
    case PUSH:
        out->kind = X86_MOVES_SP;
        out->by = -8;
        return true;
    case CALL:
        return true;
    default:
        return (modrm_reg(p) & 7) < CALL && !is_sp(p);
    }
}

static bool decode_push_pop(const struct parts *p, struct x86_code *out)
{
    out->reg = (p->op & 7) | (p->rex & 1u) << 3;
    if ((p->op & 0xf0) == 0x50)
        out->kind = p->op & 8 ? X86_POP : X86_PUSH;
    else if (p->op == 0x68 || p->op == 0x6a)
        out->kind = X86_MOVES_SP;
    out->by = -8;
    return !(out->kind == X86_POP && out->reg == X86_SP) && !p->narrow;
}

static bool decode_jump(const struct parts *p, struct x86_code *out)
{
    out->kind = X86_JUMP;
    out->by = p->immediate;
    return true;
}

static bool decode_kind(const struct parts *p, struct x86_code *out)
{
    if (p->two)
        return true;
    switch (p->op) {
    case 0xc3:
        out->kind = X86_RETURN;
        return true;
    case 0xc9:
        out->kind = X86_LEAVE;
        return true;
    case 0xe9:
    case 0xeb:
        return decode_jump(p, out);
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
    return (p->form != 'm' && p->form != 'D' && p->form != 'B') || !writes_sp(p);
}

bool x86_code_read(const uint8_t bytes[X86_MAX_BYTES], struct x86_code *out)
{
    struct parts p = {.bytes = bytes};
    *out = (struct x86_code){.kind = X86_PLAIN};
    if (!read_parts(&p))
        return false;
    out->len = p.at;
    return decode_kind(&p, out);
}
