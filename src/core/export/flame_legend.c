#include "flame_legend.h"

#include "core/base/sort.h"
#include "core/text/xml.h"
#include "flame_colour.h"
#include "flame_text.h"

#include "core/base/buf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SWATCH = 11, GAP = 14 };

/* Kinds that are not split by module, and their labels. */
static const char *const kinds[] = {"other", "kernel", "JIT", "waiting"};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct entry {
    const char *colour, *name;
    uint64_t self;
};

static int heaviest_first(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    int names = a->name && b->name ? strcmp(a->name, b->name) : !a->name - !b->name;
    return ORDER(b->self, a->self) ?: names;
}

/* The entry a function belongs to: its kind's, or behind these its module's. */
static size_t entry_of(const struct stacks_function *f)
{
    if (f->kind != STACKS_USER)
        return f->kind < KINDS ? f->kind : 0;
    return f->module == STACKS_NONE ? 0 : KINDS + f->module;
}

static void collect_entries(const struct flame_tree *t, const uint8_t *hues, struct entry *entry)
{
    const struct stacks *s = &t->stacks;
    for (uint32_t i = 0; i < s->nodes; i++) {
        const struct stacks_function *f = stacks_function_of(s, i);
        size_t n = entry_of(f);
        struct entry *e = &entry[n];
        e->colour = flame_colour(f, hues);
        e->name = n < KINDS ? kinds[n] : stacks_module_name(s, f);
        e->self += t->sums[FLAME_WEIGHT].self[i];
    }
}

static void add_swatch(struct buf *out, const char *colour, double x, int y)
{
    buf_printf(out, "<rect class=\"%s\" x=\"%.0f\" y=\"%d\" width=\"%d\" height=\"%d\"/>", colour,
               x, y - SWATCH + 1, SWATCH, SWATCH);
}

/* Appends a swatch with words behind it at x, and returns where the next one goes. */
static double add_words(struct buf *out, const char *colour, const char *words, double x, int y)
{
    add_swatch(out, colour, x, y);
    x += SWATCH + 4;
    buf_printf(out, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", x, y, words);
    return x + FLAME_CHARACTER * (double)strlen(words) + GAP;
}

static double add_entry(struct buf *out, const struct entry *e, uint64_t total, double x, int y)
{
    SCOPED_BUF words = BUF_INIT;
    flame_fit(&words, e->name, 30 * FLAME_CHARACTER);
    buf_addc(&words, ' ');
    flame_pct(&words, e->self, total);
    return add_words(out, e->colour, buf_str(&words), x, y);
}

static bool any_inlined(const struct flame_tree *t)
{
    for (size_t i = 0; i < t->stacks.frames; i++)
        if (t->stacks.frame[i].inlined)
            return true;
    return false;
}

int flame_legend(struct buf *out, const struct flame_tree *t, const uint8_t *hues, int y, double px)
{
    size_t entries = KINDS + t->stacks.modules, shown = 0;
    SCOPED_FREE struct entry *entry = calloc(entries, sizeof *entry);
    double x = 10;
    if (!entry)
        return -ENOMEM;
    buf_adds(out, "<g class=\"legend\">\n");
    collect_entries(t, hues, entry);
    sort_array(entry, entries, sizeof *entry, heaviest_first);
    if (any_inlined(t))
        x = add_words(out, "x inlined", "paler: inlined", x, y);
    buf_printf(out, "<text class=\"small\" x=\"%.0f\" y=\"%d\">self:</text>\n", x, y);
    x += 6 * FLAME_CHARACTER;
    for (; shown < entries && entry[shown].name && x < px - 300; shown++)
        x = add_entry(out, &entry[shown], t->total[FLAME_WEIGHT], x, y);
    if (shown < entries && entry[shown].name)
        buf_printf(out, "<text class=\"small\" x=\"%.0f\" y=\"%d\">others have less</text>\n", x,
                   y);
    buf_adds(out, "</g>\n");
    return 0;
}

void flame_scale(struct buf *out, int y)
{
    static const char *const step[] = {"l4", "l3", "l2", "l1", "same", "m1", "m2", "m3", "m4"};
    static const char before[] = "less than half its share before", after[] = "more than double";
    double x = 10;
    buf_printf(out, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", x, y, before);
    x += FLAME_CHARACTER * (double)(sizeof before - 1) + 6;
    for (size_t i = 0; i < sizeof step / sizeof *step; i++, x += SWATCH + 3)
        add_swatch(out, step[i], x, y);
    buf_printf(out, "\n<text x=\"%.0f\" y=\"%d\">%s</text>\n", x + 4, y, after);
}
