#include "core/symbol/jit_code.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>

bool jit_code_add(struct jit_code *c, uint64_t start, uint64_t size, const char *name)
{
    struct jit_function one = {.start = start, .name = name, .sequence = c->count};
    if (!size || !name[0] || __builtin_add_overflow(start, size, &one.end) ||
        c->count >= JIT_MAX_FUNCTIONS)
        return false;
    if (!GROW_ADD(c->function, c->cap, c->count, one)) {
        c->err = -ENOMEM;
        return false;
    }
    return true;
}

void jit_code_release(struct jit_code *c)
{
    free(c->function);
    *c = (struct jit_code){0};
}

static int by_start(const void *pa, const void *pb)
{
    const struct jit_function *a = pa, *b = pb;
    return ORDER(a->start, b->start) ?: ORDER(a->sequence, b->sequence);
}

/* Those left do not overlap: as soon as a byte of a function is another's, it is gone. */
static size_t drop_stale(struct jit_function *f, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        while (kept && f[kept - 1].end > f[i].start && f[kept - 1].sequence < f[i].sequence)
            kept--;
        if (!kept || f[kept - 1].end <= f[i].start)
            f[kept++] = f[i];
    }
    return kept;
}

static struct symtab *build_table(const struct jit_function *f, size_t n)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    for (size_t i = 0; b && i < n; i++) {
        struct symbol_found s = {.addr = f[i].start,
                                 .size = f[i].end - f[i].start,
                                 .name = f[i].name,
                                 .copy_name = true,
                                 .function = true};
        symtab_add(b, &s);
    }
    struct symtab *t = b ? symtab_build(b) : NULL;
    symtab_builder_free(b);
    return t;
}

struct symtab *jit_code_symbols(struct jit_code *c)
{
    if (c->err)
        return NULL;
    sort_array(c->function, c->count, sizeof *c->function, by_start);
    return build_table(c->function, drop_stale(c->function, c->count));
}
