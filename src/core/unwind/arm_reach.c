/*
 * Whether the instructions of 32-bit ARM lead from a function's begin to where it is now, and how
 * far the stack pointer has moved on the way; and all ways there that leave lr alone. Each
 * instruction of the function is taken once, or once with each stack pointer, and so many in all,
 * so the work is bounded for functions of any size.
 */
#include "arm_path.h"

#include <string.h>

enum { SLOTS = 1 << 14, MAX_SEEN = SLOTS / 4 * 3, MAX_LATER = 512, COPIES = 2 };

struct place {
    uint32_t pc;
    int32_t moved, copy[COPIES]; /* the stack pointer; r7, r11: from the stack pointer at entry */
    uint8_t has_moved, has_copy; /* has_copy: a bit each */
    uint8_t conditional;         /* so many instructions of an IT block are left */
    bool called, restored;       /* lr is lost; lr is the caller's again */
    bool link_used;              /* lr has been saved, set or lost */
    uint16_t written;            /* registers, a bit each */
};

struct walk {
    const struct unwind_space *space;
    bool thumb;
    uint32_t goal;
    struct place now, later[MAX_LATER];
    unsigned laters, seen_count;
    int32_t deepest;      /* of moved */
    bool left_out;        /* a jump by a table that is not known */
    bool all;             /* the ways there are wanted, each with another stack pointer */
    uint32_t begin;       /* where it starts */
    uint32_t seen[SLOTS]; /* key_of; 0: free */
};

/* --- where it has been --- */

/* Of all ways those with another stack pointer are others; they stay near. */
static uint32_t key_of(const struct walk *w)
{
    const struct place *p = &w->now;
    return w->all ? p->pc - w->begin + 1 + (uint32_t)p->moved * UNWIND_ARM_NEAR : p->pc + 1;
}

static bool mark_seen(struct walk *w)
{
    uint32_t key = key_of(w);
    if (w->all && w->now.pc - w->begin >= UNWIND_ARM_NEAR - 1)
        return false;
    size_t at = (key * UINT32_C(0x9e3779b1)) >> 18;
    for (; w->seen[at]; at = (at + 1) % SLOTS)
        if (w->seen[at] == key)
            return false;
    w->seen[at] = key;
    w->seen_count++;
    return true;
}

static void add_place(struct walk *w, uint32_t pc)
{
    w->left_out |= w->laters == MAX_LATER;
    if (w->laters == MAX_LATER)
        return;
    w->later[w->laters] = w->now;
    w->later[w->laters++].pc = pc;
}

/* --- what an instruction does to the stack pointer --- */

static int copy_of(unsigned reg)
{
    return reg == 7 ? 0 : reg == 11 ? 1 : -1;
}

static bool read_register(const struct place *p, unsigned reg, int32_t *out)
{
    int i = copy_of(reg);
    if (reg == ARM_SP)
        *out = p->moved;
    else if (i >= 0)
        *out = p->copy[i];
    return reg == ARM_SP ? p->has_moved : i >= 0 && p->has_copy >> i & 1;
}

static void write_register(struct place *p, unsigned reg, bool known, int32_t value)
{
    int i = copy_of(reg);
    if (reg == ARM_SP) {
        p->moved = value;
        p->has_moved = known;
    } else if (i >= 0) {
        p->copy[i] = value;
        p->has_copy = (uint8_t)((p->has_copy & ~(1u << i)) | (unsigned)known << i);
    }
}

static void add(struct place *p, unsigned to, unsigned from, int32_t by)
{
    int32_t value = 0;
    bool known = read_register(p, from, &value);
    write_register(p, to, known, (int32_t)((uint32_t)value + (uint32_t)by));
}

static void load(struct place *p, const struct arm_code *c)
{
    for (unsigned reg = 0; reg < ARM_PC; reg++)
        if (c->mask >> reg & 1)
            write_register(p, reg, false, 0);
    if (c->mask >> ARM_LR & 1) {
        p->restored = c->rn == ARM_SP;
        p->called &= !p->restored;
    }
}

static bool writes_register(const struct arm_code *c)
{
    return c->kind == ARM_ADD || c->kind == ARM_MOVE || c->kind == ARM_CONSTANT ||
           c->kind == ARM_LITERAL || c->kind == ARM_LOST;
}

static bool moves_stack(const struct arm_code *c)
{
    bool transfers = c->kind == ARM_LOAD || c->kind == ARM_STORE;
    return (transfers && c->step && c->rn == ARM_SP) || (writes_register(c) && c->rd == ARM_SP);
}

static void note_written(struct place *p, const struct arm_code *c)
{
    bool transfers = c->kind == ARM_LOAD || c->kind == ARM_STORE;
    unsigned written = writes_register(c) ? 1u << c->rd : c->kind == ARM_LOAD ? c->mask : 0;
    if (transfers && c->step)
        written |= 1u << c->rn;
    p->written |= (uint16_t)written;
    p->link_used |= c->kind == ARM_CALL || ((written | (transfers ? c->mask : 0)) >> ARM_LR & 1);
}

static void update_registers(struct place *p, const struct arm_code *c)
{
    bool transfers = c->kind == ARM_LOAD || c->kind == ARM_STORE;
    note_written(p, c);
    if (c->kind == ARM_ADD || c->kind == ARM_MOVE)
        add(p, c->rd, c->rn, c->by);
    else if (writes_register(c))
        write_register(p, c->rd, false, 0);
    if (transfers && c->step)
        add(p, c->rn, c->rn, c->step);
    if (c->kind == ARM_LOAD)
        load(p, c);
    if (c->kind == ARM_CALL) {
        p->called = true;
        p->restored = false;
    }
}

