/*
 * What a function of 32-bit ARM does with its return address: along its paths, with the stack
 * pointer counted from its value at the entry. The link register has the return address until it is
 * written.
 */
#include "arm_walk.h"

enum { MAX_PATHS = 1024, PUSH_SP = 1 << ARM_SP };

struct frame {
    uint32_t addr;
    int32_t sp;
    bool sp_known, live; /* live: the link register has the return address */
};

struct reading {
    struct arm_walk *w;
    struct probe_body *b;
    struct frame now, later[MAX_PATHS];
    size_t paths;
    bool indexes; /* a word is loaded by an index: of a table, maybe */
};

static void leave_path(struct reading *r, uint32_t target)
{
    if (target < r->b->start || target >= r->b->end || r->paths == MAX_PATHS)
        return;
    r->later[r->paths] = r->now;
    r->later[r->paths++].addr = target;
}

/* --- the return address --- */

static void note_save(struct reading *r, const struct arm_code *c)
{
    unsigned below = c->mask & ((1u << ARM_LR) - 1);
    int32_t at = r->now.sp + c->by + 4 * __builtin_popcount(below);
    r->b->saved_twice |= !r->now.sp_known || (r->b->saved && r->b->saved_at != at);
    r->b->saved = true;
    r->b->saved_at = at;
}

static bool loads_saved(const struct reading *r, const struct arm_code *c)
{
    unsigned others = c->mask & ~(1u << ARM_LR | 1u << ARM_PC);
    int32_t at = r->now.sp + c->by;
    if (c->kind != ARM_LOAD || c->rn != ARM_SP || !r->now.sp_known || !r->b->saved)
        return false;
    for (unsigned reg = 0; reg < 16; reg++)
        if (c->mask >> reg & 1) {
            if (at == r->b->saved_at && others >> reg & 1)
                return true;
            at += 4;
        }
    return false;
}

static void note_link(struct reading *r, const struct arm_insn *x)
{
    const struct arm_code *c = &x->code;
    bool reads = x->known && x->regs.read >> ARM_LR & 1 && r->now.live;
    bool saves = c->kind == ARM_STORE && c->rn == ARM_SP && c->mask >> ARM_LR & 1;
    bool returns = c->kind == ARM_MOVE && c->rd == ARM_PC && c->rn == ARM_LR;
    if (reads && saves)
        note_save(r, c);
    else
        r->b->reads_return |= (reads && !returns) || loads_saved(r, c);
}

/* --- the stack pointer --- */

static void move_stack(struct reading *r, const struct arm_insn *x)
{
    const struct arm_code *c = &x->code;
    bool transfer = (c->kind == ARM_LOAD || c->kind == ARM_STORE) && c->rn == ARM_SP;
    if (c->kind == ARM_ADD && c->rd == ARM_SP && c->rn == ARM_SP)
        r->now.sp += c->by;
    else if (transfer && !(c->kind == ARM_LOAD && c->mask & PUSH_SP))
        r->now.sp += c->step;
    else if (x->known && x->regs.written & PUSH_SP)
        r->now.sp_known = false;
    r->now.sp_known &= r->now.sp > -(1 << 28) && r->now.sp < 1 << 28;
}

/* Whether the register gets the return address back, and not another word of the stack. */
static bool restores_link(const struct reading *r, const struct arm_code *c)
{
    unsigned below = c->mask & ((1u << ARM_LR) - 1);
    int32_t at = r->now.sp + c->by + 4 * __builtin_popcount(below);
    return c->kind == ARM_LOAD && c->rn == ARM_SP && c->mask >> ARM_LR & 1 && r->b->saved &&
           (!r->now.sp_known || at == r->b->saved_at);
}

static void change_link(struct reading *r, const struct arm_insn *x, bool conditional)
{
    bool writes = x->known && x->regs.written >> ARM_LR & 1;
    if (restores_link(r, &x->code))
        r->now.live = true;
    else if (x->code.kind == ARM_CALL || writes)
        r->now.live = r->now.live && conditional;
}

