#include "arm_walk.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"

#include <errno.h>

enum { MAX_TABLE = 4096 };

bool arm_walk_read(const struct planning *p, uint32_t addr, bool thumb, struct arm_insn *out)
{
    return planning_has(p, addr) && addr % (thumb ? 2 : 4) == 0 &&
           arm_insn_read(planning_bytes(p, addr), (size_t)(p->end - addr), thumb, out);
}

static void add_place(struct arm_walk *w, struct arm_places *to, struct arm_place place)
{
    if (!GROW_ADD(to->place, to->cap, to->count, place))
        w->err = -ENOMEM;
}

/* --- where instructions lead --- */

static void add_path(struct arm_walk *w, uint32_t addr, bool thumb)
{
    if (!planning_has(w->p, addr))
        return;
    planning_mark(w->p, addr);
    if (!(*arm_walk_half(w, addr) & ARM_BEGINS))
        add_place(w, &w->paths, (struct arm_place){.addr = addr, .thumb = thumb});
}

static void add_entry(struct arm_walk *w, struct arm_place place)
{
    if (!planning_has(w->p, place.addr) || place.addr % (place.thumb ? 2 : 4) ||
        *arm_walk_half(w, place.addr) & ARM_ENTRY)
        return;
    *arm_walk_half(w, place.addr) |= ARM_ENTRY;
    add_place(w, &w->entries, place);
    add_path(w, place.addr, place.thumb);
}

static void mark_data(struct arm_walk *w, uint32_t addr, uint32_t len)
{
    for (uint32_t i = 0; i < len; i += 2)
        if (planning_has(w->p, addr + i))
            *arm_walk_half(w, addr + i) |= ARM_DATA;
}

/* TBB and TBH lead forwards: the table ends where its first target is, at the latest. */
static void read_table(struct arm_walk *w, uint32_t addr, const struct arm_code *c)
{
    uint32_t table = addr + 4, size = (uint32_t)c->step, end = table + size * MAX_TABLE;
    for (uint32_t at = table; at + size <= end && planning_has(w->p, at + size - 1); at += size) {
        const uint8_t *b = planning_bytes(w->p, at);
        uint32_t target = table + 2 * (size == 2 ? (uint32_t)get_le16(b) : b[0]);
        if (target < at + size)
            continue;
        add_path(w, target, true);
        mark_data(w, at & ~UINT32_C(1), 2);
        end = target < end ? target : end;
    }
}

/* ADD PC of A32: the next word, and branches behind the one after it. */
static void read_branches(struct arm_walk *w, uint32_t addr)
{
    struct arm_insn r;
    for (uint32_t at = addr + 8, i = 0; i < MAX_TABLE && arm_walk_read(w->p, at, false, &r) &&
                                        r.code.kind == ARM_JUMP && !r.code.conditional;
         at += 4, i++)
        add_path(w, at, false);
}

/* LDR PC of A32: addresses behind the one after it. */
static void read_addresses(struct arm_walk *w, uint32_t addr)
{
    for (uint32_t at = addr + 8, i = 0; i < MAX_TABLE && planning_has(w->p, at + 3); at += 4, i++) {
        uint32_t to = get_le32(planning_bytes(w->p, at));
        if (!planning_has(w->p, to))
            return;
        mark_data(w, at, 4);
        add_path(w, to & ~UINT32_C(1), to & 1);
    }
}

static void note_call(struct arm_walk *w, uint32_t addr, bool thumb, const struct arm_code *c)
{
    if (c->direct)
        add_entry(w, (struct arm_place){.addr = arm_code_target(c, thumb, addr),
                                        .from = addr,
                                        .thumb = thumb != c->exchanges});
}

static void note_literal(struct arm_walk *w, uint32_t addr, const struct arm_code *c)
{
    uint32_t at = (addr & ~UINT32_C(3)) + (uint32_t)c->by;
    mark_data(w, at, 4);
    if (c->rd != ARM_PC || !planning_has(w->p, at) || !planning_has(w->p, (uint64_t)at + 3))
        return;
    uint32_t to = get_le32(planning_bytes(w->p, at));
    add_path(w, to & ~UINT32_C(1), to & 1);
}

