/*
 * Functions of 32-bit ARM by their instructions: they are followed from pc to the return, with the
 * registers and the stack as they are. Either way of a branch may be the one that returns; a call
 * comes back, and leaves no return address in lr. So a path that runs out of its function, as
 * behind a call that does not come back, finds no return.
 */
#include "arm_code.h"
#include "step.h"

#include "core/base/bytes.h"

#include <string.h>

enum {
    MAX_STEPS = 1024,
    MAX_PATHS = 32,
    MAX_SLOTS = 32,
    SEEN = 2048,
    R7 = 7,
    R12 = 12,
    REGISTERS = 16
};
enum { LOST_BY_CALLS = 0x500f /* r0-r3, r12, lr */ };

struct slot { /* a word of the stack that the instructions have written */
    uint32_t at, value;
    bool known;
};

struct path {
    uint32_t r[REGISTERS], known, pc;
    bool thumb, restored; /* lr's value came from the stack */
    uint8_t conditional;  /* so many instructions of an IT block are left */
    uint8_t slots;
    struct slot slot[MAX_SLOTS];
};

enum outcome { GOES_ON, DEAD_END, RETURNS, EXITS, UNREAD };

struct run {
    const struct unwind_state *u;
    uint32_t bottom; /* the stack pointer of pc: what is below is not the stack's */
    struct path now, later[MAX_PATHS];
    unsigned paths;
    struct { /* where a path came along: again is no use */
        uint32_t pc, sp;
    } seen[SEEN];
    uint32_t returns_to;
    uint64_t unread;
};

/* --- registers and the stack --- */

static bool is_known(const struct path *p, unsigned reg)
{
    return p->known >> reg & 1;
}

static void set_register(struct path *p, unsigned reg, uint32_t value, bool known)
{
    p->r[reg] = value;
    p->known = (p->known & ~(1u << reg)) | (uint32_t)known << reg;
}

static struct slot *find_slot(struct path *p, uint32_t at)
{
    for (unsigned i = 0; i < p->slots; i++)
        if (p->slot[i].at == at)
            return &p->slot[i];
    return NULL;
}

/* Without a place for it, it is a local's: registers are saved first. */
static void write_word(struct path *p, uint32_t at, uint32_t value, bool known)
{
    struct slot *s = find_slot(p, at);
    if (!s && p->slots < MAX_SLOTS)
        s = &p->slot[p->slots++];
    if (s)
        *s = (struct slot){at, value, known};
}

