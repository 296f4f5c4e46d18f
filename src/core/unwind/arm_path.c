#include "arm_path.h"

#include "core/base/bytes.h"

#include <string.h>

enum { R7 = 7, R12 = 12 };

/* --- paths --- */

/* False when a path has come here with the same stack pointer. */
static bool mark_seen(struct arm_run *r)
{
    struct arm_path *p = &r->now;
    uint32_t sp = arm_is_known(p, ARM_SP) ? p->r[ARM_SP] : 1,
             h = (p->pc >> 1 ^ sp << 3) * 0x9e3779b1u;
    for (unsigned i = 0; i < ARM_SEEN; i++) {
        size_t at = ((h >> 16) + i) % ARM_SEEN;
        if (r->seen[at].pc == p->pc && r->seen[at].sp == sp)
            return false;
        if (!r->seen[at].pc) {
            r->seen[at].pc = p->pc;
            r->seen[at].sp = sp;
            return true;
        }
    }
    return false;
}

/* The way that is not gone now. */
static void add_path(struct arm_run *r, uint32_t pc)
{
    if (r->paths == ARM_MAX_PATHS)
        return;
    r->later[r->paths] = r->now;
    r->later[r->paths++].pc = pc;
}

/* --- one instruction --- */

static enum arm_outcome return_by(struct arm_run *r, unsigned reg)
{
    const struct arm_path *p = &r->now;
    if (!arm_is_known(p, reg))
        return ARM_DEAD_END;
    r->returns_to = p->r[reg];
    r->returns_from = p->from[reg];
    return ARM_AT_RETURN;
}

/* To an address that is not known: another function, if lr is this one's caller. */
static enum arm_outcome leave(struct arm_run *r)
{
    return r->now.restored ? return_by(r, ARM_LR) : ARM_DEAD_END;
}

/* TBB and TBH: each of the ways. */
static enum arm_outcome follow_table(struct arm_run *r, const struct arm_code *c, uint32_t at)
{
    const struct unwind_space *s = r->u->space;
    uint32_t count = arm_table_length(s, at, c->rn), to = 0, last = 0;
    for (uint32_t i = 0; i < (count ? count : 1) && arm_table_entry(s, at, c, i, &to); i++) {
        if (to != last)
            add_path(r, to);
        last = to;
    }
    return ARM_DEAD_END;
}

/* A jump to another function, with lr as it is: to the caller. If lr does not come from the stack,
 * the path may also have left its function. */
static enum arm_outcome call_last(struct arm_run *r)
{
    r->doubtful = !r->now.restored;
    return return_by(r, ARM_LR);
}

static enum arm_outcome return_loaded(struct arm_run *r, const struct arm_code *c, bool based)
{
    if (c->rn == R12) /* a stub of the procedure linkage table */
        return return_by(r, ARM_LR);
    if (c->rn != ARM_SP) /* of a table */
        return leave(r);
    if (arm_is_known(&r->now, ARM_PC))
        return return_by(r, ARM_PC);
    return based && r->unread ? ARM_AT_UNREAD : leave(r);
}

static enum arm_outcome load(struct arm_run *r, const struct arm_code *c)
{
    struct arm_path *p = &r->now;
    struct arm_word base = arm_word_of(p, c->rn), at = arm_word_add(base, c->by);
    if (base.known)
        arm_set_register(p, c->rn, arm_word_add(base, c->step));
    r->unread = 0;
    for (unsigned reg = 0; reg < ARM_REGISTERS; reg++) {
        if (!(c->mask >> reg & 1))
            continue;
        arm_set_register(p, reg, base.known ? arm_read_word(r, at) : (struct arm_word){0});
        at = arm_word_add(at, 4);
    }
    if (c->mask >> ARM_LR & 1)
        p->restored = arm_is_known(p, ARM_LR);
    return c->mask >> ARM_PC & 1 ? return_loaded(r, c, base.known) : ARM_GOES_ON;
}

