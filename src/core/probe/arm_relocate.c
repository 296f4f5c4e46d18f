/*
 * Instructions of 32-bit ARM for another address. What reads the pc reads a scratch register
 * instead, which holds that number meanwhile and is kept on the stack. What is conditional and
 * relative is skipped by a branch, in an IT block, too; other instructions of an IT block each get
 * one of their own, as they would set flags outside.
 */
#include "arm_writer.h"

#include "core/base/bytes.h"
#include "core/insn/arm_code.h"
#include "core/insn/arm_pc.h"
#include "core/insn/arm_registers.h"
#include "core/insn/arm_step.h"

#include <errno.h>

enum { ALWAYS = 14, NO_SCRATCH = 16 };

/* --- one instruction --- */

struct one {
    uint32_t op, addr;
    unsigned condition;
    struct arm_code code;
    struct arm_registers regs;
};

static uint32_t pc_of(const struct arm_writer *w, const struct one *x)
{
    return x->addr + (w->m->thumb ? 4 : 8);
}

/* A low register that it does not name. */
static unsigned find_scratch(const struct one *x)
{
    unsigned named = x->regs.read | x->regs.written, reg = 0;
    while (reg < 8 && named >> reg & 1)
        reg++;
    return reg < 8 ? reg : NO_SCRATCH;
}

/* LDR PC from a literal: through the stack, as no register may change. */
static void jump_by_literal(struct arm_writer *w, uint32_t literal)
{
    arm_put_push(w, 3);
    arm_put_number(w, 0, literal);
    arm_put_long(w, w->m->thumb ? 0xf8d00000 : 0xe5900000); /* ldr r0, [r0] */
    arm_put_long(w, w->m->thumb ? 0xf8cd0004 : 0xe58d0004); /* str r0, [sp, #4] */
    arm_put_code(w, w->m->thumb ? 0xbd01 : 0xe8bd8001, w->m->thumb ? 2 : 4);
}

static void load_literal(struct arm_writer *w, unsigned reg, uint32_t literal)
{
    if (reg == ARM_SP || reg == ARM_PC) {
        w->err = -ENOEXEC;
        return;
    }
    arm_put_number(w, reg, literal);
    arm_put_long(w, w->m->thumb ? 0xf8d00000 | reg << 16 | reg << 12
                                : 0xe5900000 | reg << 16 | reg << 12);
}

/* The instruction with its fields of the pc set to the scratch register. */
static uint32_t with_register(const struct one *x, unsigned reg)
{
    return (x->op & ~x->regs.pc_fields) | ((reg * 0x11111111u) & x->regs.pc_fields);
}

/* In T16 the field begins at bit 3. */
static uint32_t with_register_16(const struct one *x, unsigned reg)
{
    return (x->op & ~x->regs.pc_fields) | reg << 3;
}

static void move_by_scratch(struct arm_writer *w, const struct one *x, uint32_t value, uint32_t op,
                            unsigned scratch)
{
    arm_put_push(w, 1u << scratch);
    arm_put_number(w, scratch, value);
    arm_put_code(w, op, x->code.len);
    arm_put_pop(w, 1u << scratch);
}

static void put_address(struct arm_writer *w, unsigned reg, uint32_t value)
{
    if (reg == ARM_SP || reg == ARM_PC)
        w->err = -ENOEXEC;
    else
        arm_put_number(w, reg, value);
}

static void move_pc_t32(struct arm_writer *w, const struct one *x, unsigned scratch)
{
    uint32_t pc = pc_of(w, x) & ~UINT32_C(3), distance;
    if (arm_pc_address(x->op, &distance))
        put_address(w, x->op >> 8 & 15, pc + distance);
    else if (arm_pc_access(x->op, &distance))
        move_by_scratch(w, x, pc + distance, arm_pc_access_by(x->op, scratch), scratch);
    else
        w->err = -ENOEXEC;
}

/* Of A32, an access behind which its base changes: the pc cannot. */
static bool writes_back(const struct one *x)
{
    bool access = (x->op & 0x0c000000) == 0x04000000 || (x->op & 0x0e000090) == 0x00000090;
    return access && (!(x->op >> 24 & 1) || x->op >> 21 & 1);
}

/* Whether the copy in which a register stands for the pc does the same. */
static bool is_replaceable(const struct one *x, bool a32)
{
    bool stack = (x->regs.read | x->regs.written) >> ARM_SP & 1;
    bool jumps = x->code.kind == ARM_MOVE && x->code.rd == ARM_PC;
    return x->regs.pc_fields && !stack && !jumps && !(x->regs.written >> ARM_PC & 1) &&
           (x->code.len == 2 || (x->op & 0x0e000000) != 0x08000000) && !(a32 && writes_back(x));
}

