/*
 * The instructions of call frame information (DW_CFA_*): they describe a table of rows, one for
 * each range of addresses in which every register has one rule. DWARF 5, section 6.4.2;
 * GNU's are those of Linux Standard Base 5, ARM's those of AADWARF64 4.3.
 */
#include "cfi_table.h"

enum {
    ADVANCE = 0x40, /* the upper two bits; the rest is the operand */
    OFFSET = 0x80,
    RESTORE = 0xc0,
    NOP = 0x00,
    SET_LOC,
    ADVANCE1,
    ADVANCE2,
    ADVANCE4,
    OFFSET_EXTENDED,
    RESTORE_EXTENDED,
    UNDEFINED,
    SAME_VALUE,
    REGISTER,
    REMEMBER_STATE,
    RESTORE_STATE,
    DEF_CFA,
    DEF_CFA_REGISTER,
    DEF_CFA_OFFSET,
    DEF_CFA_EXPRESSION,
    EXPRESSION,
    OFFSET_EXTENDED_SF,
    DEF_CFA_SF,
    DEF_CFA_OFFSET_SF,
    VAL_OFFSET,
    VAL_OFFSET_SF,
    VAL_EXPRESSION,
    ADVANCE8 = 0x1d,
    NEGATE_RA_STATE_WITH_PC = 0x2c,
    NEGATE_RA_STATE = 0x2d, /* signatures are stripped, wherever they are */
    ARGS_SIZE = 0x2e,
    NEGATIVE_OFFSET_EXTENDED = 0x2f,

    MAX_STATES = 16, /* of remembered states */
};

struct program {
    struct cfi_run *run;
    struct dwarf_cursor c;
    struct cfi_state remembered[MAX_STATES];
    unsigned depth;
    bool bad;
};

static void set_register(struct program *p, uint64_t reg, enum cfi_kind kind, int64_t offset)
{
    if (reg >= p->run->registers) /* vectors, flags: no caller is found by them */
        return;
    if (offset != (int32_t)((uint32_t)offset << 8) >> 8)
        kind = CFI_VAL_EXPR, offset = 0; /* none: the value is not known */
    struct cfi_state *s = &p->run->state;
    s->touched |= UINT32_C(1) << reg;
    s->saved[reg] = (uint32_t)reg | (uint32_t)kind << 5 | (uint32_t)offset << 8;
}

static void restore_register(struct program *p, uint64_t reg)
{
    const struct cfi_state *from = p->run->initial;
    struct cfi_state *s = &p->run->state;
    if (!from || reg >= p->run->registers)
        return;
    uint32_t bit = UINT32_C(1) << reg;
    s->touched = (s->touched & ~bit) | (from->touched & bit);
    s->saved[reg] = from->saved[reg];
}

static int64_t scale_offset(const struct program *p, int64_t n)
{
    return (int64_t)((uint64_t)n * (uint64_t)p->run->cie->data_align);
}

static void set_cfa(struct program *p, uint64_t reg, int64_t offset)
{
    struct cfi_state *s = &p->run->state;
    s->cfa = reg < p->run->registers ? (uint32_t)reg : CFI_HEAD_EXPRESSION; /* of no bytes */
    s->cfa_offset = (int32_t)offset;
    s->cfa_lost = reg >= p->run->registers || offset != (int32_t)offset;
}

/* Of an expression there is neither a register nor an offset to change. */
static void set_cfa_offset(struct program *p, int64_t offset)
{
    const struct cfi_state *s = &p->run->state;
    set_cfa(p, s->cfa & CFI_HEAD_EXPRESSION ? UINT64_MAX : s->cfa, offset);
}

static void set_cfa_register(struct program *p, uint64_t reg)
{
    const struct cfi_state *s = &p->run->state;
    set_cfa(p, s->cfa & CFI_HEAD_EXPRESSION ? UINT64_MAX : reg, s->cfa_offset);
}

