/*
 * cfisurvey [-v] FILE...: how much of many files call frame information tells, and how much of that
 * is understood. A line a file: `entries rows refused expressions vain symbols without FILE`:
 *   entries, rows  of its table          refused  entries that are not understood
 *   expressions    of its rules          vain     ... that could not be evaluated, though every
 *                                                 register and all memory was known
 *   symbols        functions by name     without  ... whose first byte has no rule; -v names them
 * Files that are no ELF files of a processor that is known here are left out.
 */
#include "core/unwind/cfi_table.h"

#include "core/elf/elf.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>

struct survey {
    struct cfi_size size;
    size_t expressions, vain, symbols, without;
};

/* Memory of a machine in which each word has its own address. */
static bool read_anything(void *arg, uint64_t addr, unsigned size, uint64_t *out)
{
    (void)arg;
    (void)size;
    *out = addr;
    return true;
}

static void evaluate(struct survey *s, const struct cfi *c, int32_t offset, bool of_cfa)
{
    uint64_t regs[CFI_REGISTERS + 1], cfa = 0x8000, out;
    for (size_t i = 0; i <= CFI_REGISTERS; i++)
        regs[i] = 0x10000 + 0x100 * i;
    struct cfi_machine_state state = {.regs = regs, .known = UINT64_MAX, .read = read_anything};
    s->expressions++;
    s->vain += !cfi_expression(c, offset, &state, of_cfa ? NULL : &cfa, &out);
}

static void look_at_rule(struct survey *s, const struct cfi *c, cfi_rule r)
{
    if (cfi_cfa_by_expression(r))
        evaluate(s, c, cfi_cfa_offset(r), true);
    for (unsigned i = 0; i < cfi_count(r); i++) {
        struct cfi_saved saved = cfi_saved_at(r, i);
        if (saved.kind == CFI_VAL_EXPR || saved.kind == CFI_EXPR)
            evaluate(s, c, saved.offset, false);
    }
}

static void look_at_symbols(struct survey *s, struct cfi *c, const struct symtab *t, bool say)
{
    for (size_t i = 0; t && i < symtab_count(t); i++) {
        const struct symbol *symbol = symtab_at(t, i);
        if (symbol->start < c->base || symbol->start >= c->end)
            continue;
        bool has = cfi_find(c, symbol->start);
        s->symbols++;
        s->without += !has;
        if (say && !has)
            printf("  %" PRIx64 "-%" PRIx64 " %s\n", symbol->start, symbol->end, symbol->name);
    }
}

static void survey(const struct image *image, const char *path, bool say)
{
    struct survey s = {0};
    struct elf_module *m;
    struct cfi *c;
    if (cfi_new(&(struct cfi_image){image->data, image->len, NULL}, NULL, &c, NULL) < 0)
        return;
    cfi_size(c, &s.size);
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].rule)
            look_at_rule(&s, c, c->pool.words + c->row[i].rule);
    if (elf_open(image->data, image->len, &m, NULL) == 0) {
        look_at_symbols(&s, c, elf_symbols(m), say);
        elf_close(m);
    }
    printf("%zu %zu %zu %zu %zu %zu %zu %s\n", s.size.functions, s.size.rows, s.size.refused,
           s.expressions, s.vain, s.symbols, s.without, path);
    cfi_free(c);
}

int main(int argc, char **argv)
{
    bool say = argc > 1 && strcmp(argv[1], "-v") == 0;
    struct image image;
    for (int i = 1 + say; i < argc; i++)
        if (file_map(argv[i], SIZE_MAX, &image, NULL) == 0) {
            survey(&image, argv[i], say);
            file_unmap(&image);
        }
    return 0;
}
