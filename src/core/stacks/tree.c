#include "core/stacks/tree.h"

#include "tree_text.h"

const struct stacks_tree_options stacks_tree_defaults = {.hide_pct = 0.5, .threads = true};

int stacks_tree_text(const struct stacks *s, const struct stacks_tree_options *options,
                     struct buf *out)
{
    struct call_tree tree;
    size_t value = s->values - 1;
    unsigned kind = options->threads && s->threads ? CALL_BY_THREAD : 0;
    int r = call_tree_make(s, value, kind | (options->fold ? CALL_FOLDED : 0), &tree);
    struct call_outline o = {.stacks = s,
                             .tree = &tree,
                             .options = options,
                             .value = value,
                             .whole = tree.total,
                             .self = true};
    if (r == 0)
        r = call_outline_text(&o, out);
    call_tree_release(&tree);
    return r;
}