/* Whether the next instruction may be reached, if this one is not skipped. */
static bool goes_on(struct arm_walk *w, uint32_t addr, bool thumb, const struct arm_code *c)
{
    switch (c->kind) {
    case ARM_JUMP:
        add_path(w, arm_code_target(c, thumb, addr), thumb);
        return false;
    case ARM_BRANCH:
        add_path(w, arm_code_target(c, thumb, addr), thumb);
        return true;
    case ARM_CALL:
        note_call(w, addr, thumb, c);
        return true;
    case ARM_LITERAL:
        note_literal(w, addr, c);
        return c->rd != ARM_PC;
    case ARM_TABLE:
        read_table(w, addr, c);
        return false;
    case ARM_COMPUTED:
        if (!thumb)
            read_branches(w, addr);
        return !thumb;
    case ARM_JUMP_TABLE:
        if (!thumb)
            read_addresses(w, addr);
        return false;
    case ARM_MOVE:
        return c->rd != ARM_PC;
    case ARM_LOAD:
        return !(c->mask >> ARM_PC & 1);
    default:
        return c->kind != ARM_UNKNOWN;
    }
}

/* --- the walk --- */

static bool is_new(const struct arm_walk *w, uint32_t addr)
{
    return planning_has(w->p, addr) && !(*arm_walk_half(w, addr) & (ARM_BEGINS | ARM_DATA));
}

static void follow_path(struct arm_walk *w, uint32_t addr, bool thumb)
{
    struct arm_insn r;
    int32_t skippable = 0; /* instructions that are left of an IT block */
    bool reached = true;
    while (reached && is_new(w, addr) && arm_walk_read(w->p, addr, thumb, &r) && r.known) {
        *arm_walk_half(w, addr) |= ARM_BEGINS;
        if (r.code.len == 4)
            *arm_walk_half(w, addr + 2) |= ARM_FOLLOWS;
        bool conditional = skippable > 0 || r.code.conditional;
        skippable = r.code.kind == ARM_IF ? r.code.by : skippable - (skippable > 0);
        reached = goes_on(w, addr, thumb, &r.code) || conditional;
        addr += r.code.len;
    }
}

void arm_walk_entry(struct arm_walk *w, struct arm_place place)
{
    add_entry(w, place);
    while (w->paths.count && !w->err) {
        struct arm_place next = w->paths.place[--w->paths.count];
        follow_path(w, next.addr, next.thumb);
    }
}

/* Nearly all words of A32 are executed always; in T32 such words are rare, in a row above all. */
static bool is_likely(const struct planning *p, uint32_t addr, bool thumb)
{
    enum { LIKELY = 4 };
    struct arm_insn r;
    for (unsigned i = 0; i < LIKELY; i++, addr += r.code.len)
        if (!arm_walk_read(p, addr, thumb, &r) || !r.known || (!thumb && r.op >> 28 != 14))
            return false;
    return true;
}

bool arm_walk_saves(const struct planning *p, uint32_t addr, bool thumb)
{
    struct arm_insn r;
    return arm_walk_read(p, addr, thumb, &r) && r.code.kind == ARM_STORE && r.code.rn == ARM_SP &&
           !r.code.conditional && r.code.step < 0 && r.code.mask >> ARM_LR == 1 &&
           !(r.code.mask >> ARM_SP & 1) && is_likely(p, addr, thumb);
}

void arm_walk_rest(struct arm_walk *w)
{
    struct arm_insn r;
    for (uint64_t addr = w->p->start; addr + 2 <= w->p->end; addr += 2) {
        if (*arm_walk_half(w, addr) & (ARM_BEGINS | ARM_FOLLOWS | ARM_DATA))
            continue;
        for (unsigned thumb = 0; thumb < 2; thumb++)
            if (arm_walk_read(w->p, (uint32_t)addr, thumb, &r) &&
                (r.code.kind == ARM_JUMP || r.code.kind == ARM_BRANCH))
                planning_mark(w->p, arm_code_target(&r.code, thumb, (uint32_t)addr));
    }
}
