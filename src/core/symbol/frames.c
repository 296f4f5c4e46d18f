#include "core/symbol/frames.h"

#include "core/base/grow.h"
#include "core/dwarf/lines.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_DEPTH = 128 };

void frames_release(struct frames *f)
{
    free(f->frame);
    *f = (struct frames){0};
}

void frames_clear(struct frames *f)
{
    f->count = 0;
    f->symbol = NULL;
}

int frames_add(struct frames *f, const struct frame *one)
{
    return GROW_ADD(f->frame, f->cap, f->count, *one) ? 0 : -ENOMEM;
}

/* The symbol, and the file that its table has it in. */
static void find_symbol(struct module *m, uint64_t vaddr, struct frames *out, const char **file)
{
    struct symbol s;
    if (out->want.no_symbols)
        return;
    const struct llvm_symbol *l = out->llvm ? llvm_symbols_find(out->llvm, vaddr) : NULL;
    if (l) {
        out->symbol = l->name;
        out->start = l->start;
        *file = l->file;
    } else if (!out->llvm && module_symbol(m, vaddr, &s)) {
        out->symbol = s.name;
        out->start = s.start;
    }
}

static void add_declaration(struct module *m, const struct lines_frame *from,
                            const struct frames_want *want, struct frame *one)
{
    struct lines_function d;
    if (!lines_declared(m->lines, from, &d))
        return;
    one->start_file = d.file;
    one->start_line = d.line;
    one->start = d.low_pc;
    one->has_start = d.has_low_pc;
    if (want->short_names)
        one->function = d.name;
}

/* The call of the frame before has a discriminator in that function's entry. */
static uint32_t call_discriminator(struct module *m, const struct lines_frame *callee)
{
    struct lines_function d;
    return lines_declared(m->lines, callee, &d) ? d.call_discriminator : 0;
}

static int add_frame(struct module *m, const struct lines_frame *found, size_t i,
                     struct frames *out)
{
    const struct lines_frame *f = &found[i];
    struct frame one = {.function = f->function,
                        .file = f->file,
                        .line = f->line,
                        .column = f->column,
                        .discriminator = f->discriminator,
                        .shares_start = f->shares_start};
    if (out->want.declarations || out->want.short_names)
        add_declaration(m, f, &out->want, &one);
    if (i && out->want.declarations)
        one.discriminator = call_discriminator(m, &found[i - 1]);
    return frames_add(out, &one);
}

/* What the debug information says, inlined functions first; else the symbol alone. */
int module_frames(struct module *m, uint64_t vaddr, struct frames *out)
{
    struct lines_frame found[MAX_DEPTH];
    const char *file = NULL;
    size_t n = m->lines ? lines_at(m->lines, vaddr, found, MAX_DEPTH) : 0;
    find_symbol(m, vaddr, out, &file);
    if (n == 0)
        return out->symbol ? frames_add(out, &(struct frame){.function = out->symbol, .file = file})
                           : 0;
    if (!found[n - 1].function)
        found[n - 1].function = out->symbol;
    if (!found[n - 1].file)
        found[n - 1].file = file;
    int r = 0;
    for (size_t i = 0; i < n && r == 0; i++)
        r = add_frame(m, found, i, out);
    return r;
}
