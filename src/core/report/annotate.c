/* How a function's samples spread over lines. */
#include "core/report/annotate.h"

#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_line(const void *pa, const void *pb)
{
    const struct annotate_place *a = pa, *b = pb;
    return strcmp(a->file, b->file) ?: ORDER(a->line, b->line);
}

/* The file with the most of the weight among sorted places: [*first, *behind). */
static void busiest_file(const struct annotate_place *place, size_t n, size_t *first,
                         size_t *behind)
{
    uint64_t max = 0;
    *first = *behind = 0;
    for (size_t i = 0, k; i < n; i = k) {
        uint64_t weight = 0;
        for (k = i; k < n && strcmp(place[k].file, place[i].file) == 0; k++)
            weight += place[k].sum.weight;
        if (weight > max) {
            max = weight;
            *first = i;
            *behind = k;
        }
    }
}

static int fill_lines(struct annotate_place *place, size_t n, struct annotate_lines *out)
{
    size_t first, behind;
    sort_array(place, n, sizeof *place, by_line);
    busiest_file(place, n, &first, &behind);
    out->line = malloc((behind - first + 1) * sizeof *out->line);
    if (!out->line)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        if (i < first || i >= behind)
            annotate_add(&out->elsewhere, &place[i].sum);
        else if (out->count && out->line[out->count - 1].line == place[i].line)
            annotate_add(&out->line[out->count - 1].sum, &place[i].sum);
        else
            out->line[out->count++] = (struct annotate_line){place[i].line, place[i].sum};
    out->file = behind > first ? place[first].file : NULL;
    return 0;
}

int annotate_lines(const struct annotate *a, struct annotate_lines *out)
{
    SCOPED_FREE struct annotate_place *known = malloc((a->places + 1) * sizeof *known);
    size_t n = 0;
    *out = (struct annotate_lines){0};
    if (!known)
        return -ENOMEM;
    for (size_t i = 0; i < a->places; i++)
        if (a->place[i].file)
            known[n++] = a->place[i];
        else
            annotate_add(&out->elsewhere, &a->place[i].sum);
    return fill_lines(known, n, out);
}

void annotate_lines_release(struct annotate_lines *l)
{
    free(l->line);
    *l = (struct annotate_lines){0};
}
