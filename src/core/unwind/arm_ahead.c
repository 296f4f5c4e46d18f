/*
 * Functions of 32-bit ARM by their instructions: they are followed from pc to the return, with the
 * registers and the stack as they are. Either way of a branch may be the one that returns; a call
 * comes back, and leaves no return address in lr. So a path that runs out of its function, as
 * behind a call that does not come back, finds no return.
 */
#include "arm_path.h"

/* --- a function --- */

/* The stack is where it was before the call, or the path has missed something. */
static bool is_return(const struct arm_run *r)
{
    const struct arm_path *p = &r->now;
    return arm_is_known(p, ARM_SP) && p->r[ARM_SP] % 4 == 0 &&
           (r->u->returns ? p->r[ARM_SP] > r->bottom : p->r[ARM_SP] >= r->bottom);
}

enum { FIRST = 16 }; /* bytes of what may come before a function's push */

/* Whether another function may begin between a function's begin and pc. */
static bool begins_between(const struct arm_run *r, uint64_t from)
{
    struct arm_code c;
    for (uint64_t pc = from + FIRST; pc < unwind_pc(r->u); pc += r->thumb ? 2 : 4) {
        if (!unwind_read_arm(r->u->space, pc, r->thumb, &c))
            return false;
        if (arm_pushes_link(&c))
            return true;
    }
    return false;
}

enum evidence {
    NO_EVIDENCE,
    CALLS_OTHER, /* or the path may have left its function */
    MAY_CALL, /* something far away, as a stub of the procedure linkage table; or by a register */
    MAKES_FRAME, /* what is called there makes this frame, and may lead here */
    CALLS_THIS,  /* what is called there leads here, and makes this frame */
};

static enum evidence find_evidence(struct arm_run *r)
{
    const struct unwind_state *u = r->u;
    enum evidence otherwise = r->doubtful ? CALLS_OTHER : MAY_CALL;
    uint64_t target;
    int64_t moved;
    bool unread, called = unwind_called_arm(u->space, unwind_strip_pc(u->space, r->returns_to),
                                            &target, &unread);
    if (!unwind_is_called_arm(u, r->returns_to))
        return NO_EVIDENCE;
    if (!called || !target || unwind_pc(u) - target >= UNWIND_ARM_NEAR)
        return otherwise;
    if (++r->walks > ARM_MAX_WALKS)
        return NO_EVIDENCE;
    enum unwind_arm_reach reach = unwind_arm_reaches(u, target, r->thumb, &moved);
    if (reach != ARM_REACHES_NOT && (uint32_t)(unwind_sp(u) - (uint64_t)moved) == r->now.r[ARM_SP])
        return reach == ARM_REACHES ? CALLS_THIS : MAKES_FRAME;
    return begins_between(r, target) ? CALLS_OTHER : otherwise;
}

struct found { /* a return: the first of those with most evidence */
    struct arm_path path;
    uint32_t returns_to;
    struct arm_origin returns_from;
    bool doubtful;
    enum evidence evidence;
};

static void keep_better(struct arm_run *r, struct found *best)
{
    enum evidence e = find_evidence(r);
    if (e > best->evidence)
        *best = (struct found){r->now, r->returns_to, r->returns_from, r->doubtful, e};
}

/* Without a proof other paths, which were not followed to their end, may have found it. */
static enum arm_outcome end_run(struct arm_run *r, const struct found *best, enum arm_outcome last,
                                bool all)
{
    if (!best->evidence)
        return last;
    r->now = best->path;
    r->returns_to = best->returns_to;
    r->returns_from = best->returns_from;
    r->named = best->doubtful || best->evidence == CALLS_OTHER || best->evidence == MAKES_FRAME;
    r->doubtful = best->evidence == CALLS_OTHER || (best->evidence == MAY_CALL && !all);
    return ARM_AT_RETURN;
}