/* --- where it goes on --- */

static bool leaves(const struct arm_code *c)
{
    return (writes_register(c) && c->rd == ARM_PC) ||
           (c->kind == ARM_LOAD && c->mask >> ARM_PC & 1) || c->kind == ARM_JUMP_TABLE ||
           c->kind == ARM_UNKNOWN;
}

/* A jump to what only the values of registers tell, within the function: a last call has the stack
 * as it was. */
static bool is_open(const struct place *p, const struct arm_code *c)
{
    bool returns =
        (c->kind == ARM_MOVE && c->rn == ARM_LR) || (c->kind == ARM_LOAD && c->rn == ARM_SP);
    return c->kind == ARM_COMPUTED || (leaves(c) && !returns && (!p->has_moved || p->moved != 0));
}

static void add_table(struct walk *w, uint32_t at, const struct arm_code *c)
{
    uint32_t count = arm_table_length(w->space, at, c->rn), to = 0, last = 0;
    w->left_out |= !count;
    for (uint32_t i = 0; i < count && arm_table_entry(w->space, at, c, i, &to); i++, last = to)
        if (to != last)
            add_place(w, to);
}

/* False at the end of a path. A jump with the caller's lr is a last call, which may be of the
 * function that is looked for. */
static bool go_on(struct walk *w, uint32_t at, const struct arm_code *c)
{
    struct place *p = &w->now;
    if (c->kind == ARM_TABLE)
        add_table(w, at, c);
    else if (c->kind == ARM_BRANCH)
        add_place(w, at + (uint32_t)c->by);
    else if (c->kind == ARM_JUMP || c->kind == ARM_COMPUTED)
        p->pc = at + (uint32_t)c->by;
    return c->kind != ARM_TABLE && !(c->kind == ARM_JUMP && p->restored && p->pc != w->goal);
}

/* Of one that may be skipped either way is gone where it matters. A push of lr behind a call is the
 * next function's: the call did not come back. */
static bool step(struct walk *w)
{
    struct place *p = &w->now;
    uint32_t at = p->pc;
    struct arm_code c;
    if (!mark_seen(w) || !unwind_read_arm(w->space, at, w->thumb, &c) ||
        (p->called && arm_pushes_link(&c)))
        return false;
    bool conditional = c.conditional || p->conditional;
    p->conditional -= p->conditional != 0;
    p->pc += c.len;
    if (c.kind == ARM_IF)
        p->conditional = (uint8_t)c.by;
    if (conditional && (leaves(&c) || c.kind == ARM_JUMP || moves_stack(&c)))
        add_place(w, p->pc);
    else if (conditional && writes_register(&c))
        c.kind = ARM_LOST;
    w->left_out |= is_open(p, &c);
    if (leaves(&c))
        return false;
    update_registers(p, &c);
    if (p->has_moved && p->moved < w->deepest)
        w->deepest = p->moved;
    return go_on(w, at, &c);
}

static bool next_place(struct walk *w)
{
    if (!w->laters)
        return false;
    w->now = w->later[--w->laters];
    return true;
}

static void start_walk(struct walk *w, const struct unwind_state *u, uint64_t from, bool thumb,
                       bool all)
{
    w->all = all;
    w->begin = (uint32_t)from;
    w->space = u->space;
    w->thumb = thumb;
    w->goal = (uint32_t)unwind_pc(u);
    w->laters = w->seen_count = 0;
    w->deepest = 0;
    w->left_out = false;
    w->now = (struct place){.pc = (uint32_t)from, .has_moved = true};
    memset(w->seen, 0, sizeof w->seen);
}

enum unwind_arm_reach unwind_arm_reaches(const struct unwind_state *u, uint64_t from, bool thumb,
                                         int64_t *moved)
{
    struct walk w;
    start_walk(&w, u, from, thumb, false);
    while (w.seen_count < MAX_SEEN) {
        if (w.now.pc == w.goal && w.now.has_moved) {
            *moved = w.now.moved;
            return ARM_REACHES;
        }
        if (!step(&w) && !next_place(&w))
            break;
    }
    *moved = w.deepest;
    return w.left_out || w.seen_count == MAX_SEEN ? ARM_MAY_REACH : ARM_REACHES_NOT;
}

/* --- all ways --- */

/* Those that differ in registers only are one. False when there are too many. */
static bool add_way(const struct place *p, struct unwind_arm_way *way, unsigned *count)
{
    unsigned i = 0;
    while (i < *count && way[i].moved != p->moved)
        i++;
    if (i == UNWIND_ARM_WAYS)
        return false;
    if (i == *count)
        way[(*count)++] = (struct unwind_arm_way){p->moved, 0};
    way[i].written |= p->written;
    return true;
}

unsigned unwind_arm_ways(const struct unwind_state *u, uint64_t from, bool thumb,
                         struct unwind_arm_way way[UNWIND_ARM_WAYS])
{
    struct walk w;
    unsigned count = 0;
    start_walk(&w, u, from, thumb, true);
    for (bool more = true; more && w.seen_count < MAX_SEEN;) {
        bool here = w.now.pc == w.goal;
        if (here && (!w.now.has_moved || w.now.link_used || !add_way(&w.now, way, &count)))
            return 0;
        more = (!here && step(&w)) || next_place(&w);
    }
    return w.left_out || w.seen_count == MAX_SEEN ? 0 : count;
}
