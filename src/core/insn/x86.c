#include "core/insn/x86.h"

#include "core/base/bytes.h"
#include "x86_tables.h"

struct reader {
    const uint8_t *bytes;
    unsigned at, end;
    bool overrun;
    bool operand_16, address_32, repeat, repeat_not, lock;
    unsigned vector_prefix; /* of VEX and EVEX */
    bool third_register;    /* of VEX */
    struct x86_insn *out;
};

static uint8_t next_byte(struct reader *r)
{
    if (r->at < r->end)
        return r->bytes[r->at++];
    r->overrun = true;
    return 0;
}

static void skip_bytes(struct reader *r, unsigned count)
{
    r->overrun |= count > r->end - r->at;
    r->at += r->overrun ? 0 : count;
}

/* --- prefixes --- */

static bool note_prefix(struct reader *r, uint8_t byte)
{
    switch (byte) {
    case 0x66:
        return r->operand_16 = true;
    case 0x67:
        return r->address_32 = true;
    case 0xf0:
        return r->lock = true;
    case 0xf2:
        return r->repeat_not = true;
    case 0xf3:
        return r->repeat = true;
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
        return true;
    default:
        return false;
    }
}

static void read_prefixes(struct reader *r)
{
    while (r->at < r->end && note_prefix(r, r->bytes[r->at]))
        r->at++;
    r->out->prefixes = (uint8_t)r->at;
    if (r->at < r->end && (r->bytes[r->at] & 0xf0) == 0x40)
        r->out->rex = next_byte(r);
}

/* --- the opcode --- */

static void set_map(struct reader *r, unsigned map)
{
    r->out->map = (uint8_t)map;
    r->out->opcode = next_byte(r);
}

static unsigned prefix_numbered(unsigned number)
{
    return 1u << number; /* as VEX numbers them: none, 66, F3, F2 */
}

/* The inverted bits of VEX and EVEX, as REX has them. */
static uint8_t rex_of(uint8_t inverted, uint8_t w)
{
    return (uint8_t)(0x40 | (~inverted >> 5 & 7) | (w & 0x80) >> 4);
}

static void note_vex(struct reader *r, uint8_t byte)
{
    r->vector_prefix = prefix_numbered(byte & 3);
    r->third_register = (byte & 0x78) != 0x78;
}

static void read_vex2(struct reader *r)
{
    uint8_t byte = next_byte(r);
    r->out->rex = 0x40 | (~byte >> 5 & 4);
    note_vex(r, byte);
    set_map(r, X86_MAP_VEX + 1);
}

static bool read_vex3(struct reader *r)
{
    uint8_t map = next_byte(r), byte = next_byte(r);
    r->out->rex = rex_of(map, byte);
    note_vex(r, byte);
    set_map(r, X86_MAP_VEX + (map & 3u));
    return (map & 0x1f) >= 1 && (map & 0x1f) <= 3;
}

static bool read_evex(struct reader *r)
{
    uint8_t map = next_byte(r), byte = next_byte(r);
    next_byte(r);
    r->out->rex = rex_of(map, byte);
    r->vector_prefix = prefix_numbered(byte & 3);
    set_map(r, X86_MAP_EVEX + (map & 3u));
    return (map & 0xf) >= 1 && (map & 0xf) <= 3 && byte & 4;
}

static void read_0f(struct reader *r)
{
    set_map(r, X86_MAP_0F);
    if (r->out->opcode == 0x38)
        set_map(r, X86_MAP_0F38);
    else if (r->out->opcode == 0x3a)
        set_map(r, X86_MAP_0F3A);
}

static bool is_vector(uint8_t byte)
{
    return byte == 0xc4 || byte == 0xc5 || byte == 0x62;
}

static bool read_opcode(struct reader *r)
{
    set_map(r, X86_MAP_ONE);
    uint8_t byte = r->out->opcode;
    if (byte == 0x0f)
        read_0f(r);
    if (!is_vector(byte))
        return true;
    if (r->out->rex || r->operand_16 || r->repeat || r->repeat_not || r->lock)
        return false;
    if (byte == 0xc5)
        read_vex2(r);
    return byte == 0xc5 || (byte == 0xc4 ? read_vex3(r) : read_evex(r));
}

static unsigned mandatory_prefix(const struct reader *r)
{
    if (r->out->map >= X86_MAP_VEX)
        return r->vector_prefix;
    return r->repeat_not   ? X86_PREFIX_F2
           : r->repeat     ? X86_PREFIX_F3
           : r->operand_16 ? X86_PREFIX_66
                           : X86_PREFIX_NONE;
}

/* --- what follows the opcode --- */

static int32_t read_signed(struct reader *r, unsigned size)
{
    const uint8_t *at = r->bytes + r->at;
    skip_bytes(r, size);
    if (r->overrun)
        return 0;
    return size == 1 ? (int8_t)at[0] : (int32_t)get_le32(at);
}

static void set_relative(struct reader *r, unsigned size)
{
    r->out->relative_at = (uint8_t)r->at;
    r->out->relative_size = (uint8_t)size;
    r->out->displacement = read_signed(r, size);
}

