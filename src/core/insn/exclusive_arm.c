#include "core/base/bytes.h"
#include "core/insn/arm_code.h"
#include "core/insn/arm_registers.h"
#include "core/insn/arm_step.h"
#include "exclusive_code.h"

enum {
    A32_NOP = 0xe1a00000,
    T32_NOP = 0xbf00,
    A32_BREAKPOINT = 0xe7f001f0,
    T32_BREAKPOINT = 0xde01,
    IT_ALWAYS = 0xbfe8,
    BRANCH_HIGH = 0xf000, /* of T32, with a condition in bits 6 to 9 */
    BRANCH_LOW = 0x8000,
    BRANCH_BACK = 0x2800, /* J1, J2 */
};

struct form {
    uint32_t mask, bits;
};

static const struct form a32_loads[] = {{0x0f900fff, 0x01900f9f}, {0x0f900fff, 0x01900e9f}};
static const struct form a32_stores[] = {{0x0f900ff0, 0x01800f90}, {0x0f900ff0, 0x01800e90}};
static const struct form t32_loads[] = {{0xfff00f00, 0xe8500f00}, {0xfff00fef, 0xe8d00f4f},
                                        {0xfff00fff, 0xe8d00f5f}, {0xfff000ff, 0xe8d0007f},
                                        {0xfff00fcf, 0xe8d00fcf}, {0xfff000ff, 0xe8d000ff}};
static const struct form t32_stores[] = {{0xfff00000, 0xe8400000},
                                         {0xfff00fe0, 0xe8c00f40},
                                         {0xfff000f0, 0xe8c00070},
                                         {0xfff00fc0, 0xe8c00fc0},
                                         {0xfff000f0, 0xe8c000f0}};

static bool is_one_of(uint32_t op, const struct form *forms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((op & forms[i].mask) == forms[i].bits)
            return true;
    return false;
}

#define IS_ONE_OF(op, forms) is_one_of(op, forms, sizeof(forms) / sizeof *(forms))

bool exclusive_begins_arm(uint32_t op, bool thumb)
{
    return thumb ? IS_ONE_OF(op, t32_loads) : op >> 28 != 15 && IS_ONE_OF(op, a32_loads);
}

static bool is_store(uint32_t op, bool thumb)
{
    if (op == (thumb ? 0xf3bf8f2f : 0xf57ff01f)) /* clrex */
        return true;
    return thumb ? IS_ONE_OF(op, t32_stores) : op >> 28 != 15 && IS_ONE_OF(op, a32_stores);
}

/* --- reading --- */

static bool is_thumb(const struct exclusive_copying *c)
{
    return c->start & 1;
}

static enum exclusive_kind kind_of(const struct arm_insn *i, bool thumb)
{
    const struct arm_code *code = &i->code;
    if (exclusive_begins_arm(i->op, thumb))
        return EXCLUSIVE_LOAD;
    if (is_store(i->op, thumb))
        return EXCLUSIVE_STORE;
    if (code->kind == ARM_BRANCH || code->kind == ARM_JUMP)
        return code->kind == ARM_BRANCH ? EXCLUSIVE_BRANCH : EXCLUSIVE_JUMP;
    if (code->kind == ARM_CALL || code->kind == ARM_SYSTEM_CALL || code->kind == ARM_TABLE ||
        !i->known || i->regs.written >> ARM_PC & 1 || code->kind == ARM_UNKNOWN ||
        (code->kind == ARM_MOVE && code->rd == ARM_PC))
        return EXCLUSIVE_LEAVES;
    return i->regs.read >> ARM_PC & 1 ? EXCLUSIVE_FIXED : EXCLUSIVE_PLAIN;
}

static void read_condition(struct exclusive_insn *i, bool thumb, uint8_t *it, bool begins_it)
{
    bool inside = *it & 15, jumps = i->kind == EXCLUSIVE_BRANCH || i->kind == EXCLUSIVE_JUMP;
    i->condition = thumb                        ? (inside ? *it >> 4 : EXCLUSIVE_ALWAYS)
                   : i->op >> 28 == 15 || jumps ? EXCLUSIVE_ALWAYS
                                                : (uint8_t)(i->op >> 28);
    *it = begins_it ? (uint8_t)i->op : (uint8_t)arm_it_next(*it);
    if (thumb && inside && i->kind == EXCLUSIVE_JUMP) { /* becomes a branch of that condition */
        i->kind = EXCLUSIVE_BRANCH;
        i->op = 0xd000u | (uint32_t)i->condition << 8;
        i->condition = EXCLUSIVE_ALWAYS;
    }
}

