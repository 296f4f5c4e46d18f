#include "core/probe/plan.h"

#include "core/base/grow.h"
#include "core/base/text.h"
#include "planning.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void set_bit(const struct planning *p, uint8_t *bits, uint64_t addr)
{
    if (planning_has(p, addr))
        bits[(addr - p->start) / 8] |= (uint8_t)(1u << (addr - p->start) % 8);
}

static bool has_bit(const struct planning *p, const uint8_t *bits, uint64_t addr)
{
    return planning_has(p, addr) && bits[(addr - p->start) / 8] >> (addr - p->start) % 8 & 1;
}

void planning_mark(struct planning *p, uint64_t addr)
{
    set_bit(p, p->target, addr);
}

bool planning_is_target(const struct planning *p, uint64_t addr)
{
    return has_bit(p, p->target, addr);
}

void planning_lead(struct planning *p, const struct probe_body *b, enum insn_kind kind,
                   uint64_t addr)
{
    bool inside = addr >= b->start && addr < b->end;
    set_bit(p, p->target, addr);
    if (kind == INSN_CALL)
        set_bit(p, p->called, addr);
    else if (kind == INSN_BRANCH && !inside)
        set_bit(p, p->branched, addr);
}

void planning_point(struct planning *p, uint64_t addr)
{
    set_bit(p, p->called, addr);
}

/* --- pointers in data --- */

enum { WORD = 8 };

/* Of a program with fixed addresses: a word beside one that leads into the middle of a function is
 * of its table of jumps, no pointer to a function. */
struct pointers {
    struct planning *p;
    uint64_t at, vaddr; /* the last one */
    bool inner;         /* it leads into the middle */
    bool beside_inner;  /* the one before it did */
};

static void end_pointer(struct pointers *w, bool next_is_inner)
{
    if (!w->inner)
        set_bit(w->p, w->beside_inner || next_is_inner ? w->p->branched : w->p->called, w->vaddr);
}

static void note_pointer(struct pointers *w, uint64_t at, uint64_t vaddr)
{
    uint64_t start;
    bool inner = !elf_function_start(w->p->elf, vaddr, &start) || start != vaddr,
         beside = w->at + WORD == at;
    end_pointer(w, beside && inner);
    w->beside_inner = beside && w->inner;
    w->inner = inner;
    w->at = at;
    w->vaddr = vaddr;
}

/* Instructions are no pointers. */
static void mark_pointer(void *arg, uint64_t at, uint64_t vaddr)
{
    struct pointers *w = arg;
    if (planning_has(w->p, at) && cfi_find(w->p->cfi, at))
        return;
    planning_mark(w->p, vaddr);
    if (w->p->fixed)
        note_pointer(w, at, vaddr);
    else
        planning_point(w->p, vaddr);
}

static void mark_pointers(struct planning *p)
{
    struct pointers w = {.p = p, .inner = true};
    elf_code_pointers(p->elf, mark_pointer, &w);
    end_pointer(&w, false);
}

static void mark_symbols(struct planning *p)
{
    const struct symtab *t = elf_symbols(p->elf);
    for (size_t i = 0; i < symtab_count(t); i++)
        planning_mark(p, symtab_at(t, i)->start);
}

static int find_code(struct planning *p, struct fail *f)
{
    uint64_t end, avail;
    if (!elf_text(p->elf, &p->start, &end) ||
        !(p->code = elf_memory_at(p->elf, p->start, &avail)) || !elf_function_count(p->elf))
        return fail_set(f, 0,
                        "its functions are not known: it has no index of unwinding "
                        "information (.eh_frame_hdr, .ARM.exidx)"),
               -ENOTSUP;
    p->end = p->start + (avail < end - p->start ? avail : end - p->start);
    size_t len = (size_t)(p->end - p->start) / 8 + 1;
    p->target = calloc(len, 1);
    p->called = calloc(len, 1);
    p->branched = calloc(len, 1);
    return p->target && p->called && p->branched ? 0 : fail_set(f, ENOMEM, "code");
}

/* --- entries --- */

