#include "core/insn/arm_step.h"

#include "core/base/bytes.h"
#include "core/insn/arm_code.h"
#include "core/insn/arm_pc.h"

enum {
    ALWAYS = 14,
    IT_ALWAYS = 0xe8, /* one instruction, always executed */
    NO_REGISTER = 16,
};

/* --- conditions --- */

unsigned arm_it(uint32_t cpsr)
{
    return (cpsr >> 8 & 0xfc) | (cpsr >> 25 & 3);
}

uint32_t arm_with_it(uint32_t cpsr, unsigned it)
{
    return (cpsr & ~UINT32_C(0x0600fc00)) | (it & 0xfc) << 8 | (it & 3) << 25;
}

unsigned arm_it_next(unsigned it)
{
    return it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
}

static bool holds(unsigned condition, uint32_t cpsr)
{
    bool n = cpsr >> 31 & 1, z = cpsr >> 30 & 1, c = cpsr >> 29 & 1, v = cpsr >> 28 & 1;
    bool is[] = {z, c, n, v, c && !z, n == v, !z && n == v, true};
    return condition >= ALWAYS || is[condition >> 1] != (condition & 1);
}

static bool is_thumb(const struct arm_state *s)
{
    return s->cpsr & ARM_CPSR_T;
}

static unsigned condition_of(const struct arm_state *s, uint32_t op, unsigned len)
{
    unsigned it = arm_it(s->cpsr);
    if (!is_thumb(s))
        return op >> 28;
    if (it & 15)
        return it >> 4;
    if (len == 2)
        return op >> 12 == 0xd ? op >> 8 & 15 : ALWAYS;
    bool branch = (op & 0xf800d000) == 0xf0008000 && (op >> 22 & 14) != 14;
    return branch ? op >> 22 & 15 : ALWAYS;
}

/* A branch that is not taken has been executed. */
static bool is_branch(uint32_t op, unsigned len, bool thumb)
{
    return !thumb     ? (op & 0x0f000000) == 0x0a000000
           : len == 2 ? op >> 12 == 0xd && (op >> 8 & 15) < ALWAYS
                      : (op & 0xf800d000) == 0xf0008000 && (op >> 22 & 14) != 14;
}

bool arm_is_executed(const struct arm_state *s, uint32_t op, unsigned len)
{
    return is_branch(op, len, is_thumb(s)) || holds(condition_of(s, op, len), s->cpsr);
}

void arm_pass(struct arm_state *s, unsigned len)
{
    s->reg[ARM_PC] += len;
    s->cpsr = arm_with_it(s->cpsr, arm_it_next(arm_it(s->cpsr)));
}

/* --- where the pc goes --- */

/* As the pc reads: two instructions ahead. */
static uint32_t pc_of(const struct arm_state *s)
{
    return s->reg[ARM_PC] + (is_thumb(s) ? 4 : 8);
}

static uint32_t read_register(const struct arm_state *s, unsigned reg)
{
    return reg == ARM_PC ? pc_of(s) : s->reg[reg];
}

static void jump(struct arm_state *s, uint32_t target, bool thumb)
{
    s->reg[ARM_PC] = target & ~(thumb ? UINT32_C(1) : UINT32_C(3));
    s->cpsr = (s->cpsr & ~(uint32_t)ARM_CPSR_T) | (thumb ? ARM_CPSR_T : 0);
}

/* By a value whose bit 0 tells the instruction set. */
static void exchange(struct arm_state *s, uint32_t target)
{
    jump(s, target, target & 1);
}

/* --- what is done here --- */

struct doing {
    struct arm_state *s;
    const struct displaced *d;
    struct arm_code code;
    uint32_t op, addr;
    bool thumb;
    arm_memory *read;
    void *arg;
};

static bool load_word(const struct doing *x, uint32_t at, uint32_t *out)
{
    uint8_t b[4];
    if (!x->read(x->arg, at, b, sizeof b))
        return false;
    *out = get_le32(b);
    return true;
}

static bool do_branch(const struct doing *x)
{
    struct arm_state *s = x->s;
    bool compares = x->thumb && x->d->len == 2 && x->op >> 12 == 0xb;
    bool taken = compares ? (s->reg[x->op & 7] == 0) != (x->op >> 11 & 1)
                          : holds(condition_of(s, x->op, x->d->len), s->cpsr);
    if (x->code.kind == ARM_JUMP || taken)
        jump(s, arm_code_target(&x->code, x->thumb, x->addr), x->thumb);
    else
        s->reg[ARM_PC] += x->d->len;
    return true;
}

static bool do_call(const struct doing *x)
{
    uint32_t to = x->code.direct ? arm_code_target(&x->code, x->thumb, x->addr)
                                 : read_register(x->s, x->code.rn);
    bool thumb = x->code.direct ? x->thumb != x->code.exchanges : to & 1;
    x->s->reg[ARM_LR] = (x->addr + x->d->len) | x->thumb;
    jump(x->s, to, thumb);
    return true;
}