/* The expression at the cursor, copied to the pool; 0: the pool is full. */
static uint32_t read_expression(struct program *p)
{
    uint64_t len = dwarf_uleb(&p->c);
    if (!dwarf_fits(&p->c, len))
        return 0;
    const uint8_t *bytes = p->c.base + p->c.at;
    p->c.at += (size_t)len;
    return cfi_pool_expression(p->run->pool, bytes, (size_t)len);
}

static void set_cfa_expression(struct program *p)
{
    uint32_t at = read_expression(p);
    p->run->state.cfa = CFI_HEAD_EXPRESSION;
    p->run->state.cfa_offset = (int32_t)at;
    p->run->state.cfa_lost = !at;
}

static void advance_location(struct program *p, uint64_t by)
{
    struct cfi_run *run = p->run;
    uint64_t next = run->at + by * run->cie->code_align;
    if (next < run->at || !run->row)
        p->bad = true;
    else if (next > run->at) {
        p->bad = !run->row(run, next);
        run->at = next;
    }
}

static void set_location(struct program *p)
{
    const struct cfi_run *run = p->run;
    uint64_t to = cfi_pointer(run->section, &p->c, run->cie->encoding, run->cie->addr_size);
    uint64_t by = to - run->at;
    if (p->c.bad || to < run->at || !run->row)
        p->bad = true;
    else if (by) {
        p->bad = !p->run->row(p->run, to);
        p->run->at = to;
    }
}

static void push_state(struct program *p)
{
    p->bad = p->depth == MAX_STATES;
    if (!p->bad)
        p->remembered[p->depth++] = p->run->state;
}

static void pop_state(struct program *p)
{
    p->bad = !p->depth;
    if (p->depth)
        p->run->state = p->remembered[--p->depth];
}

/* What becomes of one register, whose number comes first; how the operand behind it is coded. */
enum operand { UNKNOWN, NONE, FACTORED, FACTORED_SIGNED, FACTORED_NEGATIVE, BLOCK, OTHER };
static const struct {
    uint8_t kind, operand;
} register_rule[] = {
    [OFFSET_EXTENDED] = {CFI_OFFSET, FACTORED},
    [OFFSET_EXTENDED_SF] = {CFI_OFFSET, FACTORED_SIGNED},
    [NEGATIVE_OFFSET_EXTENDED] = {CFI_OFFSET, FACTORED_NEGATIVE},
    [VAL_OFFSET] = {CFI_VAL_OFFSET, FACTORED},
    [VAL_OFFSET_SF] = {CFI_VAL_OFFSET, FACTORED_SIGNED},
    [EXPRESSION] = {CFI_EXPR, BLOCK},
    [VAL_EXPRESSION] = {CFI_VAL_EXPR, BLOCK},
    [UNDEFINED] = {CFI_UNDEFINED, NONE},
    [SAME_VALUE] = {CFI_SAME_VALUE, NONE},
    [REGISTER] = {CFI_REGISTER, OTHER},
};

static int64_t read_operand(struct program *p, uint8_t operand)
{
    switch (operand) {
    case FACTORED:
        return scale_offset(p, (int64_t)dwarf_uleb(&p->c));
    case FACTORED_SIGNED:
        return scale_offset(p, dwarf_sleb(&p->c));
    case FACTORED_NEGATIVE:
        return scale_offset(p, (int64_t)-dwarf_uleb(&p->c));
    case BLOCK:
        return read_expression(p);
    case OTHER:
        return (int64_t)(dwarf_uleb(&p->c) & 0xffff);
    default:
        return 0;
    }
}

static bool execute_register_op(struct program *p, uint8_t op)
{
    if (op == RESTORE_EXTENDED) {
        restore_register(p, dwarf_uleb(&p->c));
        return true;
    }
    if (op >= sizeof register_rule / sizeof *register_rule || !register_rule[op].operand)
        return false;
    uint64_t reg = dwarf_uleb(&p->c);
    set_register(p, reg, register_rule[op].kind, read_operand(p, register_rule[op].operand));
    return true;
}