static bool has_entry_rule(const struct planning *p, const struct probe_processor *x,
                           uint64_t start)
{
    cfi_rule r = cfi_find(p->cfi, start);
    return r && !cfi_cfa_by_expression(r) && !cfi_outermost(r) && !cfi_signal(r) &&
           cfi_cfa_register(r) == x->sp && cfi_cfa_offset(r) == x->cfa && cfi_count(r) == x->saved;
}

/* Without a symbol it may be an entry in a file that has no others than its exported ones. */
bool planning_has_entry_name(const struct planning *p, uint64_t start, const char **name)
{
    const struct symbol *s = symtab_find(elf_symbols(p->elf), start);
    *name = s && s->start == start ? s->name : NULL;
    if (!*name)
        return !elf_has_all_names(p->elf) && !(s && text_ends(s->name, "@plt"));
    return !text_ends(*name, "@plt") && !strstr(*name, ".cold");
}

/* They return twice, switch stacks, unwind, or look at their caller: `_setjmp', `__sigsetjmp',
 * `_Unwind_Resume' and the like; leading underscores count little. */
static bool is_entry_only(const char *name)
{
    static const char *const names[] = {
        "setjmp",     "sigsetjmp",   "longjmp",      "siglongjmp",     "longjmp_chk", "getcontext",
        "setcontext", "makecontext", "swapcontext",  "dlsym",          "dlvsym",      "dlopen",
        "dlmopen",    "vfork",       "clone",        "clone2",         "clone3",      "morestack",
        "backtrace",  "libc_vfork",  "libc_longjmp", "libc_siglongjmp"};
    if (strncmp(name, "_Unwind_", 8) == 0)
        return true;
    name += strspn(name, "_");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static enum probe_return returns_of(const struct probe_body *b, const char *name)
{
    return name && is_entry_only(name) ? PROBE_RETURN_NAMED
           : b->reads_return           ? PROBE_RETURN_READ
           : b->saved_twice            ? PROBE_RETURN_LOST
                                       : PROBE_RETURN_HOOKED;
}

/* What a patch over several instructions cannot be sure of. */
static enum probe_reason doubt_of(const struct probe_body *b)
{
    return b->unknown ? PROBE_UNKNOWN_CODE : b->leads_away ? PROBE_UNKNOWN_JUMP : PROBE_NO_REASON;
}

int planning_add_site(struct probe_plan *plan, const struct probe_body *b, const char *name)
{
    uint64_t size = b->end - b->start;
    if (!grow(&plan->site, &plan->cap, plan->count, sizeof *plan->site))
        return -ENOMEM;
    plan->site[plan->count++] =
        (struct probe_site){.start = b->start,
                            .size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                            .saved_at = b->saved ? b->saved_at : PROBE_LR_KEPT,
                            .returns = (uint8_t)returns_of(b, name),
                            .thumb = b->thumb,
                            .reason = (uint8_t)doubt_of(b)};
    return 0;
}

void planning_set_way(const struct probe_prologue *x, unsigned jump, struct probe_site *out)
{
    out->way = x->reason != PROBE_NO_REASON ? PROBE_REFUSED
               : x->nops >= jump            ? PROBE_NOPS
               : x->count == 1              ? PROBE_FIRST
                                            : PROBE_SEVERAL;
    out->covers = (uint8_t)x->covers;
    out->reason = (uint8_t)x->reason;
}

/* --- the walk --- */

/* The i-th body; false: it is none, as its index is not sorted or leads out of the code. */
static bool find_body(const struct planning *p, size_t i, struct probe_body *out)
{
    uint64_t next = i + 1 < elf_function_count(p->elf) ? elf_function_at(p->elf, i + 1) : p->end;
    *out = (struct probe_body){.start = elf_function_at(p->elf, i)};
    out->end = next < p->end ? next : p->end;
    return planning_has(p, out->start) && out->end > out->start;
}

/* Bodies that are no entries are swept as well: they may jump to where entries are. */
static int sweep_all(struct planning *p, const struct probe_processor *x, struct probe_plan *plan)
{
    struct probe_body b;
    const char *name = NULL;
    uint64_t swept = 0; /* each byte once, whatever the index says */
    int err = 0;
    for (size_t i = 0; !err && i < elf_function_count(p->elf); i++) {
        if (!find_body(p, i, &b) || b.start < swept)
            continue;
        swept = b.end;
        b.entry = has_entry_rule(p, x, b.start) && planning_has_entry_name(p, b.start, &name);
        x->sweep(p, &b);
        if (b.entry)
            err = planning_add_site(plan, &b, name);
    }
    return err;
}

/* --- cold parts without a frame, which have the rule of an entry --- */

/* No name, no call and no pointer leads there. */
static bool is_hidden(const struct planning *p, uint64_t start)
{
    const struct symbol *s = symtab_find(elf_symbols(p->elf), start);
    return !(s && s->start == start) && !has_bit(p, p->called, start);
}

/* Conditional jumps of other functions or tables of jumps lead there, of which compilers make no
 * calls. */
static void drop_branched_to(const struct planning *p, struct probe_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (!has_bit(p, p->branched, plan->site[i].start) || !is_hidden(p, plan->site[i].start))
            plan->site[kept++] = plan->site[i];
    plan->count = kept;
}

/* Between it and the one before is what is no entry. */
static bool is_apart(const struct probe_plan *plan, size_t i)
{
    return i > 0 && i < plan->count &&
           plan->site[i - 1].start + plan->site[i - 1].size < plan->site[i].start;
}

/* A row of hidden ones between other parts: compilers put them beside each other. */
static void drop_among_parts(const struct planning *p, struct probe_plan *plan)
{
    size_t kept = 0, end;
    for (size_t i = 0; i < plan->count; i = end) {
        bool hidden = is_hidden(p, plan->site[i].start);
        for (end = i + 1; hidden && end < plan->count && !is_apart(plan, end) &&
                          is_hidden(p, plan->site[end].start);)
            end++;
        if (hidden && is_apart(plan, i) && is_apart(plan, end))
            continue;
        memmove(&plan->site[kept], &plan->site[i], (end - i) * sizeof *plan->site);
        kept += end - i;
    }
    plan->count = kept;
}

static void choose_all(const struct planning *p, const struct probe_processor *x,
                       struct probe_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct probe_site *s = &plan->site[i];
        struct probe_body b = {.start = s->start,
                               .end = s->start + s->size,
                               .unknown = s->reason == PROBE_UNKNOWN_CODE,
                               .leads_away = s->reason == PROBE_UNKNOWN_JUMP,
                               .thumb = s->thumb};
        x->choose(p, &b, s);
    }
}

