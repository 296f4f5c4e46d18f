/* The numbers of nodes in a recording that goes on when they change in memory. */
#include "core/base/grow.h"
#include "core/sample/rare.h"
#include "recording_writing.h"

#include <errno.h>
#include <stdlib.h>

uint32_t recording_number(const struct recording_writer *w, uint32_t node)
{
    const struct recording_numbers *n = &w->numbers;
    if (!n->of)
        return node < w->nodes ? node : INTERN_NONE;
    return node < n->count ? n->of[node] : INTERN_NONE;
}

void recording_number_next(struct recording_writer *w, uint32_t node)
{
    struct recording_numbers *n = &w->numbers;
    if (n->of) {
        if (!grow(&n->of, &n->cap, node, sizeof *n->of)) {
            w->out.err = -ENOMEM;
            return;
        }
        n->of[node] = n->next;
        n->count = node >= n->count ? (size_t)node + 1 : n->count;
    }
    n->next++;
}

void recording_release_numbers(struct recording_numbers *n)
{
    free(n->of);
    intern_release(&n->left);
    *n = (struct recording_numbers){0};
}

/* Their names come at the end. */
static void keep_places(struct recording_writer *w, const struct sampled *s,
                        const struct rare_merged *merged)
{
    struct intern *left = &w->numbers.left;
    left->each = left->key = 2 * sizeof(uint64_t);
    for (uint32_t i = 0; i < merged->before.count && left->count < s->want.max_nodes / 4; i++) {
        const struct sampled_node *n = (const struct sampled_node *)merged->before.record + i;
        bool has_left = merged->origin[merged->to.node[i]] != i; /* or has lost its callers */
        if (has_left && recording_number(w, i) != INTERN_NONE)
            intern(left, (uint64_t[]){n->module, n->offset});
    }
}

void recording_renumber(struct recording_writer *w, const struct sampled *s,
                        const struct rare_merged *merged)
{
    size_t count = s->nodes.count;
    uint32_t *of = malloc((count + 1) * sizeof *of);
    keep_places(w, s, merged);
    if (!of) {
        w->out.err = -ENOMEM;
        return;
    }
    for (size_t i = 0; i < count; i++)
        of[i] =
            merged->origin[i] == INTERN_NONE ? INTERN_NONE : recording_number(w, merged->origin[i]);
    free(w->numbers.of);
    w->numbers.of = of;
    w->numbers.count = count;
    w->numbers.cap = count + 1;
    w->nodes = 0;
}
