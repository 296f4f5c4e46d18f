#include "arm_path.h"

#include "core/base/bytes.h"

#include <string.h>

enum { R7 = 7, R12 = 12 };

/* --- registers and the stack --- */

static void set_register(struct arm_path *p, unsigned reg, uint32_t value, bool known)
{
    p->r[reg] = value;
    p->known = (p->known & ~(1u << reg)) | (uint32_t)known << reg;
}

static struct arm_slot *find_slot(struct arm_path *p, uint32_t at)
{
    for (unsigned i = 0; i < p->slots; i++)
        if (p->slot[i].at == at)
            return &p->slot[i];
    return NULL;
}

/* Without a place for it, it is a local's: registers are saved first. */
static void write_word(struct arm_path *p, uint32_t at, uint32_t value, bool known)
{
    struct arm_slot *s = find_slot(p, at);
    if (!s && p->slots < ARM_MAX_SLOTS)
        s = &p->slot[p->slots++];
    if (s)
        *s = (struct arm_slot){at, value, known};
}

static bool read_word(struct arm_run *r, uint32_t at, uint32_t *out)
{
    const struct arm_slot *s = find_slot(&r->now, at);
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

/* To an address in a register. What is not known is another function, if lr is this one's caller.
 */
static enum arm_outcome jump_to(struct arm_run *r, bool known, uint32_t value)
{
    struct arm_path *p = &r->now;
    if (!known && !(p->restored && arm_is_known(p, ARM_LR)))
        return ARM_DEAD_END;
    r->returns_to = known ? value : p->r[ARM_LR];
    return ARM_AT_RETURN;
}

/* So many entries has the table whose index an instruction in front compares: cmp, cmp.w. */
static uint32_t table_length(const struct arm_run *r, uint32_t at, unsigned index)
{
    enum { BEFORE = 24 };
    const struct unwind_space *s = r->u->space;
    uint8_t b[4];
    for (uint32_t back = 4; back <= BEFORE && s->memory(s->arg, at - back, b, 4); back += 2) {
        uint32_t first = get_le16(b), second = get_le16(b + 2);
        if (index < 8 && first >> 8 == (0x28 | index))
            return (first & 0xff) + 1;
        if (first == (0xf1b0 | index) && second >> 8 == 0x0f)
            return (second & 0xff) + 1;
    }
    return 1;
}

/* TBB and TBH: each of the ways. */
static enum arm_outcome follow_table(struct arm_run *r, uint32_t at, const struct arm_code *c)
{
    const struct unwind_space *s = r->u->space;
    uint32_t size = (uint32_t)c->step, count = table_length(r, at, c->rn), last = 0;
    uint8_t b[2] = {0};
    for (uint32_t i = 0; i < count && s->memory(s->arg, at + 4 + i * size, b, size); i++) {
        uint32_t to = at + 4 + 2 * (size == 2 ? get_le16(b) : b[0]);
        if (to != last)
            add_path(r, to);
        last = to;
    }
    return ARM_DEAD_END;
}

/* A last call: lr has been restored. */
static enum arm_outcome follow_jump(struct arm_run *r, uint32_t to)
{
    if (r->now.restored)
        return jump_to(r, false, 0);
    r->now.pc = to;
    return ARM_GOES_ON;
}

/* A jump to another function, with lr as it is: to the caller. If lr does not come from the stack,
 * the path may also have left its function. */
static enum arm_outcome call_last(struct arm_run *r)
{
    r->doubtful = !r->now.restored;
    return jump_to(r, arm_is_known(&r->now, ARM_LR), r->now.r[ARM_LR]);
}

static enum arm_outcome load(struct arm_run *r, const struct arm_code *c)
{
    struct arm_path *p = &r->now;
    uint32_t at = p->r[c->rn] + (uint32_t)c->by, base = p->r[c->rn] + (uint32_t)c->step, value = 0;
    bool based = arm_is_known(p, c->rn), found = false, own = false;
    if (based && c->step)
        p->r[c->rn] = base;
    r->unread = 0;
    for (unsigned reg = 0; reg < ARM_REGISTERS; reg++) {
        if (!(c->mask >> reg & 1))
            continue;
        found = based && read_word(r, at, &value);
        own |= reg == ARM_LR;
        set_register(p, reg, value, found);
        at += 4;
    }
    p->restored = own ? arm_is_known(p, ARM_LR) : p->restored;
    if (!(c->mask >> ARM_PC & 1))
        return ARM_GOES_ON;
    if (c->rn == R12) /* a stub of the procedure linkage table */
        return call_last(r);
    if (c->rn != ARM_SP) /* of a table */
        return jump_to(r, false, 0);
    return !found && based && r->unread ? ARM_AT_UNREAD : jump_to(r, found, value);
}

/* A function that saves lr behind a call is the next one: the call did not come back. */
static bool enters_function(const struct arm_path *p, const struct arm_code *c)
{
    return c->kind == ARM_STORE && c->rn == ARM_SP && c->step < 0 && c->mask >> ARM_LR & 1 &&
           !arm_is_known(p, ARM_LR);
}

static void store(struct arm_path *p, const struct arm_code *c)
{
    uint32_t at = p->r[c->rn] + (uint32_t)c->by;
    if (!arm_is_known(p, c->rn))
        return;
    for (unsigned reg = 0; reg < ARM_REGISTERS; reg++)
        if (c->mask >> reg & 1) {
            write_word(p, at, p->r[reg], arm_is_known(p, reg));
            at += 4;
        }
    p->r[c->rn] += (uint32_t)c->step;
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

static enum arm_outcome execute(struct arm_run *r, const struct arm_code *c, uint32_t at)
{
    struct arm_path *p = &r->now;
    uint32_t value = 0;
    bool known;
    switch (c->kind) {
    case ARM_ADD:
        set_register(p, c->rd, p->r[c->rn] + (uint32_t)c->by, arm_is_known(p, c->rn));
        return c->rd == ARM_PC ? ARM_DEAD_END : ARM_GOES_ON;
    case ARM_MOVE:
        if (c->rd == ARM_PC)
            return c->rn == ARM_LR ? jump_to(r, arm_is_known(p, ARM_LR), p->r[ARM_LR])
                                   : call_last(r);
        set_register(p, c->rd, p->r[c->rn], c->rn != ARM_PC && arm_is_known(p, c->rn));
        return ARM_GOES_ON;
    case ARM_CONSTANT:
        set_register(p, c->rd, (uint32_t)c->by, true);
        return ARM_GOES_ON;
    case ARM_LITERAL:
        known = read_literal(r, (at & ~UINT32_C(3)) + (uint32_t)c->by, &value);
        set_register(p, c->rd, value, known);
        return c->rd == ARM_PC ? ARM_DEAD_END : ARM_GOES_ON;
    case ARM_LOST:
        set_register(p, c->rd, 0, false);
        return c->rd == ARM_PC ? ARM_DEAD_END : ARM_GOES_ON;
    case ARM_LOAD:
        return load(r, c);
    case ARM_STORE:
        store(p, c);
        return ARM_GOES_ON;
    case ARM_JUMP:
        return follow_jump(r, at + (uint32_t)c->by);
    case ARM_JUMP_TABLE:
        return jump_to(r, false, 0);
    case ARM_COMPUTED:
        p->pc = at + (uint32_t)c->by;
        return ARM_GOES_ON;
    case ARM_TABLE:
        return follow_table(r, at, c);
    case ARM_BRANCH:
        add_path(r, at + (uint32_t)c->by);
        return ARM_GOES_ON;
    case ARM_CALL:
        return call(r);
    case ARM_SYSTEM_CALL:
        return is_exit(p, R7) ? ARM_AT_EXIT : ARM_GOES_ON;
    case ARM_IF:
        p->conditional = (uint8_t)c->by;
        return ARM_GOES_ON;
    case ARM_PLAIN:
        return ARM_GOES_ON;
    default:
        return ARM_DEAD_END;
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
        set_register(p, c->rd, 0, false);
    return ARM_GOES_ON;
}

/* Instructions are little-endian always. */
static bool read_code(const struct arm_run *r, struct arm_code *out)
{
    const struct unwind_space *s = r->u->space;
    const struct arm_path *p = &r->now;
    uint8_t b[4] = {0};
    if (!s->memory(s->arg, p->pc, b, 4) && !(p->thumb && s->memory(s->arg, p->pc, b, 2)))
        return false;
    if (p->thumb)
        thumb_code_read(get_le16(b), get_le16(b + 2), out);
    else
        arm_code_read(get_le32(b), out);
    return true;
}

enum arm_outcome arm_run_instruction(struct arm_run *r)
{
    struct arm_path *p = &r->now;
    struct arm_code c;
    uint32_t at = p->pc;
    r->doubtful = false;
    if (!mark_seen(r) || !read_code(r, &c))
        return ARM_DEAD_END;
    if (enters_function(p, &c))
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
    r->paths = 0;
    r->u = u;
    r->bottom = (uint32_t)unwind_sp(u);
    r->now.thumb = r->thumb = thumb;
    r->now.pc = (uint32_t)unwind_pc(u);
    r->now.known = (uint32_t)u->regs.known & (u->returns ? 0xffff & ~ARM_LOST_BY_CALLS : 0xffff);
    for (unsigned i = 0; i < ARM_REGISTERS; i++)
        r->now.r[i] = (uint32_t)u->regs.r[i];
    r->now.known &= ~(1u << ARM_PC);
}