/* --- the paths --- */

static bool leaves_by_register(const struct reading *r, const struct arm_code *c)
{
    bool is_tail_call = r->now.sp_known && r->now.sp == 0 && !r->indexes;
    return (c->kind == ARM_MOVE && c->rd == ARM_PC && c->rn != ARM_LR && !is_tail_call) ||
           c->kind == ARM_COMPUTED || c->kind == ARM_JUMP_TABLE;
}

static void leave_by_table(struct reading *r)
{
    const struct planning *p = r->w->p;
    for (uint64_t at = r->now.addr + 4; at < r->b->end; at += 2)
        if (planning_is_target(p, at) && *arm_walk_half(r->w, at) & ARM_BEGINS)
            leave_path(r, (uint32_t)at);
}

/* Whether the next instruction may be reached, if this one is not skipped. */
static bool goes_on(struct reading *r, const struct arm_insn *x)
{
    const struct arm_code *c = &x->code;
    bool jumps = c->kind == ARM_JUMP || c->kind == ARM_BRANCH;
    if (jumps)
        leave_path(r, arm_code_target(c, r->b->thumb, r->now.addr));
    if (c->kind == ARM_TABLE)
        leave_by_table(r);
    r->b->leads_away |= leaves_by_register(r, c);
    bool loads_pc = (c->kind == ARM_LOAD && c->mask >> ARM_PC & 1) ||
                    ((c->kind == ARM_MOVE || c->kind == ARM_LITERAL) && c->rd == ARM_PC);
    return !loads_pc && c->kind != ARM_JUMP && c->kind != ARM_TABLE && c->kind != ARM_UNKNOWN &&
           c->kind != ARM_COMPUTED && c->kind != ARM_JUMP_TABLE;
}

/* LDR of a word with an index, by four. */
static bool is_indexed_load(const struct arm_insn *x, bool thumb)
{
    return thumb ? (x->op & 0xfff00ff0) == 0xf8500020 || (x->op & 0xfffffe00) == 0x5800
                 : (x->op & 0x0e500ff0) == 0x06100100;
}

static bool is_new(const struct reading *r)
{
    return r->now.addr >= r->b->start && r->now.addr < r->b->end &&
           !(*arm_walk_half(r->w, r->now.addr) & (ARM_SEEN | ARM_DATA));
}

static void follow_path(struct reading *r)
{
    struct arm_insn x;
    int32_t skippable = 0;
    bool reached = true;
    while (reached && is_new(r) && arm_walk_read(r->w->p, r->now.addr, r->b->thumb, &x)) {
        struct frame before = r->now;
        bool conditional = skippable > 0 || x.code.conditional;
        *arm_walk_half(r->w, r->now.addr) |= ARM_SEEN;
        skippable = x.code.kind == ARM_IF ? x.code.by : skippable - (skippable > 0);
        r->b->unknown |= !x.known && x.code.kind != ARM_UNKNOWN;
        r->indexes |= is_indexed_load(&x, r->b->thumb);
        note_link(r, &x);
        bool stays = goes_on(r, &x);
        reached = stays || conditional;
        change_link(r, &x, conditional);
        move_stack(r, &x);
        if (!stays && conditional)
            r->now = before; /* it left, or did nothing */
        r->now.addr += x.code.len;
    }
}

void arm_frame_read(struct arm_walk *w, struct probe_body *b)
{
    struct reading r;
    r.w = w;
    r.b = b;
    r.paths = 0;
    r.indexes = false;
    r.now = (struct frame){.addr = (uint32_t)b->start, .sp_known = true, .live = true};
    follow_path(&r);
    while (r.paths) {
        r.now = r.later[--r.paths];
        follow_path(&r);
    }
    for (uint64_t at = b->start; at + 2 <= b->end; at += 2)
        *arm_walk_half(w, at) &= (uint8_t)~ARM_SEEN;
}
