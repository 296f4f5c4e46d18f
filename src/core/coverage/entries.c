/* Where code outside of a module may call it. */
#include "core/coverage/code.h"

#include "core/base/grow.h"
#include "core/base/sort.h"
#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

#include <errno.h>
#include <stdlib.h>

struct gathering {
    struct coverage_entries *out;
    uint64_t start, end; /* of the text */
    bool failed;
};

static void add_entry(void *arg, uint64_t at, uint64_t vaddr)
{
    struct gathering *g = arg;
    struct coverage_entries *e = g->out;
    if (vaddr < g->start || vaddr >= g->end)
        return;
    g->failed |= !GROW_ADD(e->vaddr, e->cap, e->count, vaddr);
}

static int compare_addresses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return ORDER(x, y);
}

static void keep_each_once(struct coverage_entries *e)
{
    size_t kept = 0;
    sort_array(e->vaddr, e->count, sizeof *e->vaddr, compare_addresses);
    for (size_t i = 0; i < e->count; i++)
        if (!kept || e->vaddr[kept - 1] != e->vaddr[i])
            e->vaddr[kept++] = e->vaddr[i];
    e->count = kept;
}

/* The linkers' start files have no unwinding information of these. */
static void add_sections(struct elf_module *m, struct gathering *g)
{
    static const char *const names[] = {".init", ".fini"};
    uint64_t start;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (elf_section_start(m, names[i], &start))
            add_entry(g, 0, start);
}

static void add_unwound(struct elf_module *m, struct gathering *g)
{
    add_sections(m, g);
    for (size_t i = 0; i < elf_function_count(m); i++)
        add_entry(g, 0, elf_function_at(m, i));
}

static void add_sites(const struct probe_plan *p, struct gathering *g)
{
    for (size_t i = 0; i < p->count; i++)
        add_entry(g, 0, p->site[i].start | p->site[i].thumb);
}

/* On 32-bit ARM the unwinding information does not say which instruction set it is, nor where all
 * functions begin: they are found along the code. */
static void add_walked(struct elf_module *m, struct gathering *g)
{
    struct cfi_image bytes = {0};
    struct cfi *rules = NULL;
    struct probe_plan plan = {0};
    bytes.bytes = elf_image(m, &bytes.len);
    int r = cfi_new(&bytes, NULL, &rules, NULL);
    if (r == 0) {
        r = probe_plan_init(&plan, m, rules, NULL);
        if (r == 0)
            add_sites(&plan, g);
        probe_plan_release(&plan);
        cfi_free(rules);
    }
    g->failed |= r == -ENOMEM;
}

int coverage_entries_make(struct elf_module *m, struct coverage_entries *out)
{
    struct gathering g = {.out = out};
    *out = (struct coverage_entries){0};
    if (!elf_text(m, &g.start, &g.end))
        return 0;
    elf_function_symbols(m, add_entry, &g);
    if (elf_machine(m) == ELF_MACHINE_ARM)
        add_walked(m, &g);
    else
        add_unwound(m, &g);
    keep_each_once(out);
    return g.failed ? -ENOMEM : 0;
}

void coverage_entries_release(struct coverage_entries *e)
{
    free(e->vaddr);
    *e = (struct coverage_entries){0};
}