static bool read_word(struct run *r, uint32_t at, uint32_t *out)
{
    const struct slot *s = find_slot(&r->now, at);
    uint64_t value;
    if (s)
        return *out = s->value, s->known;
    if (at < r->bottom || at % 4)
        return false;
    if (!unwind_number(r->u->space, at, 4, &value)) {
        r->unread = at;
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* --- paths --- */

/* False when a path has come here with the same stack pointer. */
static bool mark_seen(struct run *r)
{
    struct path *p = &r->now;
    uint32_t sp = is_known(p, ARM_SP) ? p->r[ARM_SP] : 1, h = (p->pc >> 1 ^ sp << 3) * 0x9e3779b1u;
    for (unsigned i = 0; i < SEEN; i++) {
        size_t at = ((h >> 16) + i) % SEEN;
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
static void add_path(struct run *r, uint32_t pc)
{
    if (r->paths == MAX_PATHS)
        return;
    r->later[r->paths] = r->now;
    r->later[r->paths++].pc = pc;
}

/* --- one instruction --- */

/* To an address in a register. What is not known is another function, if lr is this one's caller.
 */
static enum outcome jump_to(struct run *r, bool known, uint32_t value)
{
    struct path *p = &r->now;
    if (!known && !(p->restored && is_known(p, ARM_LR)))
        return DEAD_END;
    r->returns_to = known ? value : p->r[ARM_LR];
    return RETURNS;
}

/* A last call: lr has been restored. */
static enum outcome follow_jump(struct run *r, uint32_t to)
{
    if (r->now.restored)
        return jump_to(r, false, 0);
    r->now.pc = to;
    return GOES_ON;
}

static enum outcome load(struct run *r, const struct arm_code *c)
{
    struct path *p = &r->now;
    uint32_t at = p->r[c->rn] + (uint32_t)c->by, base = p->r[c->rn] + (uint32_t)c->step, value = 0;
    bool based = is_known(p, c->rn), found = false, own = false;
    if (based && c->step)
        p->r[c->rn] = base;
    r->unread = 0;
    for (unsigned reg = 0; reg < REGISTERS; reg++) {
        if (!(c->mask >> reg & 1))
            continue;
        found = based && read_word(r, at, &value);
        own |= reg == ARM_LR;
        set_register(p, reg, value, found);
        at += 4;
    }
    p->restored = own ? is_known(p, ARM_LR) : p->restored;
    if (!(c->mask >> ARM_PC & 1))
        return GOES_ON;
    return !found && based && r->unread ? UNREAD : jump_to(r, found, value);
}

static void store(struct path *p, const struct arm_code *c)
{
    uint32_t at = p->r[c->rn] + (uint32_t)c->by;
    if (!is_known(p, c->rn))
        return;
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (c->mask >> reg & 1) {
            write_word(p, at, p->r[reg], is_known(p, reg));
            at += 4;
        }
    p->r[c->rn] += (uint32_t)c->step;
}

static bool read_literal(const struct run *r, uint32_t at, uint32_t *out)
{
    uint8_t bytes[4];
    const struct unwind_space *s = r->u->space;
    if (!s->memory(s->arg, at, bytes, sizeof bytes))
        return false;
    *out = get_u32(bytes, s->big_endian);
    return true;
}

static bool is_exit(const struct path *p, unsigned number)
{
    enum { EXIT = 1, EXIT_GROUP = 248 };
    return is_known(p, number) && (p->r[number] == EXIT || p->r[number] == EXIT_GROUP);
}

/* Where r7 is the frame pointer, glibc calls a function for it: push {r7, lr}; mov r7, ip; svc #0
 */
static bool calls_system(const struct run *r)
{
    static const uint8_t does[] = {0x80, 0xb5, 0x67, 0x46, 0x00, 0xdf};
    const struct unwind_space *s = r->u->space;
    uint64_t target;
    uint8_t bytes[sizeof does];
    bool unread;
    return unwind_called_arm(s, r->now.pc, &target, &unread) && target &&
           s->memory(s->arg, target, bytes, sizeof bytes) && !memcmp(bytes, does, sizeof does);
}

static enum outcome call(struct run *r)
{
    struct path *p = &r->now;
    if (is_exit(p, R12) && calls_system(r))
        return EXITS;
    p->known &= ~(uint32_t)LOST_BY_CALLS;
    p->restored = false;
    return GOES_ON;
}

static enum outcome execute(struct run *r, const struct arm_code *c, uint32_t at)
{
    struct path *p = &r->now;
    uint32_t value = 0;
    bool known;
    switch (c->kind) {
    case ARM_ADD:
        set_register(p, c->rd, p->r[c->rn] + (uint32_t)c->by, is_known(p, c->rn));
        return c->rd == ARM_PC ? DEAD_END : GOES_ON;
    case ARM_MOVE:
        if (c->rd == ARM_PC)
            return jump_to(r, is_known(p, c->rn), p->r[c->rn]);
        set_register(p, c->rd, p->r[c->rn], c->rn != ARM_PC && is_known(p, c->rn));
        return GOES_ON;
    case ARM_CONSTANT:
        set_register(p, c->rd, (uint32_t)c->by, true);
        return GOES_ON;
    case ARM_LITERAL:
        known = read_literal(r, (at & ~UINT32_C(3)) + (uint32_t)c->by, &value);
        set_register(p, c->rd, value, known);
        return c->rd == ARM_PC ? DEAD_END : GOES_ON;
    case ARM_LOST:
        set_register(p, c->rd, 0, false);
        return c->rd == ARM_PC ? DEAD_END : GOES_ON;
    case ARM_LOAD:
        return load(r, c);
    case ARM_STORE:
        store(p, c);
        return GOES_ON;
    case ARM_JUMP:
        return follow_jump(r, at + (uint32_t)c->by);
    case ARM_JUMP_TABLE:
        return jump_to(r, false, 0);
    case ARM_BRANCH:
        add_path(r, at + (uint32_t)c->by);
        return GOES_ON;
    case ARM_CALL:
        return call(r);
    case ARM_SYSTEM_CALL:
        return is_exit(p, R7) ? EXITS : GOES_ON;
    case ARM_IF:
        p->conditional = (uint8_t)c->by;
        return GOES_ON;
    case ARM_PLAIN:
        return GOES_ON;
    default:
        return DEAD_END;
    }
}

static bool moves_stack(const struct arm_code *c)
{
    bool base = (c->kind == ARM_LOAD || c->kind == ARM_STORE) && c->step && c->rn == ARM_SP;
    bool set = (c->kind == ARM_ADD || c->kind == ARM_MOVE) && (c->rd == ARM_SP || c->rd == ARM_PC);
    return base || set || (c->kind == ARM_LOAD && c->mask >> ARM_PC) || c->kind == ARM_JUMP;
}

/* One that may be skipped: both ways, where it decides how the function is left; else what it
 * writes is not known. */
static enum outcome execute_conditional(struct run *r, const struct arm_code *c, uint32_t at)
{
    struct path *p = &r->now;
    if (moves_stack(c)) {
        add_path(r, p->pc);
        return execute(r, c, at);
    }
    if (c->kind == ARM_CALL || c->kind == ARM_BRANCH)
        return execute(r, c, at);
    if (c->kind == ARM_LOAD)
        p->known &= ~c->mask;
    else if (c->kind != ARM_STORE && c->kind != ARM_PLAIN && c->kind != ARM_SYSTEM_CALL)
        set_register(p, c->rd, 0, false);
    return GOES_ON;
}

/* Instructions are little-endian always. */
static bool read_code(const struct run *r, struct arm_code *out)
{
    const struct unwind_space *s = r->u->space;
    const struct path *p = &r->now;
    uint8_t b[4] = {0};
    if (!s->memory(s->arg, p->pc, b, 4) && !(p->thumb && s->memory(s->arg, p->pc, b, 2)))
        return false;
    if (p->thumb)
        thumb_code_read(get_le16(b), get_le16(b + 2), out);
    else
        arm_code_read(get_le32(b), out);
    return true;
}

static enum outcome follow_instruction(struct run *r)
{
    struct path *p = &r->now;
    struct arm_code c;
    uint32_t at = p->pc;
    if (!mark_seen(r) || !read_code(r, &c))
        return DEAD_END;
    bool conditional = c.conditional || p->conditional;
    p->conditional -= p->conditional != 0;
    p->pc += c.len;
    return conditional ? execute_conditional(r, &c, at) : execute(r, &c, at);
}

/* --- a function --- */

/* The stack is where it was before the call, or the path has missed something. */
static bool is_return(const struct run *r)
{
    const struct path *p = &r->now;
    return is_known(p, ARM_SP) && p->r[ARM_SP] % 4 == 0 &&
           (r->u->returns ? p->r[ARM_SP] > r->bottom : p->r[ARM_SP] >= r->bottom);
}

static bool next_path(struct run *r)
{
    if (!r->paths)
        return false;
    r->now = r->later[--r->paths];
    return true;
}

static enum outcome follow_paths(struct run *r)
{
    enum outcome last = DEAD_END;
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        enum outcome o = follow_instruction(r);
        if (o == RETURNS && is_return(r))
            return o;
        if (o == UNREAD && is_return(r))
            return o;
        if (o == GOES_ON)
            continue;
        last = o == EXITS ? o : last;
        if (!next_path(r))
            return last;
    }
    return DEAD_END;
}

static void start_run(struct run *r, const struct unwind_state *u, bool thumb)
{
    memset(r, 0, offsetof(struct run, later));
    memset(r->seen, 0, sizeof r->seen);
    r->paths = 0;
    r->u = u;
    r->bottom = (uint32_t)unwind_sp(u);
    r->now.thumb = thumb;
    r->now.pc = (uint32_t)unwind_pc(u);
    r->now.known = (uint32_t)u->regs.known & (u->returns ? 0xffff & ~LOST_BY_CALLS : 0xffff);
    for (unsigned i = 0; i < REGISTERS; i++)
        r->now.r[i] = (uint32_t)u->regs.r[i];
    r->now.known &= ~(1u << ARM_PC);
}

static void set_result(const struct run *r, struct unwind_arm_caller *out)
{
    const uint32_t keep = r->now.known & 0xffff & ~(uint32_t)LOST_BY_CALLS & ~(1u << ARM_PC);
    out->regs = (struct unwind_regs){.known = keep};
    for (unsigned i = 0; i < REGISTERS; i++)
        out->regs.r[i] = r->now.r[i];
    out->regs.r[UNWIND_PC] = r->returns_to;
    out->regs.known |= UINT64_C(1) << UNWIND_PC;
}

enum unwind_arm_end unwind_by_arm_code(const struct unwind_state *u, bool thumb,
                                       struct unwind_arm_caller *out)
{
    struct run r;
    start_run(&r, u, thumb);
    switch (follow_paths(&r)) {
    case RETURNS:
        set_result(&r, out);
        return ARM_RETURNS;
    case EXITS:
        return ARM_EXITS;
    case UNREAD:
        out->unread = r.unread;
        return ARM_UNREAD;
    default:
        return ARM_NO_RETURN;
    }
}