static void read_sib(struct reader *r, unsigned mod)
{
    uint8_t sib = next_byte(r), rex = r->out->rex;
    unsigned index = (sib >> 3 & 7u) | (rex & 2u) << 2;
    r->out->index = (uint8_t)(index == X86_RSP ? X86_NO_REGISTER : index);
    if ((sib & 7) == X86_RBP && mod == 0)
        r->out->displacement = read_signed(r, 4);
    else
        r->out->base = (uint8_t)((sib & 7u) | (rex & 1u) << 3);
}

static void read_address(struct reader *r, unsigned mod, unsigned rm)
{
    r->out->memory = true;
    if (rm == X86_RSP)
        read_sib(r, mod);
    else if (rm == X86_RBP && mod == 0) {
        r->out->base = X86_RIP;
        set_relative(r, 4);
    } else
        r->out->base = (uint8_t)(rm | (r->out->rex & 1u) << 3);
    if (mod)
        r->out->displacement = read_signed(r, mod == 1 ? 1 : 4);
}

static void read_modrm(struct reader *r)
{
    r->out->modrm = next_byte(r);
    r->out->has_modrm = true;
    if (r->out->modrm < 0xc0)
        read_address(r, r->out->modrm >> 6, r->out->modrm & 7);
}

static bool is_wide(const struct reader *r)
{
    return r->out->rex & 8;
}

static void skip_number(struct reader *r, char form)
{
    unsigned natural = r->operand_16 && !is_wide(r) ? 2 : 4;
    switch (form) {
    case 'b':
    case 'B':
        skip_bytes(r, 1);
        break;
    case 'w':
        skip_bytes(r, 2);
        break;
    case 'e':
        skip_bytes(r, 3);
        break;
    case 'd':
    case 'D':
        skip_bytes(r, natural);
        break;
    case 'v':
        skip_bytes(r, is_wide(r) ? 8 : natural);
        break;
    case 'a':
        skip_bytes(r, r->address_32 ? 4 : 8);
        break;
    default:
        break;
    }
}

/* F6 and F7: TEST alone has a number. */
static char form_of_group(const struct x86_insn *i)
{
    if (i->modrm >> 3 & 6)
        return 'm';
    return i->opcode == 0xf6 ? 'B' : 'D';
}

/* A jump with prefix 66 goes elsewhere on Intel's processors than on AMD's. */
static bool read_rest(struct reader *r)
{
    char form = x86_form((enum x86_map)r->out->map, r->out->opcode);
    if (form == '.')
        return false;
    if (form == 'm' || form == 'B' || form == 'D' || form == 'g')
        read_modrm(r);
    if (form == 'j' || form == 'J') {
        set_relative(r, form == 'j' ? 1 : 4);
        return !r->operand_16 || is_wide(r);
    }
    if (form == 'n' && r->third_register)
        return false;
    skip_number(r, form == 'g' ? form_of_group(r->out) : form);
    return !(r->address_32 && r->out->base == X86_RIP);
}

/* --- the kind --- */

static enum insn_kind kind_of_ff(const struct x86_insn *i)
{
    unsigned reg = i->modrm >> 3 & 7;
    return reg == 2 ? INSN_CALL_INDIRECT : reg == 4 ? INSN_JUMP_INDIRECT : INSN_PLAIN;
}

static enum insn_kind kind_of_one(const struct reader *r)
{
    const struct x86_insn *i = r->out;
    switch (i->opcode) {
    case 0x90:
        return r->repeat || i->rex & 1 ? INSN_PLAIN : INSN_NOP;
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf:
        return INSN_RETURN;
    case 0xcc:
    case 0xf1:
    case 0xf4:
        return INSN_TRAP;
    case 0xe8:
        return INSN_CALL;
    case 0xe9:
    case 0xeb:
        return INSN_JUMP;
    case 0xff:
        return kind_of_ff(i);
    default:
        return i->relative_size && i->base != X86_RIP ? INSN_BRANCH : INSN_PLAIN;
    }
}

static enum insn_kind kind_of_0f(const struct reader *r)
{
    const struct x86_insn *i = r->out;
    if (i->opcode == 0x1e && r->repeat && i->modrm == 0xfa)
        return INSN_LANDING;
    if (i->opcode == 0x0b)
        return INSN_TRAP;
    if (i->opcode == 0x1f)
        return INSN_NOP;
    return (i->opcode & 0xf0) == 0x80 ? INSN_BRANCH : INSN_PLAIN;
}

static enum insn_kind kind_of(const struct reader *r)
{
    return r->out->map == X86_MAP_ONE  ? kind_of_one(r)
           : r->out->map == X86_MAP_0F ? kind_of_0f(r)
                                       : INSN_PLAIN;
}

bool x86_insn_read(const uint8_t *bytes, size_t len, struct x86_insn *out)
{
    struct reader r = {.bytes = bytes, .out = out};
    r.end = len < X86_INSN_MAX ? (unsigned)len : X86_INSN_MAX;
    *out = (struct x86_insn){.base = X86_NO_REGISTER, .index = X86_NO_REGISTER};
    read_prefixes(&r);
    if (!read_opcode(&r) || !read_rest(&r) || r.overrun)
        return false;
    if (!x86_group_has(out, mandatory_prefix(&r)))
        return false;
    out->len = (uint8_t)r.at;
    out->kind = kind_of(&r);
    return true;
}
