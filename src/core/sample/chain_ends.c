#include "core/sample/chain_ends.h"

#include "core/base/buf.h"
#include "core/unwind/unwind.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS = 8 };

static const struct sampled_end *end_at(const struct sampled *s, size_t i)
{
    return (const struct sampled_end *)s->ends.record + i;
}

static uint64_t count(const struct sampled *s, bool whole)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->ends.count; i++)
        if (!whole || end_at(s, i)->end == UNWIND_WHOLE)
            sum += end_at(s, i)->chains;
    return sum;
}

static int most_first(const void *pa, const void *pb)
{
    const struct sampled_end *a = pa, *b = pb;
    if (a->chains != b->chains)
        return a->chains < b->chains ? 1 : -1;
    return a->module != b->module ? (a->module > b->module) - (a->module < b->module)
                                  : (a->end > b->end) - (a->end < b->end);
}

/* The broken ones, most first; the caller frees. */
static struct sampled_end *broken(const struct sampled *s, size_t *count)
{
    struct sampled_end *row = malloc((s->ends.count + 1) * sizeof *row);
    *count = 0;
    for (size_t i = 0; row && i < s->ends.count; i++)
        if (end_at(s, i)->end != UNWIND_WHOLE)
            row[(*count)++] = *end_at(s, i);
    if (row)
        qsort(row, *count, sizeof *row, most_first);
    return row;
}

static const char *module_name(const struct sampled *s, const struct sampled_end *e)
{
    const struct module *m = sampled_module(s, e->module);
    return m ? m->name : "no module";
}

static double pct(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

void chain_ends_text(const struct sampled *s, struct buf *out)
{
    uint64_t all = count(s, false), rest = 0;
    size_t rows;
    if (!all)
        return;
    struct sampled_end *row = broken(s, &rows);
    buf_printf(out, "call chains: %.1f%% of %" PRIu64 " whole", pct(count(s, true), all), all);
    if (s->guessed)
        buf_printf(out, "; %" PRIu64 " with a guessed frame", s->guessed);
    if (s->late)
        buf_printf(out, "; %" PRIu64 " read late", s->late);
    buf_addc(out, '\n');
    for (size_t i = 0; row && i < rows; i++)
        if (i < ROWS)
            buf_printf(out, "%6.1f%%  %s, in %s\n", pct(row[i].chains, all),
                       unwind_end_name((enum unwind_end)row[i].end), module_name(s, &row[i]));
        else
            rest += row[i].chains;
    if (rest)
        buf_printf(out, "%6.1f%%  (%zu more)\n", pct(rest, all), rows - ROWS);
    free(row);
}

void chain_ends_json(const struct sampled *s, struct json *j)
{
    uint64_t all = count(s, false);
    size_t rows;
    if (!all)
        return;
    struct sampled_end *row = broken(s, &rows);
    json_object(j, "chains");
    json_u64(j, "unwound", all);
    json_u64(j, "whole", count(s, true));
    json_u64(j, "guessed", s->guessed);
    json_u64(j, "late", s->late);
    json_array(j, "broken");
    for (size_t i = 0; row && i < rows; i++) {
        json_object(j, NULL);
        json_str(j, "reason", unwind_end_name((enum unwind_end)row[i].end));
        json_str(j, "module", module_name(s, &row[i]));
        json_u64(j, "chains", row[i].chains);
        json_object_end(j);
    }
    json_array_end(j);
    json_object_end(j);
    free(row);
}
