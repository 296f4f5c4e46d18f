/*
 * Functions of 32-bit ARM that do not return, as those that end in exit: the frame is what the
 * first instructions made. They begin at a push of lr, and the call that led there names the
 * function.
 */
#include "step.h"

#include "core/insn/arm_code.h"

enum {
    REACH = 2048,   /* bytes from the push to pc, unless it is proven */
    MAX_STEPS = 32, /* instructions of a prologue */
    MAX_PUSHES = 8,
    MAX_WALKS = 8,
    MAX_BEFORE = 16, /* bytes of instructions that come before the push */
    REGISTERS = 16,
    R7 = 7,
    R11 = 11,
    CALLEE_SAVED = 0x0ff0, /* r4-r11 */
    SAVED = CALLEE_SAVED | 1 << ARM_LR,
};

struct frame { /* offsets count from the stack pointer at entry */
    int64_t sp, saved[REGISTERS], copy[REGISTERS];
    unsigned has_saved, has_copy; /* a bit a register; copy: sp's value then */
};

static bool is_push(const struct arm_code *c)
{
    return c->kind == ARM_STORE && !c->conditional && c->rn == ARM_SP && c->step < 0 &&
           c->by == c->step;
}

/* --- the frame that a prologue makes --- */

static void push(struct frame *f, const struct arm_code *c)
{
    f->sp += c->step;
    int64_t at = f->sp;
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (c->mask >> reg & 1) {
            if (!(f->has_saved >> reg & 1))
                f->saved[reg] = at;
            f->has_saved |= 1u << reg;
            at += 4;
        }
}

static void set_copy(struct frame *f, unsigned reg, int64_t value)
{
    f->copy[reg] = value;
    f->has_copy |= 1u << reg;
}

/* False where the prologue ends. */
static bool add_instruction(struct frame *f, const struct arm_code *c)
{
    bool from_sp = c->rn == ARM_SP, framed = c->rd == R7 || c->rd == R11;
    if (is_push(c))
        push(f, c);
    else if (c->kind == ARM_ADD && c->rd == ARM_SP && from_sp)
        f->sp += c->by;
    else if ((c->kind == ARM_ADD || c->kind == ARM_MOVE) && from_sp && framed)
        set_copy(f, c->rd, f->sp + (c->kind == ARM_ADD ? c->by : 0));
    else
        return c->kind == ARM_PLAIN || c->kind == ARM_STORE || c->kind == ARM_CONSTANT ||
               c->kind == ARM_LITERAL || c->kind == ARM_LOST || c->kind == ARM_ADD ||
               c->kind == ARM_MOVE || (c->kind == ARM_LOAD && !(c->mask >> ARM_PC));
    return f->sp <= 0;
}

static void run_prologue(const struct unwind_state *u, uint64_t from, bool thumb, struct frame *f)
{
    struct arm_code c;
    uint64_t pc = from;
    *f = (struct frame){.sp = 0};
    for (unsigned i = 0; i < MAX_STEPS && pc < unwind_pc(u); i++, pc += c.len)
        if (!unwind_read_arm(u->space, pc, thumb, &c) || !add_instruction(f, &c))
            return;
}

/* By a frame pointer, which alloca leaves alone, or by sp itself. */
static bool make_frame(const struct unwind_state *u, const struct frame *f, unsigned base,
                       struct arm_frame *out)
{
    int64_t entry = base == ARM_SP ? -f->sp : -f->copy[base];
    if (!unwind_known(u, base) || (base != ARM_SP && !(f->has_copy >> base & 1)))
        return false;
    *out = (struct arm_frame){.base = base, .cfa = (int32_t)entry};
    for (unsigned reg = 0; reg <= ARM_LINK; reg++)
        if ((f->has_saved & SAVED) >> reg & 1)
            arm_frame_save(out, reg, (int32_t)(entry + f->saved[reg]));
    return true;
}

/* --- its caller --- */

struct push { /* that may be where the function begins */
    uint64_t at;
    bool thumb, far; /* far: too far away to be believed as it is */
    unsigned walks;  /* of all of them */
    bool walked;
    enum unwind_arm_reach reach;
    int64_t moved;
};

/* Nothing from one to the other, which is near, moves the stack. */
static bool leads_straight(const struct unwind_state *u, uint64_t from, const struct push *p)
{
    struct arm_code c;
    bool moves = false;
    for (uint64_t pc = from; pc < p->at && !moves; pc += c.len) {
        if (!unwind_read_arm(u->space, pc, p->thumb, &c))
            return false;
        moves = ((c.kind == ARM_STORE || c.kind == ARM_LOAD) && c.rn == ARM_SP && c.step) ||
                ((c.kind == ARM_ADD || c.kind == ARM_MOVE) && c.rd == ARM_SP);
    }
    return !moves;
}

/* The begin itself is called, or what leads there with the stack as it was called with. */
static bool names_function(const struct unwind_state *u, uint64_t target, struct push *p)
{
    struct unwind_state begin = {.space = u->space, .cpu = u->cpu};
    int64_t moved;
    if (p->at - target <= MAX_BEFORE)
        return leads_straight(u, target, p);
    if (unwind_jumps_near(u->space, target, p->at))
        return true;
    begin.regs.r[UNWIND_PC] = p->at;
    return p->walks++ < MAX_WALKS &&
           unwind_arm_reaches(&begin, target, p->thumb, &moved) == ARM_REACHES && !moved;
}

static uint32_t entry_of(const struct unwind_state *u, const struct arm_frame *f)
{
    return (uint32_t)u->regs.r[f->base] + (uint32_t)f->cfa;
}