static bool execute_cfa_op(struct program *p, uint8_t op)
{
    struct dwarf_cursor *c = &p->c;
    uint64_t reg;
    switch (op) {
    case DEF_CFA:
        reg = dwarf_uleb(c);
        set_cfa(p, reg, (int64_t)dwarf_uleb(c));
        break;
    case DEF_CFA_SF:
        reg = dwarf_uleb(c);
        set_cfa(p, reg, scale_offset(p, dwarf_sleb(c)));
        break;
    case DEF_CFA_REGISTER:
        set_cfa_register(p, dwarf_uleb(c));
        break;
    case DEF_CFA_OFFSET:
        set_cfa_offset(p, (int64_t)dwarf_uleb(c));
        break;
    case DEF_CFA_OFFSET_SF:
        set_cfa_offset(p, scale_offset(p, dwarf_sleb(c)));
        break;
    case DEF_CFA_EXPRESSION:
        set_cfa_expression(p);
        break;
    default:
        return false;
    }
    return true;
}

static bool execute_location_op(struct program *p, uint8_t op)
{
    switch (op) {
    case NOP:
    case NEGATE_RA_STATE:
    case NEGATE_RA_STATE_WITH_PC:
        break;
    case ARGS_SIZE:
        dwarf_skip_leb(&p->c);
        break;
    case SET_LOC:
        set_location(p);
        break;
    case ADVANCE1:
    case ADVANCE2:
    case ADVANCE4:
        advance_location(p, dwarf_number(&p->c, 1U << (op - ADVANCE1)));
        break;
    case ADVANCE8:
        advance_location(p, dwarf_number(&p->c, 8));
        break;
    case REMEMBER_STATE:
        push_state(p);
        break;
    case RESTORE_STATE:
        pop_state(p);
        break;
    default:
        return false;
    }
    return true;
}

static bool execute_op(struct program *p)
{
    uint8_t op = (uint8_t)dwarf_number(&p->c, 1), low = op & 0x3f;
    switch (op & 0xc0) {
    case ADVANCE:
        advance_location(p, low);
        return true;
    case OFFSET:
        set_register(p, low, CFI_OFFSET, scale_offset(p, (int64_t)dwarf_uleb(&p->c)));
        return true;
    case RESTORE:
        restore_register(p, low);
        return true;
    }
    return execute_location_op(p, op) || execute_cfa_op(p, op) || execute_register_op(p, op);
}

bool cfi_run(struct cfi_run *run, size_t program, size_t end)
{
    struct program p;
    p.run = run;
    p.c = (struct dwarf_cursor){run->section->bytes, program, end, run->section->big_endian, false};
    p.depth = 0;
    p.bad = false;
    while (p.c.at < p.c.end && !p.bad)
        if (!execute_op(&p) || p.c.bad)
            return false;
    return !p.bad;
}

uint32_t cfi_state_rule(const struct cfi_state *s, const struct cfi_cie *cie, struct cfi_pool *pool)
{
    uint32_t words[CFI_HEAD_WORDS + CFI_REGISTERS];
    words[0] = 0;
    size_t count = CFI_HEAD_WORDS;
    if (s->cfa_lost)
        return 0;
    for (uint32_t left = s->touched; left; left &= left - 1) {
        uint32_t word = s->saved[__builtin_ctz(left)];
        if (word >> 5 & 7) /* CFI_SAME_VALUE is not said */
            words[count++] = word;
    }
    if ((s->saved[cie->return_register] >> 5 & 7) == CFI_UNDEFINED)
        words[0] |= CFI_HEAD_OUTERMOST;
    words[0] |= s->cfa | (uint32_t)cie->return_register << 5 |
                (uint32_t)(count - CFI_HEAD_WORDS) << 10 | (cie->signal ? CFI_HEAD_SIGNAL : 0);
    words[1] = (uint32_t)s->cfa_offset;
    return cfi_pool_add(pool, words, count);
}
