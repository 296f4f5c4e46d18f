#include "firefox_tables.h"

#include "core/base/scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GUID_DIGITS = 32 };

bool firefox_address(uint64_t address)
{
    return address && address < (uint64_t)1 << 53;
}

static bool is_symbol(const struct stacks *s, const struct stacks_frame *f)
{
    return !f->inlined && firefox_address(f->address) &&
           s->function[f->function].module != STACKS_NONE;
}

/* The symbol of each function, into symbol_of, which is indexed by functions here. */
static int find_symbols(struct firefox_tables *t, const struct stacks *s, uint32_t *symbol_of)
{
    t->symbol = malloc((s->functions + 1) * sizeof *t->symbol);
    if (!t->symbol)
        return -ENOMEM;
    for (size_t i = 0; i < s->frames; i++) {
        const struct stacks_frame *f = &s->frame[i];
        if (!is_symbol(s, f))
            continue;
        uint32_t *at = &symbol_of[f->function];
        if (*at == STACKS_NONE) {
            *at = (uint32_t)t->symbols++;
            t->symbol[*at] = (struct firefox_symbol){f->function, f->address};
        } else if (f->address < t->symbol[*at].address) {
            t->symbol[*at].address = f->address;
        }
    }
    return 0;
}

/* An address tells what is inlined there, so that a frame is inlined alike wherever it occurs: the
 * first occurrence is taken. */
static void find_depths(struct firefox_tables *t, const struct stacks *s,
                        const uint32_t *symbol_of_function)
{
    memset(t->depth, 0xff, s->frames * sizeof *t->depth);
    memset(t->symbol_of, 0xff, s->frames * sizeof *t->symbol_of);
    for (size_t i = 0; i < s->nodes; i++) {
        const struct stacks_node *n = &s->node[i];
        const struct stacks_frame *f = &s->frame[n->frame];
        if (t->depth[n->frame] != STACKS_NONE)
            continue;
        bool inside = f->inlined && n->parent != STACKS_NONE;
        uint32_t outer = inside ? s->node[n->parent].frame : 0;
        t->depth[n->frame] = inside ? t->depth[outer] + 1 : 0;
        t->symbol_of[n->frame] = inside       ? t->symbol_of[outer]
                                 : f->inlined ? STACKS_NONE
                                              : symbol_of_function[f->function];
    }
}

int firefox_tables_make(struct firefox_tables *t, const struct stacks *s)
{
    *t = (struct firefox_tables){0};
    SCOPED_FREE uint32_t *symbol_of = malloc((s->functions + 1) * sizeof *symbol_of);
    t->depth = malloc((s->frames + 1) * sizeof *t->depth);
    t->symbol_of = malloc((s->frames + 1) * sizeof *t->symbol_of);
    if (!symbol_of || !t->depth || !t->symbol_of)
        return -ENOMEM;
    memset(symbol_of, 0xff, (s->functions + 1) * sizeof *symbol_of);
    int r = find_symbols(t, s, symbol_of);
    if (r == 0)
        find_depths(t, s, symbol_of);
    return r;
}

void firefox_tables_release(struct firefox_tables *t)
{
    intern_release(&t->strings);
    intern_release(&t->files);
    free(t->depth);
    free(t->symbol_of);
    free(t->symbol);
    *t = (struct firefox_tables){0};
}

/* A GUID's first three fields are little-endian numbers. */
void firefox_breakpad_id(const char *build_id, char *out)
{
    static const unsigned char order[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    char digits[GUID_DIGITS];
    size_t len = strspn(build_id, "0123456789abcdef");
    if (!len || build_id[len])
        len = 0;
    memset(digits, '0', sizeof digits);
    memcpy(digits, build_id, len < GUID_DIGITS ? len : GUID_DIGITS);
    for (size_t i = 0; i < GUID_DIGITS; i++) {
        char c = digits[2 * order[i / 2] + i % 2];
        out[i] = c >= 'a' ? (char)(c - 'a' + 'A') : c;
    }
    memcpy(out + GUID_DIGITS, "0", 2);
    if (!len)
        out[0] = '\0';
}
