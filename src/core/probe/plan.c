#include "core/probe/plan.h"

#include "core/base/grow.h"
#include "planning.h"
#include "returns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void planning_mark(struct planning *p, uint64_t addr)
{
    if (planning_has(p, addr))
        p->target[(addr - p->start) / 8] |= (uint8_t)(1u << (addr - p->start) % 8);
}

bool planning_is_target(const struct planning *p, uint64_t addr)
{
    return planning_has(p, addr) && p->target[(addr - p->start) / 8] >> (addr - p->start) % 8 & 1;
}

/* Instructions are no pointers. */
static void mark_pointer(void *arg, uint64_t at, uint64_t vaddr)
{
    struct planning *p = arg;
    if (!planning_is_target(p, vaddr) && !(planning_has(p, at) && cfi_find(p->cfi, at)))
        planning_mark(p, vaddr);
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
    p->target = calloc((size_t)(p->end - p->start) / 8 + 1, 1);
    return p->target ? 0 : fail_set(f, ENOMEM, "code");
}

/* --- entries --- */

static bool has_entry_rule(const struct planning *p, const struct probe_processor *x,
                           uint64_t start)
{
    cfi_rule r = cfi_find(p->cfi, start);
    return r && !cfi_cfa_by_expression(r) && !cfi_outermost(r) && !cfi_signal(r) &&
           cfi_cfa_register(r) == x->sp && cfi_cfa_offset(r) == x->cfa && cfi_count(r) == x->saved;
}

static bool ends_with(const char *name, const char *end)
{
    size_t len = strlen(name), end_len = strlen(end);
    return len >= end_len && strcmp(name + len - end_len, end) == 0;
}

/* Without a symbol it may be an entry in a file that has no others than its exported ones. */
bool planning_has_entry_name(const struct planning *p, uint64_t start, const char **name)
{
    const struct symbol *s = symtab_find(elf_symbols(p->elf), start);
    *name = s && s->start == start ? s->name : NULL;
    if (!*name)
        return !elf_has_all_names(p->elf) && !(s && ends_with(s->name, "@plt"));
    return !ends_with(*name, "@plt") && !strstr(*name, ".cold");
}

static enum probe_return returns_of(const struct probe_body *b, const char *name)
{
    return name && probe_name_is_entry_only(name) ? PROBE_RETURN_NAMED
           : b->reads_return                      ? PROBE_RETURN_READ
           : b->saved_twice                       ? PROBE_RETURN_LOST
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
    elf_code_pointers(p->elf, mark_pointer, p);
    mark_symbols(p);
    if ((x->find ? x->find(p, plan) : sweep_all(p, x, plan)) < 0)
        return fail_set(f, ENOMEM, "functions");
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