static enum arm_outcome follow_paths(struct arm_run *r)
{
    enum arm_outcome last = ARM_DEAD_END;
    struct found best = {.evidence = NO_EVIDENCE};
    for (unsigned i = 0; i < ARM_MAX_STEPS; i++) {
        enum arm_outcome o = arm_run_instruction(r);
        if (o == ARM_GOES_ON)
            continue;
        if ((o == ARM_AT_RETURN || o == ARM_AT_UNREAD) && !is_return(r))
            o = ARM_DEAD_END;
        if (o == ARM_AT_UNREAD && best.evidence < MAY_CALL)
            return o;
        if (o == ARM_AT_RETURN)
            keep_better(r, &best);
        last = o == ARM_AT_EXIT || (o == ARM_AT_RETURN && !r->returns_to) ? ARM_AT_EXIT : last;
        if (best.evidence == CALLS_THIS || !arm_run_next_path(r))
            return end_run(r, &best, last, true);
    }
    return end_run(r, &best, ARM_DEAD_END, false);
}

/* Where the caller's registers were, by the one that its stack pointer is found by. False when its
 * stack pointer or the return address is not said so. */
static bool make_frame(const struct arm_run *r, struct arm_frame *out)
{
    const struct arm_path *p = &r->now;
    const struct arm_origin *sp = &p->from[ARM_SP];
    *out = (struct arm_frame){.base = sp->reg, .cfa = sp->by};
    for (unsigned reg = ARM_FIRST_SAVED; reg <= ARM_LINK; reg++) {
        const struct arm_origin *o = reg == ARM_LINK ? &r->returns_from : &p->from[reg];
        bool known = reg == ARM_LINK || arm_is_known(p, reg);
        if (reg > ARM_LAST_SAVED && reg != ARM_LINK)
            continue;
        if (known && o->kind == ARM_FROM_STACK && o->reg == sp->reg)
            arm_frame_save(out, reg, o->by);
        else if (!known || o->kind != ARM_FROM_REGISTER || o->reg != reg || o->by)
            out->lost |= 1u << reg;
    }
    return sp->kind == ARM_FROM_REGISTER && !(out->lost >> ARM_LINK & 1);
}

/* Where lr is about to be saved, it is the return address still, if a call through a register has
 * led there. */
static bool saves_link(const struct arm_run *r)
{
    const struct unwind_space *s = r->u->space;
    struct arm_code c;
    uint64_t target;
    bool unread;
    return !r->u->returns && arm_is_known(&r->now, ARM_LR) &&
           unwind_read_arm(s, r->now.pc, r->thumb, &c) && arm_pushes_link(&c) &&
           unwind_called_arm(s, unwind_strip_pc(s, r->now.r[ARM_LR]), &target, &unread) && !target;
}

static enum arm_outcome find_return(struct arm_run *r, const struct unwind_state *u, bool thumb)
{
    arm_run_start(r, u, thumb);
    bool saves = saves_link(r);
    enum arm_outcome o = follow_paths(r);
    if (!saves || o == ARM_AT_EXIT || o == ARM_AT_UNREAD || (o == ARM_AT_RETURN && !r->doubtful))
        return o;
    arm_run_start(r, u, thumb);
    r->returns_to = r->now.r[ARM_LR];
    r->returns_from = r->now.from[ARM_LR];
    r->doubtful = r->named = true;
    return ARM_AT_RETURN;
}

static void set_result(const struct arm_run *r, struct unwind_arm_caller *out)
{
    const uint32_t keep = r->now.known & 0xffff & ~(uint32_t)ARM_LOST_BY_CALLS & ~(1u << ARM_PC);
    out->regs = (struct unwind_regs){.known = keep};
    out->doubtful = r->doubtful;
    out->named = r->named;
    for (unsigned i = 0; i < ARM_REGISTERS; i++)
        out->regs.r[i] = r->now.r[i];
    out->regs.r[UNWIND_PC] = r->returns_to;
    out->regs.known |= UINT64_C(1) << UNWIND_PC;
    out->framed = make_frame(r, &out->frame);
}

enum unwind_arm_end unwind_by_arm_code(const struct unwind_state *u, bool thumb,
                                       struct unwind_arm_caller *out)
{
    struct arm_run r;
    switch (find_return(&r, u, thumb)) {
    case ARM_AT_RETURN:
        set_result(&r, out);
        return ARM_RETURNS;
    case ARM_AT_EXIT:
        return ARM_EXITS;
    case ARM_AT_UNREAD:
        out->unread = r.unread;
        return ARM_UNREAD;
    default:
        return ARM_NO_RETURN;
    }
}
