#include "folding.h"

#include "core/base/sort.h"
#include "count.h"

#include <stdlib.h>

bool folding_begin(struct folding *f, struct sampled *from)
{
    *f = (struct folding){.from = from,
                          .nodes = {.each = from->nodes.each, .key = from->nodes.key},
                          .cells = {.each = from->cells.each, .key = from->cells.key},
                          .cell_to = calloc(from->cells.count + 1, sizeof *f->cell_to)};
    return f->cell_to;
}

bool folding_begin_nodes(struct folding *f, struct sampled *from)
{
    bool whole = folding_begin(f, from);
    f->node_to = calloc(from->nodes.count + 1, sizeof *f->node_to);
    return whole && f->node_to;
}

void folding_release(struct folding *f)
{
    intern_release(&f->nodes);
    intern_release(&f->cells);
    free(f->node_to);
    free(f->cell_to);
    free(f->cell_of.index);
    *f = (struct folding){0};
}

bool folding_cells(struct folding *f)
{
    bool whole = f->from->want.by == SAMPLED_WHOLE;
    for (size_t i = 0; i < f->from->cells.count; i++) {
        const struct sampled_cell *from = sampled_cell_at(f->from, i);
        if (!from->samples)
            continue;
        struct sampled_cell cell = {.set = f->set_to ? f->set_to[from->set] : from->set,
                                    .node = f->node_to ? f->node_to[from->node] : from->node};
        f->cell_to[i] = whole ? sampled_cell_of_node(&f->cells, &f->cell_of, cell.node)
                              : intern(&f->cells, &cell);
        if (f->cell_to[i] == INTERN_NONE)
            return false;
        struct sampled_cell *to = (struct sampled_cell *)f->cells.record + f->cell_to[i];
        to->samples += from->samples;
        to->weight += from->weight;
    }
    return true;
}

/* Threads that wait now do so at nodes. */
static void renumber_waits(struct sampled *s, const uint32_t *node_to)
{
    struct sampled_waiting *w = &s->waiting;
    for (int why = SAMPLED_ASLEEP; w->ready && why <= SAMPLED_PREEMPTED; why++)
        w->root[why] = node_to[w->root[why]];
    waits_renumber(&w->pairing, node_to);
}

void folding_replace_cells(struct folding *f)
{
    struct sampled *s = f->from;
    for (size_t i = 0; i < s->recent.count; i++)
        s->recent.cell[i] = f->cell_to[s->recent.cell[i]];
    SWAP(s->cells, f->cells);
}

void folding_replace(struct folding *f)
{
    struct sampled *s = f->from;
    folding_replace_cells(f);
    for (size_t i = 0; i < s->timeline.count; i++)
        s->timeline.one[i].node = f->node_to[s->timeline.one[i].node];
    renumber_waits(s, f->node_to);
    SWAP(s->nodes, f->nodes);
    SWAP(s->cell_of, f->cell_of);
}
