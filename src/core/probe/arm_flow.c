/*
 * The functions of a module of 32-bit ARM, and how a jump fits into each. A linker merges entries
 * of the index, and the index of a C program has one: functions are found by symbols, by calls, and
 * where the index or a pointer leads, if a push of the link register is there.
 */
#include "arm_movable.h"
#include "arm_walk.h"
#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>

enum { PATCH = 4, MAX_COVERS = 24, BX_PC = 0x4778 };

/* --- entries --- */

static void add_symbol(void *arg, uint64_t at, uint64_t vaddr)
{
    arm_walk_entry(arg,
                   (struct arm_place){.addr = (uint32_t)vaddr & ~UINT32_C(1), .thumb = vaddr & 1});
}

static bool is_walked(const struct arm_walk *w, uint64_t addr)
{
    return *arm_walk_half(w, addr) & (ARM_BEGINS | ARM_FOLLOWS | ARM_DATA);
}

/* In code that nothing has led to. */
static void add_pointer(void *arg, uint64_t at, uint64_t vaddr)
{
    struct arm_walk *w = arg;
    uint32_t addr = (uint32_t)vaddr & ~UINT32_C(1);
    if (planning_has(w->p, addr) && !is_walked(w, addr) && arm_walk_saves(w->p, addr, vaddr & 1))
        arm_walk_entry(w, (struct arm_place){.addr = addr, .thumb = vaddr & 1});
}

/* The index does not say which set it is. */
static void add_indexed(struct arm_walk *w)
{
    for (size_t i = 0; i < elf_function_count(w->p->elf); i++) {
        uint32_t addr = (uint32_t)elf_function_at(w->p->elf, i) & ~UINT32_C(1);
        if (!planning_has(w->p, addr) || is_walked(w, addr))
            continue;
        bool thumb = arm_walk_saves(w->p, addr, true), a32 = arm_walk_saves(w->p, addr, false);
        if (thumb != a32)
            arm_walk_entry(w, (struct arm_place){.addr = addr, .thumb = thumb});
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct arm_place *x = a, *y = b;
    return ORDER(x->addr, y->addr);
}

/* What looked like a call may be data that a later path loads. A stub that leaves T32 is none. */
static bool is_entry(const struct arm_walk *w, const struct arm_place *e, const char **name)
{
    struct arm_insn r;
    bool by_data = e->from && *arm_walk_half(w, e->from) & ARM_DATA;
    return !by_data && !(*arm_walk_half(w, e->addr) & ARM_DATA) &&
           arm_walk_read(w->p, e->addr, e->thumb, &r) && !(e->thumb && r.op == BX_PC) &&
           r.code.kind != ARM_UNKNOWN && planning_has_entry_name(w->p, e->addr, name);
}

static int add_sites(struct arm_walk *w, struct probe_plan *plan)
{
    const char *name = NULL;
    int err = 0;
    for (size_t i = 0; !err && i < w->entries.count; i++) {
        const struct arm_place *e = &w->entries.place[i];
        struct probe_body b = {.start = e->addr, .entry = true, .thumb = e->thumb};
        b.end = i + 1 < w->entries.count ? e[1].addr : w->p->end;
        if (!is_entry(w, e, &name))
            continue;
        arm_frame_read(w, &b);
        err = planning_add_site(plan, &b, name);
    }
    return err;
}

static int find_all(struct arm_walk *w, struct probe_plan *plan)
{
    elf_function_symbols(w->p->elf, add_symbol, w);
    add_indexed(w);
    elf_code_pointers(w->p->elf, add_pointer, w);
    arm_walk_rest(w);
    if (w->err)
        return w->err;
    sort_array(w->entries.place, w->entries.count, sizeof *w->entries.place, compare_places);
    return add_sites(w, plan);
}

static int find_sites(struct planning *p, struct probe_plan *plan)
{
    struct arm_walk w = {.p = p, .half = calloc((size_t)(p->end - p->start) / 2 + 2, 1)};
    int err = w.half ? find_all(&w, plan) : -ENOMEM;
    free(w.half);
    free(w.entries.place);
    free(w.paths.place);
    return err;
}

/* --- the way of an entry --- */

static bool is_nop(const struct arm_insn *r)
{
    return r->op == 0xbf00 || r->op == 0x46c0 || r->op == 0xf3af8000 || r->op == 0xe320f000 ||
           r->op == 0xe1a00000;
}

/* Bit 0 of a pointer says that it leads to T32. */
static bool is_target(const struct planning *p, uint64_t addr)
{
    return planning_is_target(p, addr) || planning_is_target(p, addr + 1);
}

/* An IT block as a whole. */
static void read_prologue(const struct planning *p, const struct probe_body *b,
                          struct probe_prologue *out)
{
    struct arm_insn r;
    int32_t left = 0;
    *out = (struct probe_prologue){0};
    while ((out->covers < PATCH || left > 0) && out->reason == PROBE_NO_REASON) {
        uint64_t addr = b->start + out->covers;
        if (addr >= b->end || !arm_walk_read(p, (uint32_t)addr, b->thumb, &r) ||
            out->covers + r.code.len > MAX_COVERS)
            out->reason = PROBE_SHORT;
        else if (out->covers && is_target(p, addr))
            out->reason = PROBE_JUMP_TARGET;
        else if (r.code.kind == ARM_CALL && (out->covers + r.code.len < PATCH || left > 1))
            out->reason = PROBE_CALL_INSIDE;
        left = r.code.kind == ARM_IF ? r.code.by : left - (left > 0);
        out->nops += is_nop(&r) && out->nops == out->covers ? r.code.len : 0;
        out->covers += r.code.len;
        out->count++;
    }
}

static bool can_be_moved(const struct planning *p, const struct probe_body *b, unsigned covers)
{
    return arm_is_movable(
        &(struct arm_displaced){planning_bytes(p, b->start), covers, (uint32_t)b->start, b->thumb});
}

static void choose_way(const struct planning *p, const struct probe_body *b, struct probe_site *out)
{
    struct probe_prologue x;
    read_prologue(p, b, &x);
    if (x.reason == PROBE_NO_REASON && x.count > 1 && (b->unknown || b->leads_away))
        x.reason = b->unknown ? PROBE_UNKNOWN_CODE : PROBE_UNKNOWN_JUMP;
    if (x.reason == PROBE_NO_REASON && !can_be_moved(p, b, x.covers))
        x.reason = PROBE_NOT_MOVED;
    planning_set_way(&x, PATCH, out);
}

const struct probe_processor probe_arm = {
    .machine = ELF_MACHINE_ARM, .find = find_sites, .choose = choose_way};
