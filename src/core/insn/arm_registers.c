#include "arm_exists.h"
#include "arm_fields.h"
#include "core/base/bytes.h"

enum { SP = 13, LR = 14, PC = 15 };

/* --- fields of four bits --- */

static void read_field(struct arm_registers *r, uint32_t op, unsigned at, bool optional)
{
    unsigned reg = op >> at & 15;
    if (optional && reg == PC)
        return;
    r->read |= (uint16_t)(1u << reg);
    r->pc_fields |= reg == PC ? 15u << at : 0;
}

static void write_field(struct arm_registers *r, uint32_t op, unsigned at, bool optional)
{
    unsigned reg = op >> at & 15;
    if (!optional || reg != PC)
        r->written |= (uint16_t)(1u << reg);
}

static void read_fields(struct arm_registers *r, uint32_t op, uint32_t fields)
{
    static const uint8_t at[] = {0, 8, 12, 16};
    for (unsigned i = 0; i < sizeof at; i++) {
        bool optional = fields >> (8 + i) & 1;
        if (fields >> i & 1)
            read_field(r, op, at[i], optional);
        if (fields >> (4 + i) & 1)
            write_field(r, op, at[i], optional);
    }
}

static void read_list(struct arm_registers *r, uint32_t op)
{
    if (op >> 20 & 1)
        r->written |= op & 0xffff;
    else
        r->read |= op & 0xffff;
}

static bool simd_t32_exists(uint32_t op)
{
    return arm_simd_exists((op & 0xffffff) | (op >> 28 & 1) << 24);
}

static bool exists(uint32_t op, uint32_t fields)
{
    static bool (*const checks[])(uint32_t op) = {NULL,
                                                  arm_simd_exists,
                                                  simd_t32_exists,
                                                  arm_elements_exist,
                                                  arm_float_exists,
                                                  arm_float_always_exists,
                                                  arm_float_move_exists,
                                                  arm_float_pair_exists,
                                                  arm_float_memory_exists};
    uint32_t check = fields >> 16;
    return !check || checks[check](op);
}

static bool read_form(struct arm_registers *r, uint32_t op, uint32_t fields)
{
    *r = (struct arm_registers){0};
    read_fields(r, op, fields);
    if (fields & LIST)
        read_list(r, op);
    if (fields & PAIR12)
        r->written |= (uint16_t)(3u << (op >> 12 & 14));
    if (fields & ADDRESS0 && (op & 15) != SP)
        read_field(r, op, 0, true);
    return !(fields & UNKNOWN) && exists(op, fields);
}

static const struct arm_form *arm_find_form(const struct arm_form *forms, uint32_t op)
{
    while ((op & forms->mask) != forms->bits)
        forms++;
    return forms;
}

bool arm_registers_a32(uint32_t op, struct arm_registers *out)
{
    const struct arm_form *forms = op >> 28 == 15 ? arm_a32_always_forms : arm_a32_forms;
    return read_form(out, op, arm_find_form(forms, op)->fields);
}

bool arm_registers_t32(uint32_t op, struct arm_registers *out)
{
    return read_form(out, op, arm_find_form(arm_t32_forms, op)->fields);
}

/* --- T32, 16 bits: fields of three --- */

enum {
    LOW_R0 = 1 << 0,
    LOW_R3 = 1 << 1,
    LOW_R6 = 1 << 2,
    LOW_R8 = 1 << 3,
    LOW_W0 = 1 << 4,
    LOW_W8 = 1 << 7,
    HIGH_R3 = 1 << 8,  /* four bits */
    HIGH_R0 = 1 << 9,  /* four, the highest at 7 */
    HIGH_W0 = 1 << 10, /* the same */
    SP_R = 1 << 11,
    SP_W = 1 << 12,
    PC_R = 1 << 13, /* what has no field for it */
    LOW_LIST = 1 << 14,
    NONE_SUCH = 1 << 15,
};

