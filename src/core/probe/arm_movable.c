#include "arm_movable.h"

#include "core/base/bytes.h"
#include "core/insn/arm_pc.h"
#include "core/insn/arm_registers.h"
#include "core/insn/arm_step.h"

enum { ALWAYS = 14 };

/* --- one instruction --- */

/* A low register that it does not name. */
static bool has_scratch(const struct arm_insn *x)
{
    return ((x->regs.read | x->regs.written) & 0xff) != 0xff;
}

/* Of A32, an access behind which its base changes: the pc cannot. */
static bool writes_back(const struct arm_insn *x)
{
    bool access = (x->op & 0x0c000000) == 0x04000000 || (x->op & 0x0e000090) == 0x00000090;
    return access && (!(x->op >> 24 & 1) || x->op >> 21 & 1);
}

/* Whether the copy in which a register stands for the pc does the same. */
static bool is_replaceable(const struct arm_insn *x)
{
    bool stack = (x->regs.read | x->regs.written) >> ARM_SP & 1;
    bool jumps = x->code.kind == ARM_MOVE && x->code.rd == ARM_PC;
    return x->regs.pc_fields && !stack && !jumps && !(x->regs.written >> ARM_PC & 1) &&
           (x->code.len == 2 || (x->op & 0x0e000000) != 0x08000000) &&
           (x->thumb || !writes_back(x));
}

static bool is_pc_reader_movable(const struct arm_insn *x)
{
    uint32_t distance;
    if (x->code.len == 2 && x->op >> 11 == 0x14) /* adr */
        return true;
    if (!has_scratch(x) || !is_replaceable(x))
        return false;
    if (!x->thumb || x->code.len == 2)
        return true;
    if (arm_pc_address(x->op, &distance)) {
        unsigned reg = x->op >> 8 & 15;
        return reg != ARM_SP && reg != ARM_PC;
    }
    return arm_pc_access(x->op, &distance);
}

static bool is_compare_and_branch(const struct arm_insn *x)
{
    return x->thumb && x->code.len == 2 && (x->op & 0xf500) == 0xb100;
}

static bool is_jump(const struct arm_insn *x)
{
    return x->code.kind == ARM_JUMP || x->code.kind == ARM_BRANCH || x->code.kind == ARM_CALL;
}

static bool is_one_movable(const struct arm_insn *x)
{
    if (is_compare_and_branch(x))
        return true;
    if (x->code.kind == ARM_CALL)
        return x->code.direct || x->code.rn < ARM_LR;
    if (is_jump(x))
        return true;
    if (x->code.kind == ARM_LITERAL)
        return x->code.rd != ARM_SP;
    return !(x->regs.read >> ARM_PC & 1) || is_pc_reader_movable(x);
}

/* --- the walk --- */

/* Whether it is executed always: by its own condition or that of its IT block, of which `it' is
 * left, as the processor keeps it. */
static bool is_always(const struct arm_insn *x, unsigned it)
{
    bool compares = x->code.len == 2 && x->op >> 12 == 0xb;
    if (!x->thumb)
        return x->op >> 28 >= ALWAYS;
    if (x->code.kind != ARM_BRANCH || compares)
        return !(it & 15) || it >> 4 == ALWAYS;
    return (x->code.len == 2 ? x->op >> 8 & 15 : x->op >> 22 & 15) == ALWAYS;
}

static bool read_one(const struct arm_displaced *d, size_t at, struct arm_insn *out)
{
    return arm_insn_read(d->bytes + at, d->len - at, d->thumb, out) && out->known &&
           out->code.kind != ARM_UNKNOWN && out->code.kind != ARM_TABLE;
}

static bool leaves(const struct arm_insn *x, unsigned it)
{
    bool loads_pc = x->code.kind == ARM_LOAD && x->code.mask >> ARM_PC & 1;
    bool other = (x->code.kind == ARM_MOVE || x->code.kind == ARM_LITERAL) && x->code.rd == ARM_PC;
    return is_always(x, it) && (x->code.kind == ARM_JUMP || x->code.kind == ARM_CALL ||
                                x->code.kind == ARM_JUMP_TABLE || loads_pc || other);
}

/* A branch into what is displaced would find half of it gone; a call would return there. */
static bool stays_inside(const struct arm_displaced *d, const struct arm_insn *x, size_t at)
{
    uint32_t target = arm_code_target(&x->code, d->thumb, d->addr + (uint32_t)at);
    if (x->code.kind == ARM_CALL)
        return at + x->code.len < d->len;
    return is_jump(x) && target > d->addr && target - d->addr < d->len;
}

/* What no processor promises: a result in the pc that is no jump, CMP of the pc. */
static bool is_unpredictable(const struct arm_insn *x)
{
    bool jumps = x->code.kind == ARM_MOVE || x->code.kind == ARM_LITERAL ||
                 x->code.kind == ARM_LOAD || x->code.kind == ARM_JUMP_TABLE ||
                 x->code.kind == ARM_COMPUTED;
    bool is_short = x->thumb && x->code.len == 2;
    return (x->regs.written >> ARM_PC & 1 && !jumps) || (is_short && (x->op & 0xff87) == 0x4587);
}

/* NOPs to the end. */
static bool is_padding(const struct arm_displaced *d, size_t at)
{
    bool is = d->thumb;
    for (; is && at + 2 <= d->len; at += 2)
        is = get_le16(d->bytes + at) == 0xbf00 || get_le16(d->bytes + at) == 0x46c0;
    return is;
}

bool arm_is_movable(const struct arm_displaced *d)
{
    struct arm_insn x = {0};
    unsigned it = 0;
    bool left = false;
    for (size_t at = 0; at < d->len; at += x.code.len) {
        if (left)
            return is_padding(d, at);
        if (!read_one(d, at, &x) || is_unpredictable(&x) || stays_inside(d, &x, at) ||
            (it && (x.code.kind == ARM_IF || x.code.kind == ARM_BRANCH)))
            return false;
        left = leaves(&x, it);
        it = arm_it_next(it);
        if (x.code.kind == ARM_IF)
            it = x.op & 0xff;
        else if (!is_one_movable(&x))
            return false;
    }
    return !it; /* the rest of the block would lose its conditions */
}