static bool read_one(struct exclusive_copying *c, uint64_t address, uint8_t *it,
                     struct exclusive_insn *out)
{
    struct arm_insn i;
    bool thumb = is_thumb(c);
    uint64_t at = address & ~UINT64_C(1);
    uint8_t b[4] = {0};
    if (!c->read(c->arg, at, b, 4) && !(thumb && c->read(c->arg, at, b, 2)))
        return false;
    arm_insn_read(b, sizeof b, thumb, &i);
    out->len = (uint8_t)i.code.len;
    out->op = i.op;
    out->kind = kind_of(&i, thumb);
    out->target = arm_code_target(&i.code, thumb, (uint32_t)at) | thumb;
    read_condition(out, thumb, it, i.code.kind == ARM_IF);
    return true;
}

/* --- writing --- */

static void put_thumb(struct exclusive_copying *c, uint32_t op, unsigned len)
{
    if (len == 4)
        exclusive_put(c, op >> 16, 2);
    exclusive_put(c, op & 0xffff, 2);
}

static void put_branch(struct exclusive_copying *c, unsigned condition)
{
    exclusive_put(c, BRANCH_HIGH | condition << 6, 2);
    exclusive_put(c, BRANCH_LOW, 2);
}

static bool is_short_branch(const struct exclusive_insn *i)
{
    return i->kind == EXCLUSIVE_BRANCH && i->op >> 12 == 0xd;
}

static void put_one_thumb(struct exclusive_copying *c, const struct exclusive_insn *i)
{
    bool begins_it = i->len == 2 && i->op >> 8 == 0xbf && i->op & 15;
    if (i->kind == EXCLUSIVE_JUMP || begins_it)
        put_thumb(c, T32_NOP, 2);
    else if (is_short_branch(i))
        put_branch(c, i->op >> 8 & 15);
    else
        put_thumb(c, i->op, i->len);
}

static void put_one(struct exclusive_copying *c, const struct exclusive_insn *i)
{
    if (is_thumb(c))
        put_one_thumb(c, i);
    else if (i->kind == EXCLUSIVE_JUMP)
        exclusive_put(c, A32_NOP, 4);
    else
        exclusive_put(c, i->condition == EXCLUSIVE_ALWAYS ? i->op : i->op | 0xe0000000, 4);
}

/* Outside of an IT block, T32 would set flags. */
static void put_skip(struct exclusive_copying *c, unsigned condition)
{
    if (!is_thumb(c)) {
        exclusive_put(c, (condition ^ 1) << 28 | 0x0a000000, 4);
        return;
    }
    put_branch(c, condition ^ 1);
    exclusive_put(c, IT_ALWAYS, 2);
}

static void put_breakpoint(struct exclusive_copying *c)
{
    exclusive_put(c, is_thumb(c) ? T32_BREAKPOINT : A32_BREAKPOINT, is_thumb(c) ? 2 : 4);
}

/* The distance is of 21 bits: imm11 below imm6, J1, J2 and S, of which the last three are its sign.
 */
static void lead_thumb_far(uint8_t *at, uint32_t by)
{
    bool back = by >> 31;
    put_le16(at, (uint16_t)((get_le16(at) & 0xfbc0) | back << 10 | (by >> 12 & 0x3f)));
    put_le16(at + 2, (uint16_t)(BRANCH_LOW | (back ? BRANCH_BACK : 0) | (by >> 1 & 0x7ff)));
}

static void lead_thumb(struct exclusive_copying *c, uint8_t *at, uint32_t by)
{
    if (get_le16(at) >> 12 != 0xb) {
        lead_thumb_far(at, by);
        return;
    }
    c->failed |= by > 126;
    put_le16(at,
             (uint16_t)((get_le16(at) & ~UINT32_C(0x02f8)) | (by & 0x40) << 3 | (by & 0x3e) << 2));
}

static void lead(struct exclusive_copying *c, size_t branch, size_t to)
{
    uint8_t *at = c->out->bytes + branch;
    uint32_t by = (uint32_t)to - (uint32_t)branch - (is_thumb(c) ? 4 : 8);
    if (c->failed)
        return;
    if (is_thumb(c))
        lead_thumb(c, at, by);
    else
        put_le32(at, (get_le32(at) & 0xff000000) | (by >> 2 & 0xffffff));
}

static const struct exclusive_processor arm = {.read = read_one,
                                               .put = put_one,
                                               .put_skip = put_skip,
                                               .put_breakpoint = put_breakpoint,
                                               .lead = lead};

bool exclusive_copy_arm(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    struct exclusive_copying c = {.processor = &arm, .read = read, .arg = arg};
    return exclusive_copy(&c, address, out);
}