static const struct {
    uint16_t mask, bits, fields;
} t16_forms[] = {{0xf800, 0x1800, LOW_R3 | LOW_R6 | LOW_W0},    /* add, sub of three registers */
                 {0xfe00, 0x1c00, LOW_R3 | LOW_W0},             /* and a number: see below */
                 {0xe000, 0x0000, LOW_R3 | LOW_W0},             /* shifts */
                 {0xf800, 0x2000, LOW_W8},                      /* mov */
                 {0xf800, 0x2800, LOW_R8},                      /* cmp */
                 {0xe000, 0x2000, LOW_R8 | LOW_W8},             /* add, sub */
                 {0xffc0, 0x4200, LOW_R0 | LOW_R3},             /* tst */
                 {0xff80, 0x4280, LOW_R0 | LOW_R3},             /* cmp, cmn */
                 {0xffc0, 0x4240, LOW_R3 | LOW_W0},             /* rsb */
                 {0xffc0, 0x43c0, LOW_R3 | LOW_W0},             /* mvn */
                 {0xfc00, 0x4000, LOW_R0 | LOW_R3 | LOW_W0},    /* other data processing */
                 {0xff00, 0x4400, HIGH_R3 | HIGH_R0 | HIGH_W0}, /* add */
                 {0xff00, 0x4500, HIGH_R3 | HIGH_R0},           /* cmp */
                 {0xff00, 0x4600, HIGH_R3 | HIGH_W0},           /* mov */
                 {0xff07, 0x4700, HIGH_R3},                     /* bx, blx */
                 {0xf800, 0x4800, PC_R | LOW_W8},               /* ldr */
                 {0xfe00, 0x5000, LOW_R3 | LOW_R6 | LOW_R0},    /* str */
                 {0xfe00, 0x5200, LOW_R3 | LOW_R6 | LOW_R0},    /* strh */
                 {0xfe00, 0x5400, LOW_R3 | LOW_R6 | LOW_R0},    /* strb */
                 {0xf000, 0x5000, LOW_R3 | LOW_R6 | LOW_W0},    /* loads */
                 {0xe800, 0x6000, LOW_R3 | LOW_R0},             /* str, strb */
                 {0xe800, 0x6800, LOW_R3 | LOW_W0},             /* ldr, ldrb */
                 {0xf800, 0x8000, LOW_R3 | LOW_R0},             /* strh */
                 {0xf800, 0x8800, LOW_R3 | LOW_W0},             /* ldrh */
                 {0xf800, 0x9000, SP_R | LOW_R8},               /* str */
                 {0xf800, 0x9800, SP_R | LOW_W8},               /* ldr */
                 {0xf800, 0xa000, PC_R | LOW_W8},               /* adr */
                 {0xf800, 0xa800, SP_R | LOW_W8},               /* add */
                 {0xff00, 0xb000, SP_R | SP_W},                 /* add, sub */
                 {0xf500, 0xb100, LOW_R0},                      /* cbz, cbnz */
                 {0xff00, 0xb200, LOW_R3 | LOW_W0},             /* extend */
                 {0xf600, 0xb400, SP_R | SP_W | LOW_LIST},      /* push, pop */
                 {0xffc0, 0xba80, NONE_SUCH},                   /* hlt */
                 {0xff00, 0xba00, LOW_R3 | LOW_W0},             /* reverse */
                 {0xff00, 0xbe00, 0},                           /* bkpt */
                 {0xff0f, 0xbf00, 0},                           /* hints */
                 {0xffff, 0xbfe1, 0},                           /* it, always, without an else */
                 {0xffff, 0xbfe2, 0},
                 {0xffff, 0xbfe4, 0},
                 {0xffff, 0xbfe8, 0},
                 {0xffe0, 0xbfe0, NONE_SUCH},
                 {0xff00, 0xbf00, 0},
                 {0xf000, 0xb000, NONE_SUCH},
                 {0xf000, 0xc000, LOW_R8 | LOW_W8 | LOW_LIST}, /* stm, ldm */
                 {0xff00, 0xde00, NONE_SUCH},                  /* udf */
                 {0xf000, 0xd000, 0},                          /* b, svc */
                 {0xf800, 0xe000, 0},                          /* b */
                 {0x0000, 0x0000, NONE_SUCH}};

static void set_bit(uint16_t *mask, bool set, unsigned reg)
{
    *mask |= (uint16_t)((unsigned)set << reg);
}

/* push has lr, pop has pc in bit 8. */
static void read_low_list(struct arm_registers *r, uint16_t op)
{
    bool load = op >> 11 & 1, stack = op >> 12 == 0xb;
    uint16_t *to = load ? &r->written : &r->read;
    *to |= op & 0xff;
    set_bit(to, stack && op >> 8 & 1, load ? PC : LR);
}

static void read_low(struct arm_registers *r, uint16_t op, unsigned fields)
{
    set_bit(&r->read, fields & LOW_R0, op & 7);
    set_bit(&r->read, fields & LOW_R3, op >> 3 & 7);
    set_bit(&r->read, fields & LOW_R6, op >> 6 & 7);
    set_bit(&r->read, fields & LOW_R8, op >> 8 & 7);
    set_bit(&r->written, fields & LOW_W0, op & 7);
    set_bit(&r->written, fields & LOW_W8, op >> 8 & 7);
}

static void read_high(struct arm_registers *r, uint16_t op, unsigned fields)
{
    unsigned high = (op & 7u) | (op >> 4 & 8u);
    set_bit(&r->read, fields & HIGH_R3, op >> 3 & 15);
    set_bit(&r->read, fields & HIGH_R0, high);
    set_bit(&r->written, fields & HIGH_W0, high);
    set_bit(&r->read, fields & SP_R, SP);
    set_bit(&r->written, fields & SP_W, SP);
    set_bit(&r->read, fields & PC_R, PC);
    r->pc_fields = fields & HIGH_R3 && (op >> 3 & 15) == PC ? 15 << 3 : 0;
}

bool arm_registers_t16(uint16_t op, struct arm_registers *out)
{
    unsigned i = 0;
    while ((op & t16_forms[i].mask) != t16_forms[i].bits)
        i++;
    *out = (struct arm_registers){0};
    read_low(out, op, t16_forms[i].fields);
    read_high(out, op, t16_forms[i].fields);
    if (t16_forms[i].fields & LOW_LIST)
        read_low_list(out, op);
    return !(t16_forms[i].fields & NONE_SUCH);
}

/* --- whole instructions --- */

bool arm_insn_read(const uint8_t *bytes, size_t len, bool thumb, struct arm_insn *out)
{
    if (len < (thumb ? 2 : 4))
        return false;
    uint32_t first = get_le16(bytes), second = len >= 4 ? get_le16(bytes + 2) : 0;
    out->thumb = thumb;
    out->op = thumb ? first << 16 | second : second << 16 | first;
    if (thumb)
        thumb_code_read((uint16_t)first, (uint16_t)second, &out->code);
    else
        arm_code_read(out->op, &out->code);
    if (out->code.len == 2)
        out->op = first;
    out->known = out->code.len == 2 ? arm_registers_t16((uint16_t)first, &out->regs)
                 : thumb            ? arm_registers_t32(out->op, &out->regs)
                                    : arm_registers_a32(out->op, &out->regs);
    return out->code.len <= len;
}
