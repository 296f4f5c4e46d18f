#include "pprof_sites.h"

#include <errno.h>
#include <stdlib.h>

/* Whether a node's code is inlined into its parent's. */
static bool is_inlined(const struct stacks *s, uint32_t node)
{
    return s->frame[s->node[node].frame].inlined && s->node[node].parent != STACKS_NONE;
}

uint32_t pprof_caller(const struct stacks *s, uint32_t node)
{
    while (is_inlined(s, node))
        node = s->node[node].parent;
    return s->node[node].parent;
}

static int find_sites(struct pprof_sites *t, const struct stacks *s)
{
    for (size_t i = 0; i < s->nodes; i++) {
        const struct stacks_node *n = &s->node[i];
        struct pprof_site site = {n->frame,
                                  is_inlined(s, (uint32_t)i) ? t->of_node[n->parent] : STACKS_NONE};
        t->of_node[i] = intern(&t->sites, &site);
        if (t->of_node[i] == INTERN_NONE)
            return -ENOMEM;
    }
    return 0;
}

static void find_ends(struct pprof_sites *t, const struct stacks *s)
{
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->node[i].parent != STACKS_NONE && !is_inlined(s, i))
            t->ends[t->of_node[s->node[i].parent]] = 1;
    for (size_t i = 0; i < s->samples; i++)
        if (s->sample[i].node != STACKS_NONE)
            t->ends[t->of_node[s->sample[i].node]] = 1;
}

int pprof_sites_make(struct pprof_sites *t, const struct stacks *s)
{
    *t = (struct pprof_sites){.sites = INTERN_OF(struct pprof_site)};
    t->of_node = malloc((s->nodes + 1) * sizeof *t->of_node);
    if (!t->of_node || find_sites(t, s) < 0)
        return -ENOMEM;
    t->ends = calloc(t->sites.count + 1, 1);
    if (!t->ends)
        return -ENOMEM;
    find_ends(t, s);
    return 0;
}

void pprof_sites_release(struct pprof_sites *t)
{
    intern_release(&t->sites);
    free(t->of_node);
    free(t->ends);
    *t = (struct pprof_sites){0};
}