static int plan_with(struct planning *p, const struct probe_processor *x, struct probe_plan *plan,
                     struct fail *f)
{
    int err = find_code(p, f);
    if (err)
        return err;
    p->fixed = x->points && elf_is_fixed(p->elf);
    mark_pointers(p);
    mark_symbols(p);
    if ((x->find ? x->find(p, plan) : sweep_all(p, x, plan)) < 0)
        return fail_set(f, ENOMEM, "functions");
    drop_branched_to(p, plan);
    if (x->points)
        drop_among_parts(p, plan);
    choose_all(p, x, plan);
    return 0;
}

static const struct probe_processor *find_processor(unsigned machine)
{
    static const struct probe_processor *const all[] = {&probe_x86, &probe_arm64, &probe_arm};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->machine == machine)
            return all[i];
    return NULL;
}

int probe_plan_init(struct probe_plan *plan, struct elf_module *m, struct cfi *c, struct fail *f)
{
    const struct probe_processor *x = find_processor(elf_machine(m));
    struct planning p = {.elf = m, .cfi = c};
    *plan = (struct probe_plan){.machine = elf_machine(m)};
    if (!x || elf_big_endian(m))
        return fail_set(f, 0, "probes are planned for x86-64, arm64 and 32-bit ARM alone"),
               -ENOTSUP;
    int err = plan_with(&p, x, plan, f);
    free(p.target);
    free(p.called);
    free(p.branched);
    return err;
}

void probe_plan_release(struct probe_plan *p)
{
    free(p->site);
    *p = (struct probe_plan){0};
}

void probe_plan_count(const struct probe_plan *p, struct probe_counts *out)
{
    *out = (struct probe_counts){.patchable = 0};
    for (size_t i = 0; i < p->count; i++) {
        const struct probe_site *s = &p->site[i];
        out->way[s->way]++;
        out->returns[s->returns]++;
        out->reason[s->reason] += s->way == PROBE_REFUSED;
        out->patchable += s->way != PROBE_REFUSED;
    }
}