static void move_pc_reader(struct arm_writer *w, const struct one *x)
{
    unsigned scratch = find_scratch(x);
    if (x->code.len == 2 && x->op >> 11 == 0x14) /* adr */
        arm_put_number(w, x->op >> 8 & 7, (pc_of(w, x) & ~UINT32_C(3)) + 4 * (x->op & 0xff));
    else if (scratch == NO_SCRATCH || !is_replaceable(x, !w->m->thumb))
        w->err = -ENOEXEC;
    else if (x->code.len == 2)
        move_by_scratch(w, x, pc_of(w, x), with_register_16(x, scratch), scratch);
    else if (w->m->thumb)
        move_pc_t32(w, x, scratch);
    else
        move_by_scratch(w, x, pc_of(w, x), with_register(x, scratch), scratch);
}

/* --- jumps --- */

/* Back to the instruction behind the call. */
static void set_return(struct arm_writer *w, const struct one *x)
{
    arm_put_number(w, ARM_LR, (x->addr + x->code.len) | w->m->thumb);
}

static void move_call(struct arm_writer *w, const struct one *x)
{
    uint32_t target = arm_code_target(&x->code, w->m->thumb, x->addr);
    if (!x->code.direct && x->code.rn >= ARM_LR) {
        w->err = -ENOEXEC;
        return;
    }
    set_return(w, x);
    if (!x->code.direct)
        arm_put_code(w, w->m->thumb ? 0x4700 | x->code.rn << 3 : 0xe12fff10 | x->code.rn,
                     w->m->thumb ? 2 : 4);
    else if (x->code.exchanges)
        arm_put_far_jump(w, w->m->thumb ? target : target | 1);
    else
        arm_put_jump(w, target);
}

static bool is_compare_and_branch(const struct arm_writer *w, const struct one *x)
{
    return w->m->thumb && x->code.len == 2 && (x->op & 0xf500) == 0xb100;
}

static void move_compare_and_branch(struct arm_writer *w, const struct one *x)
{
    size_t at = w->len;
    arm_put_code(w, 0xb100 | ((x->op & 0x800) ^ 0x800) | (x->op & 7), 2);
    arm_put_jump(w, arm_code_target(&x->code, true, x->addr));
    int32_t by = (int32_t)(w->len - at) - 4;
    if (!w->err)
        put_le16(w->out + at, (uint16_t)(get_le16(w->out + at) | (by & 0x3e) << 2));
}

/* --- the walk --- */

static bool is_jump(const struct one *x)
{
    return x->code.kind == ARM_JUMP || x->code.kind == ARM_BRANCH || x->code.kind == ARM_CALL;
}

static bool is_relative(const struct one *x)
{
    return is_jump(x) || x->code.kind == ARM_LITERAL || x->regs.read >> ARM_PC & 1;
}

static void move_relative(struct arm_writer *w, const struct one *x)
{
    uint32_t literal = (x->addr & ~UINT32_C(3)) + (uint32_t)x->code.by;
    if (x->code.kind == ARM_CALL)
        move_call(w, x);
    else if (is_jump(x))
        arm_put_jump(w, arm_code_target(&x->code, w->m->thumb, x->addr));
    else if (x->code.kind == ARM_LITERAL && x->code.rd == ARM_PC)
        jump_by_literal(w, literal);
    else if (x->code.kind == ARM_LITERAL)
        load_literal(w, x->code.rd, literal);
    else
        move_pc_reader(w, x);
}

static void put_plain(struct arm_writer *w, const struct one *x)
{
    if (w->m->thumb && x->condition != ALWAYS)
        arm_put_code(w, 0xbf08 | x->condition << 4, 2); /* it */
    arm_put_code(w, x->op, x->code.len);
}

static void move_one(struct arm_writer *w, struct one *x)
{
    if (is_compare_and_branch(w, x)) {
        move_compare_and_branch(w, x);
        return;
    }
    if (!is_relative(x)) {
        put_plain(w, x);
        return;
    }
    size_t skip = x->condition != ALWAYS ? arm_put_skip(w, x->condition ^ 1) : 0;
    if (!w->m->thumb && x->op >> 28 != 15)
        x->op = (x->op & 0x0fffffff) | 0xe0000000;
    move_relative(w, x);
    if (x->condition != ALWAYS)
        arm_put_skip_end(w, skip);
}

