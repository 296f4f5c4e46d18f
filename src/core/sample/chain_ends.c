#include "core/sample/chain_ends.h"

#include "core/base/buf.h"
#include "core/base/share.h"
#include "core/base/sort.h"
#include "core/text/counted.h"
#include "core/unwind/unwind.h"

#include <stdlib.h>

static const struct sampled_end *end_at(const struct sampled *s, size_t i)
{
    return (const struct sampled_end *)s->unwound.ends.record + i;
}

static uint64_t count_chains(const struct sampled *s, bool whole)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->unwound.ends.count; i++)
        if (!whole || end_at(s, i)->end == UNWIND_WHOLE)
            sum += end_at(s, i)->chains;
    return sum;
}

static int most_first(const void *pa, const void *pb)
{
    const struct sampled_end *a = pa, *b = pb;
    return ORDER(b->chains, a->chains) ?: ORDER(a->module, b->module) ?: ORDER(a->end, b->end);
}

static const char *module_name(const struct sampled *s, const struct sampled_end *e)
{
    const struct module *m = sampled_module(s, e->module);
    return m ? m->name : "no module";
}

static uint32_t module_pid(const struct sampled *s, const struct sampled_end *e)
{
    const struct module *m = sampled_module(s, e->module);
    return m && m->identity.pid != s->want.pid ? m->identity.pid : 0;
}

static void fill_broken(const struct sampled *s, struct stacks_ends *out)
{
    size_t rows = 0;
    SCOPED_FREE struct sampled_end *row = malloc((s->unwound.ends.count + 1) * sizeof *row);
    out->broken = malloc((s->unwound.ends.count + 1) * sizeof *out->broken);
    for (size_t i = 0; row && i < s->unwound.ends.count; i++)
        if (end_at(s, i)->end != UNWIND_WHOLE)
            row[rows++] = *end_at(s, i);
    if (row)
        sort_array(row, rows, sizeof *row, most_first);
    out->broken_count = out->broken ? rows : 0;
    for (size_t i = 0; i < out->broken_count; i++)
        out->broken[i] =
            (struct stacks_broken){.reason = unwind_end_name((enum unwind_end)row[i].end),
                                   .module = module_name(s, &row[i]),
                                   .pid = module_pid(s, &row[i]),
                                   .chains = row[i].chains};
}

void chain_ends_sums(const struct sampled *s, struct stacks_ends *out)
{
    *out = (struct stacks_ends){.unwound = count_chains(s, false)};
    if (!out->unwound)
        return;
    out->whole = count_chains(s, true);
    out->by_code = s->unwound.by_code;
    out->guessed = s->unwound.guessed;
    out->from_cache = s->unwound.from_cache;
    fill_broken(s, out);
}

static void add_shortened(const struct sampled *s, struct buf *out)
{
    uint64_t without = s->count.shortened + s->count.merged;
    if (without)
        buf_printf(out, "callers of %s (%.1f%%) are left out: over %zu different chains\n",
                   counted(without, "sample").text, share_pct(without, s->count.samples),
                   s->want.max_nodes);
}

static bool has_chains(const struct sampled *s)
{
    for (size_t i = 0; i < s->nodes.count; i++)
        if (sampled_node_at(s, (uint32_t)i)->parent != INTERN_NONE)
            return true;
    return false;
}

void chain_ends_none_text(const struct sampled *s, struct buf *out)
{
    if (s->count.samples && !count_chains(s, false) && !has_chains(s))
        buf_adds(out, "call chains: none in these samples (recorded without -g?)\n");
}

void chain_ends_text(const struct sampled *s, struct buf *out)
{
    struct stacks_ends e;
    add_shortened(s, out);
    chain_ends_sums(s, &e);
    stacks_ends_text(&e, out);
    free(e.broken);
}
