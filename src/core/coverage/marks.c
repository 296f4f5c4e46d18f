#include "marks.h"

#include "core/base/grow.h"
#include "core/base/search.h"
#include "core/base/sort.h"
#include "core/elf/elf.h"

#include <errno.h>
#include <stdlib.h>

struct gathering {
    struct coverage_marks *to;
    bool failed;
};

static void add_mark(void *arg, uint64_t kind, uint64_t vaddr)
{
    struct gathering *g = arg;
    struct coverage_marks *t = g->to;
    if (!GROW_ADD(t->mark, t->cap, t->count, (struct coverage_mark){vaddr, (char)kind}))
        g->failed = true;
}

static int compare_marks(const void *a, const void *b)
{
    const struct coverage_mark *x = a, *y = b;
    return ORDER(x->start, y->start);
}

int coverage_marks_make(struct elf_module *m, struct coverage_marks *out)
{
    struct gathering g = {.to = out};
    *out = (struct coverage_marks){.arm = elf_machine(m) == ELF_MACHINE_ARM};
    if (out->arm)
        elf_mapping_symbols(m, add_mark, &g);
    if (out->count)
        sort_array(out->mark, out->count, sizeof *out->mark, compare_marks);
    return g.failed ? -ENOMEM : 0;
}

void coverage_marks_release(struct coverage_marks *t)
{
    free(t->mark);
    *t = (struct coverage_marks){0};
}

/* The number of marks up to an address. */
static size_t marks_up_to(const struct coverage_marks *t, uint64_t vaddr)
{
    return FIRST_ABOVE(t->mark, t->count, start, vaddr);
}

uint64_t coverage_marks_skip(const struct coverage_marks *t, uint64_t vaddr)
{
    size_t n = marks_up_to(t, vaddr);
    if (!n || t->mark[n - 1].kind != 'd')
        return vaddr;
    while (n < t->count && t->mark[n].kind == 'd')
        n++;
    return n < t->count ? t->mark[n].start : UINT64_MAX;
}

uint64_t coverage_marks_mode(const struct coverage_marks *t, uint64_t vaddr)
{
    size_t n = t->arm ? marks_up_to(t, vaddr) : 0;
    bool thumb = t->arm && !(n && t->mark[n - 1].kind == 'a');
    return vaddr | thumb;
}