/* An IT block: what is left of its conditions, as the processor keeps it. */
static unsigned condition_of(unsigned it)
{
    return it & 15 ? it >> 4 : ALWAYS;
}

static bool read_one(const struct arm_writer *w, size_t at, unsigned it, struct one *out)
{
    const uint8_t *b = w->m->bytes + at;
    size_t left = w->m->len - at;
    uint32_t first = left >= 2 ? get_le16(b) : 0, second = left >= 4 ? get_le16(b + 2) : 0;
    out->addr = (uint32_t)(w->m->from + at);
    if (w->m->thumb) {
        thumb_code_read((uint16_t)first, (uint16_t)second, &out->code);
        out->op = out->code.len == 4 ? first << 16 | second : first;
        out->condition = out->code.kind == ARM_BRANCH && !(out->code.len == 2 && first >> 12 == 0xb)
                             ? (out->code.len == 2 ? first >> 8 & 15 : first >> 6 & 15)
                             : condition_of(it);
    } else {
        out->op = second << 16 | first;
        arm_code_read(out->op, &out->code);
        out->condition = out->op >> 28 == 15 ? ALWAYS : out->op >> 28;
    }
    if (left < out->code.len || out->code.kind == ARM_UNKNOWN || out->code.kind == ARM_TABLE)
        return false;
    return !w->m->thumb         ? arm_registers_a32(out->op, &out->regs)
           : out->code.len == 4 ? arm_registers_t32(out->op, &out->regs)
                                : arm_registers_t16((uint16_t)out->op, &out->regs);
}

static bool leaves(const struct one *x)
{
    bool loads_pc = x->code.kind == ARM_LOAD && x->code.mask >> ARM_PC & 1;
    bool other = (x->code.kind == ARM_MOVE || x->code.kind == ARM_LITERAL) && x->code.rd == ARM_PC;
    return x->condition == ALWAYS && (x->code.kind == ARM_JUMP || x->code.kind == ARM_CALL ||
                                      x->code.kind == ARM_JUMP_TABLE || loads_pc || other);
}

/* A branch into what is displaced would find half of it gone; a call would return there. */
static bool stays_inside(const struct arm_writer *w, const struct one *x, size_t end)
{
    uint32_t target = arm_code_target(&x->code, w->m->thumb, x->addr), from = (uint32_t)w->m->from;
    if (x->code.kind == ARM_CALL)
        return end < w->m->len;
    return is_jump(x) && target > from && target - from < w->m->len;
}

/* What no processor promises: a result in the pc that is no jump, CMP of the pc. */
static bool is_unpredictable(const struct one *x, bool thumb)
{
    bool jumps = x->code.kind == ARM_MOVE || x->code.kind == ARM_LITERAL ||
                 x->code.kind == ARM_LOAD || x->code.kind == ARM_JUMP_TABLE ||
                 x->code.kind == ARM_COMPUTED;
    bool is_short = thumb && x->code.len == 2;
    return (x->regs.written >> ARM_PC & 1 && !jumps) || (is_short && (x->op & 0xff87) == 0x4587);
}

/* NOPs to the end. */
static bool is_padding(const struct probe_moved *m, size_t at)
{
    bool is = m->thumb;
    for (; is && at + 2 <= m->len; at += 2)
        is = get_le16(m->bytes + at) == 0xbf00 || get_le16(m->bytes + at) == 0x46c0;
    return is;
}

int probe_arm_relocate(const struct probe_moved *m, uint8_t *out)
{
    struct arm_writer w = {m, out, 0, 0};
    struct one x = {0};
    unsigned it = 0;
    bool left = false;
    for (size_t at = 0; at < m->len && !w.err; at += x.code.len) {
        if (left)
            return is_padding(m, at) ? (int)w.len : -ENOEXEC;
        if (!read_one(&w, at, it, &x) || is_unpredictable(&x, m->thumb) ||
            stays_inside(&w, &x, at + x.code.len) ||
            (it && (x.code.kind == ARM_IF || x.code.kind == ARM_BRANCH)))
            return -ENOEXEC;
        it = arm_it_next(it);
        left = leaves(&x);
        if (x.code.kind == ARM_IF)
            it = x.op & 0xff;
        else
            move_one(&w, &x);
    }
    if (it) /* the rest of the block would lose its conditions */
        return -ENOEXEC;
    if (!left)
        arm_put_jump(&w, (uint32_t)(m->from + m->len));
    return w.err ? w.err : (int)w.len;
}