static enum arm_outcome store(struct arm_run *r, const struct arm_code *c)
{
    struct arm_path *p = &r->now;
    struct arm_word base = arm_word_of(p, c->rn), at = arm_word_add(base, c->by);
    if (!base.known)
        return ARM_GOES_ON;
    for (unsigned reg = 0; reg < ARM_REGISTERS; reg++)
        if (c->mask >> reg & 1) {
            arm_write_word(p, at.value, arm_word_of(p, reg));
            at = arm_word_add(at, 4);
        }
    arm_set_register(p, c->rn, arm_word_add(base, c->step));
    return ARM_GOES_ON;
}

static bool read_literal(const struct arm_run *r, uint32_t at, uint32_t *out)
{
    uint8_t bytes[4];
    const struct unwind_space *s = r->u->space;
    if (!s->memory(s->arg, at, bytes, sizeof bytes))
        return false;
    *out = get_u32(bytes, s->big_endian);
    return true;
}

static bool is_exit(const struct arm_path *p, unsigned number)
{
    enum { EXIT = 1, EXIT_GROUP = 248 };
    return arm_is_known(p, number) && (p->r[number] == EXIT || p->r[number] == EXIT_GROUP);
}

/* Where r7 is the frame pointer, glibc calls a function for it: push {r7, lr}; mov r7, ip; svc #0
 */
static bool calls_system(const struct arm_run *r)
{
    static const uint8_t does[] = {0x80, 0xb5, 0x67, 0x46, 0x00, 0xdf};
    const struct unwind_space *s = r->u->space;
    uint64_t target;
    uint8_t bytes[sizeof does];
    bool unread;
    return unwind_called_arm(s, r->now.pc, &target, &unread) && target &&
           s->memory(s->arg, target, bytes, sizeof bytes) && !memcmp(bytes, does, sizeof does);
}

static enum arm_outcome call(struct arm_run *r)
{
    struct arm_path *p = &r->now;
    if (is_exit(p, R12) && calls_system(r))
        return ARM_AT_EXIT;
    p->known &= ~(uint32_t)ARM_LOST_BY_CALLS;
    p->restored = false;
    return ARM_GOES_ON;
}

/* What an instruction gives its register; of most it is not known. */
static struct arm_word result_of(const struct arm_run *r, const struct arm_code *c, uint32_t at)
{
    struct arm_word w = {0};
    switch (c->kind) {
    case ARM_ADD:
        return arm_word_add(arm_word_of(&r->now, c->rn), c->by);
    case ARM_MOVE:
        return c->rn != ARM_PC ? arm_word_of(&r->now, c->rn) : w;
    case ARM_CONSTANT:
        return (struct arm_word){.value = (uint32_t)c->by, .known = true};
    case ARM_LITERAL:
        w.known = read_literal(r, (at & ~UINT32_C(3)) + (uint32_t)c->by, &w.value);
        return w;
    default:
        return w;
    }
}

static enum arm_outcome set_register(struct arm_run *r, const struct arm_code *c, uint32_t at)
{
    if (c->kind == ARM_MOVE && c->rd == ARM_PC)
        return c->rn == ARM_LR ? return_by(r, ARM_LR) : call_last(r);
    arm_set_register(&r->now, c->rd, result_of(r, c, at));
    return c->rd == ARM_PC ? ARM_DEAD_END : ARM_GOES_ON;
}