/* Registers in ascending order, the pc at last; the base is changed only when all were read. */
static bool do_load(const struct doing *x)
{
    uint32_t word[16], at = read_register(x->s, x->code.rn) + (uint32_t)x->code.by;
    for (unsigned r = 0; r < 16; r++)
        if (x->code.mask >> r & 1) {
            if (!load_word(x, at, &word[r]))
                return false;
            at += 4;
        }
    x->s->reg[x->code.rn] += (uint32_t)x->code.step;
    for (unsigned r = 0; r < ARM_PC; r++)
        if (x->code.mask >> r & 1)
            x->s->reg[r] = word[r];
    exchange(x->s, word[ARM_PC]);
    return true;
}

static bool do_table(const struct doing *x)
{
    unsigned size = x->op & 0x10 ? 2 : 1;
    uint32_t at = read_register(x->s, x->op >> 16 & 15) + x->s->reg[x->op & 15] * size;
    uint8_t b[2] = {0};
    if (!x->read(x->arg, at, b, size))
        return false;
    jump(x->s, pc_of(x->s) + 2u * get_le16(b), true);
    return true;
}

static bool do_literal(const struct doing *x)
{
    uint32_t word;
    if (!load_word(x, (x->addr & ~UINT32_C(3)) + (uint32_t)x->code.by, &word))
        return false;
    x->s->reg[ARM_PC] += x->d->len;
    x->s->reg[x->code.rd] = word;
    return true;
}

static bool do_address(const struct doing *x, unsigned reg, uint32_t distance)
{
    x->s->reg[reg] = (pc_of(x->s) & ~UINT32_C(3)) + distance;
    x->s->reg[ARM_PC] += x->d->len;
    return true;
}

/* BX, and in T32 the moves and sums of the pc that do not change the set. */
static bool do_register_jump(const struct doing *x)
{
    struct arm_state *s = x->s;
    unsigned rm = x->thumb ? x->op >> 3 & 15 : x->op & 15;
    uint32_t to = read_register(s, rm);
    bool add = x->thumb && x->op >> 8 == 0x44, move = x->thumb && x->op >> 8 == 0x46;
    if (add || move)
        jump(s, add ? to + pc_of(s) : to, true);
    else
        exchange(s, to);
    return true;
}

static bool do_kind(const struct doing *x)
{
    uint32_t distance;
    if (x->thumb && x->d->len == 4 && arm_is_table_jump(x->op))
        return do_table(x);
    switch (x->code.kind) {
    case ARM_JUMP:
    case ARM_BRANCH:
        return do_branch(x);
    case ARM_CALL:
        return do_call(x);
    case ARM_LOAD:
        return do_load(x);
    case ARM_LITERAL:
        return do_literal(x);
    default:
        if (x->thumb && x->d->len == 2 && x->op >> 11 == 0x14)
            return do_address(x, x->op >> 8 & 7, 4 * (x->op & 0xff));
        if (x->thumb && x->d->len == 4 && arm_pc_address(x->op, &distance))
            return do_address(x, x->op >> 8 & 15, distance);
        return do_register_jump(x);
    }
}

bool arm_do(struct arm_state *s, const struct displaced *d, arm_memory *read, void *arg)
{
    struct doing x = {.s = s, .d = d, .op = d->op, .read = read, .arg = arg};
    unsigned it = arm_it(s->cpsr);
    x.thumb = is_thumb(s);
    x.addr = s->reg[ARM_PC];
    if (x.thumb)
        thumb_code_read((uint16_t)(d->len == 4 ? d->op >> 16 : d->op), (uint16_t)d->op, &x.code);
    else
        arm_code_read(d->op, &x.code);
    if (x.code.kind == ARM_IF) {
        s->cpsr = arm_with_it(s->cpsr, d->op & 0xff);
        s->reg[ARM_PC] += d->len;
        return true;
    }
    if (!do_kind(&x))
        return false;
    s->cpsr = arm_with_it(s->cpsr, arm_it_next(it));
    return true;
}

/* --- slots --- */

void arm_enter_slot(struct arm_state *s, const struct displaced *d, uint32_t slot)
{
    s->reg[ARM_PC] = slot & ~UINT32_C(1);
    if (d->reg < NO_REGISTER)
        s->reg[d->reg] = (uint32_t)d->value;
    if (arm_it(s->cpsr))
        s->cpsr = arm_with_it(s->cpsr, IT_ALWAYS);
}

void arm_leave_slot(struct arm_state *s, const struct arm_state *before, const struct displaced *d,
                    bool executed)
{
    unsigned it = arm_it(before->cpsr);
    uint32_t target = d->target < NO_REGISTER ? s->reg[d->target] : 0;
    if (d->reg < NO_REGISTER)
        s->reg[d->reg] = before->reg[d->reg];
    if (d->target < NO_REGISTER)
        s->reg[d->target] = before->reg[d->target];
    s->cpsr = arm_with_it(s->cpsr, executed ? arm_it_next(it) : it);
    s->reg[ARM_PC] = before->reg[ARM_PC] + (executed ? d->len : 0);
    if (executed && d->target < NO_REGISTER)
        exchange(s, target);
}