static bool read_caller(const struct unwind_state *u, const struct arm_frame *f,
                        struct unwind_regs *out)
{
    uint32_t base = (uint32_t)u->regs.r[f->base];
    *out = u->regs;
    out->known &= CALLEE_SAVED;
    for (unsigned reg = 0; reg <= ARM_LINK; reg++) {
        uint64_t bit = UINT64_C(1) << reg, value;
        if (!(f->has_saved >> reg & 1))
            continue;
        bool found = unwind_number(u->space, (uint32_t)(base + (uint32_t)f->saved[reg]), 4, &value);
        out->known = found ? out->known | bit : out->known & ~bit;
        out->r[reg] = found ? value : 0;
    }
    out->r[UNWIND_PC] = out->r[ARM_LR];
    out->r[ARM_SP] = entry_of(u, f);
    bool known = out->known >> ARM_LR & 1;
    out->known &= ~(UINT64_C(1) << ARM_LR);
    out->known |= UINT64_C(1) << ARM_SP | UINT64_C(1) << UNWIND_PC;
    return known;
}

/* Whether it leads here, with the stack as it is found to have been at the begin. */
static enum unwind_arm_reach leads_here(const struct unwind_state *u, struct push *p,
                                        uint32_t entry)
{
    if (!p->walked && p->walks++ < MAX_WALKS)
        p->reach = unwind_arm_reaches(u, p->at, p->thumb, &p->moved);
    p->walked = true;
    bool fits = (uint32_t)(unwind_sp(u) - (uint64_t)p->moved) == entry;
    return fits ? p->reach : ARM_REACHES_NOT;
}

static enum unwind_arm_begin try_frame(const struct unwind_state *u, struct push *p,
                                       struct unwind_arm_caller *out)
{
    uint32_t entry = entry_of(u, &out->frame);
    uint64_t target, returns_to;
    bool unread;
    if (entry <= unwind_sp(u) || entry % 4 || !read_caller(u, &out->frame, &out->regs))
        return ARM_NO_BEGIN;
    returns_to = out->regs.r[UNWIND_PC];
    unwind_called_arm(u->space, unwind_strip_pc(u->space, returns_to), &target, &unread);
    if (unread || !unwind_is_called_arm(u, returns_to))
        return ARM_NO_BEGIN;
    bool direct = target,
         known = direct || unwind_register_target_arm(u->space, &out->regs, &target);
    bool names = known && names_function(u, target, p);
    if (direct && !names)
        return ARM_NO_BEGIN;
    enum unwind_arm_reach reach = leads_here(u, p, entry);
    if (reach == ARM_REACHES)
        return ARM_LEADS_HERE;
    if (names)
        return reach == ARM_MAY_REACH ? ARM_MAY_LEAD : ARM_BEGINS;
    return p->far ? ARM_NO_BEGIN : ARM_BEGIN_GUESSED;
}

static void try_push(const struct unwind_state *u, struct push *p, struct unwind_arm_caller *out,
                     enum unwind_arm_begin *best)
{
    const unsigned bases[] = {p->thumb ? R7 : R11, ARM_SP, p->thumb ? R11 : R7};
    struct unwind_arm_caller caller = {.framed = true};
    struct frame f;
    run_prologue(u, p->at, p->thumb, &f);
    for (size_t i = 0; i < sizeof bases / sizeof *bases && f.has_saved >> ARM_LR & 1; i++) {
        if (!make_frame(u, &f, bases[i], &caller.frame))
            continue;
        enum unwind_arm_begin found = try_frame(u, p, &caller);
        if (found > *best) {
            *best = found;
            *out = caller;
            out->named = found != ARM_LEADS_HERE;
        }
    }
}

/* Arguments may be saved in front of it, by sub sp or a push without lr: there it begins. */
static bool saves_arguments(const struct unwind_state *u, uint64_t at, uint64_t len, bool thumb)
{
    struct arm_code c;
    if (!unwind_read_arm(u->space, at, thumb, &c) || c.conditional || c.len != len)
        return false;
    return (is_push(&c) && !(c.mask >> ARM_LR)) ||
           (c.kind == ARM_ADD && c.rd == ARM_SP && c.rn == ARM_SP && c.by < 0);
}

static uint64_t begin_of(const struct unwind_state *u, uint64_t push_at, bool thumb)
{
    for (uint64_t len = thumb ? 2 : 4; len <= 4; len += 2)
        if (saves_arguments(u, push_at - len, len, thumb))
            return push_at - len;
    return push_at;
}

/* The nearest push whose caller calls it; else the nearest with a call through a register. */
enum unwind_arm_begin unwind_by_arm_prologue(const struct unwind_state *u, bool thumb,
                                             struct unwind_arm_caller *out)
{
    enum unwind_arm_begin best = ARM_NO_BEGIN;
    uint64_t pc = unwind_pc(u), step = thumb ? 2 : 4;
    struct push p = {.thumb = thumb};
    struct arm_code c;
    unsigned pushes = 0;
    for (uint64_t back = step; back <= UNWIND_ARM_NEAR && back < pc; back += step) {
        if (!unwind_read_arm(u->space, pc - back, thumb, &c))
            break;
        if (!is_push(&c) || !(c.mask >> ARM_LR & 1))
            continue;
        p.far = back > REACH || ++pushes > MAX_PUSHES;
        p.at = begin_of(u, pc - back, thumb);
        p.walked = false;
        p.reach = ARM_REACHES_NOT;
        try_push(u, &p, out, &best);
        if (best >= ARM_BEGINS)
            break;
    }
    return best;
}