/* A jump is a last call, if lr has been restored. */
static enum arm_outcome execute(struct arm_run *r, const struct arm_code *c, uint32_t at)
{
    switch (c->kind) {
    case ARM_PLAIN:
        return ARM_GOES_ON;
    case ARM_ADD:
    case ARM_MOVE:
    case ARM_CONSTANT:
    case ARM_LITERAL:
    case ARM_LOST:
        return set_register(r, c, at);
    case ARM_LOAD:
        return load(r, c);
    case ARM_STORE:
        return store(r, c);
    case ARM_JUMP:
        if (r->now.restored)
            return leave(r);
        /* fall through */
    case ARM_COMPUTED:
        r->now.pc = at + (uint32_t)c->by;
        return ARM_GOES_ON;
    case ARM_JUMP_TABLE:
        return leave(r);
    case ARM_TABLE:
        return follow_table(r, c, at);
    case ARM_BRANCH:
        add_path(r, at + (uint32_t)c->by);
        return ARM_GOES_ON;
    case ARM_CALL:
        return call(r);
    case ARM_SYSTEM_CALL:
        return is_exit(&r->now, R7) ? ARM_AT_EXIT : ARM_GOES_ON;
    case ARM_IF:
        r->now.conditional = (uint8_t)c->by;
        return ARM_GOES_ON;
    case ARM_UNKNOWN:
        break;
    }
    return ARM_DEAD_END;
}

static bool moves_stack(const struct arm_code *c)
{
    bool base = (c->kind == ARM_LOAD || c->kind == ARM_STORE) && c->step && c->rn == ARM_SP;
    bool set = (c->kind == ARM_ADD || c->kind == ARM_MOVE) && (c->rd == ARM_SP || c->rd == ARM_PC);
    return base || set || (c->kind == ARM_LOAD && c->mask >> ARM_PC) || c->kind == ARM_JUMP;
}

/* One that may be skipped: both ways, where it decides how the function is left; else what it
 * writes is not known. */
static enum arm_outcome execute_conditional(struct arm_run *r, const struct arm_code *c,
                                            uint32_t at)
{
    struct arm_path *p = &r->now;
    if (moves_stack(c)) {
        add_path(r, p->pc);
        return execute(r, c, at);
    }
    if (c->kind == ARM_CALL || c->kind == ARM_BRANCH)
        return execute(r, c, at);
    if (c->kind == ARM_LOAD)
        p->known &= ~c->mask;
    else if (c->kind != ARM_STORE && c->kind != ARM_PLAIN && c->kind != ARM_SYSTEM_CALL)
        arm_forget_register(p, c->rd);
    return ARM_GOES_ON;
}

/* A push of lr behind a call is the next function's: the call did not come back. */
enum arm_outcome arm_run_instruction(struct arm_run *r)
{
    struct arm_path *p = &r->now;
    struct arm_code c;
    uint32_t at = p->pc;
    r->doubtful = false;
    if (!mark_seen(r) || !unwind_read_arm(r->u->space, p->pc, p->thumb, &c))
        return ARM_DEAD_END;
    if (arm_pushes_link(&c) && !arm_is_known(p, ARM_LR))
        return ARM_DEAD_END;
    bool conditional = c.conditional || p->conditional;
    p->conditional -= p->conditional != 0;
    p->pc += c.len;
    return conditional ? execute_conditional(r, &c, at) : execute(r, &c, at);
}

bool arm_run_next_path(struct arm_run *r)
{
    if (!r->paths)
        return false;
    r->now = r->later[--r->paths];
    return true;
}

void arm_run_start(struct arm_run *r, const struct unwind_state *u, bool thumb)
{
    memset(r, 0, offsetof(struct arm_run, later));
    memset(r->seen, 0, sizeof r->seen);
    r->paths = r->walks = 0;
    r->doubtful = r->named = false;
    r->u = u;
    r->bottom = (uint32_t)unwind_sp(u);
    r->now.thumb = r->thumb = thumb;
    r->now.pc = (uint32_t)unwind_pc(u);
    r->now.known = (uint32_t)u->regs.known & (u->returns ? 0xffff & ~ARM_LOST_BY_CALLS : 0xffff);
    for (unsigned i = 0; i < ARM_REGISTERS; i++) {
        r->now.r[i] = (uint32_t)u->regs.r[i];
        r->now.from[i] = (struct arm_origin){ARM_FROM_REGISTER, (uint8_t)i, 0};
    }
    r->now.known &= ~(1u << ARM_PC);
}
