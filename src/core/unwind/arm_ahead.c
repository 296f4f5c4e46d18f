/*
 * Functions of 32-bit ARM by their instructions: they are followed from pc to the return, with the
 * registers and the stack as they are. Either way of a branch may be the one that returns; a call
 * comes back, and leaves no return address in lr. So a path that runs out of its function, as
 * behind a call that does not come back, finds no return.
 */
#include "arm_path.h"

#include "core/base/bytes.h"

/* --- a function --- */

/* The stack is where it was before the call, or the path has missed something. */
static bool is_return(const struct arm_run *r)
{
    const struct arm_path *p = &r->now;
    return arm_is_known(p, ARM_SP) && p->r[ARM_SP] % 4 == 0 &&
           (r->u->returns ? p->r[ARM_SP] > r->bottom : p->r[ARM_SP] >= r->bottom);
}

enum { NEAR = 1 << 16, FIRST = 16 }; /* bytes of a function; of what may come before its push */

/* Whether another function may begin between a function's begin and pc. */
static bool begins_between(const struct arm_run *r, uint64_t from)
{
    const struct unwind_space *s = r->u->space;
    uint64_t pc = from + FIRST;
    struct arm_code c;
    uint8_t b[4];
    bool thumb = r->thumb;
    for (; pc < unwind_pc(r->u) && s->memory(s->arg, pc, b, 4); pc += thumb ? 2 : 4) {
        if (thumb)
            thumb_code_read(get_le16(b), get_le16(b + 2), &c);
        else
            arm_code_read(get_le32(b), &c);
        if (c.kind == ARM_STORE && c.rn == ARM_SP && c.step < 0 && c.mask >> ARM_LR & 1)
            return true;
    }
    return false;
}

/* A call of a function that lies before pc is of this one if that leads here. */
static bool calls_this(const struct arm_run *r)
{
    const struct unwind_state *u = r->u;
    uint64_t target;
    int64_t moved;
    bool unread, called = unwind_called_arm(u->space, unwind_strip_pc(u->space, r->returns_to),
                                            &target, &unread);
    if (!called || !target || unwind_pc(u) - target >= NEAR || !begins_between(r, target))
        return true;
    return unwind_arm_reaches(u, target, r->thumb, &moved) == ARM_REACHES &&
           (uint32_t)(unwind_sp(u) - (uint64_t)moved) == r->now.r[ARM_SP];
}

struct found { /* the first return, for want of one that is proven more */
    struct arm_path path;
    uint32_t returns_to;
    bool is;
};

static bool is_proven(struct arm_run *r, struct found *first)
{
    if (!unwind_is_called_arm(r->u, r->returns_to))
        return false;
    if (!r->doubtful && calls_this(r))
        return true;
    if (!first->is)
        *first = (struct found){r->now, r->returns_to, true};
    return false;
}

static enum arm_outcome last_resort(struct arm_run *r, const struct found *first,
                                    enum arm_outcome last)
{
    if (!first->is)
        return last;
    r->now = first->path;
    r->returns_to = first->returns_to;
    r->doubtful = true;
    return ARM_AT_RETURN;
}

static enum arm_outcome follow_paths(struct arm_run *r)
{
    enum arm_outcome last = ARM_DEAD_END;
    struct found first;
    first.is = false;
    first.returns_to = 0;
    for (unsigned i = 0; i < ARM_MAX_STEPS; i++) {
        enum arm_outcome o = arm_run_instruction(r);
        if (o == ARM_GOES_ON)
            continue;
        if ((o == ARM_AT_RETURN || o == ARM_AT_UNREAD) && !is_return(r))
            o = ARM_DEAD_END;
        if (o == ARM_AT_UNREAD || (o == ARM_AT_RETURN && is_proven(r, &first)))
            return o;
        last = o == ARM_AT_EXIT || (o == ARM_AT_RETURN && !r->returns_to) ? ARM_AT_EXIT : last;
        if (!arm_run_next_path(r))
            return last_resort(r, &first, last);
    }
    return last_resort(r, &first, ARM_DEAD_END);
}

static void set_result(const struct arm_run *r, struct unwind_arm_caller *out)
{
    const uint32_t keep = r->now.known & 0xffff & ~(uint32_t)ARM_LOST_BY_CALLS & ~(1u << ARM_PC);
    out->regs = (struct unwind_regs){.known = keep};
    out->doubtful = r->doubtful;
    for (unsigned i = 0; i < ARM_REGISTERS; i++)
        out->regs.r[i] = r->now.r[i];
    out->regs.r[UNWIND_PC] = r->returns_to;
    out->regs.known |= UINT64_C(1) << UNWIND_PC;
}

enum unwind_arm_end unwind_by_arm_code(const struct unwind_state *u, bool thumb,
                                       struct unwind_arm_caller *out)
{
    struct arm_run r;
    arm_run_start(&r, u, thumb);
    switch (follow_paths(&r)) {
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
