/* Folded stacks: a line a chain, `outermost;...;innermost AMOUNT', the form that flame graph tools
 * read. AMOUNT is samples where these were counted, else, and with waits, what views weigh by. The
 * first entry is the thread's name, when threads are separate. A frame's `;' would be a
 * separator: it is written as `:'. */
#include "write.h"

#include "core/base/buf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_name(struct buf *out, const char *name)
{
    for (; *name; name++)
        buf_addc(out, *name == ';' ? ':' : *name == '\n' ? ' ' : *name);
}

static size_t value_of(const struct stacks *s)
{
    return s->origin.uneven || strcmp(s->value[0].name, "calls") == 0 ? write_weight(s) : 0;
}

static void add_sum(const struct stacks *s, const struct write_sum *a, uint32_t *chain,
                    struct buf *out)
{
    size_t depth = write_chain(s, a->node, chain);
    uint64_t amount = a->amount[value_of(s)];
    if (!amount)
        return;
    if (s->threads)
        add_name(out, a->thread == STACKS_NONE ? "(no thread)" : s->thread[a->thread].name);
    for (size_t k = 0; k < depth; k++) {
        if (k || s->threads)
            buf_addc(out, ';');
        add_name(out, stacks_function_of(s, chain[k])->name);
    }
    if (!depth)
        buf_adds(out, s->threads ? ";" WRITE_UNKNOWN : WRITE_UNKNOWN);
    buf_printf(out, " %" PRIu64 "\n", amount);
}

int write_folded(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    SCOPED(stacks_release) struct stacks whole;
    SCOPED(intern_release) struct intern sums = {0};
    int r = stacks_by_function(s, !s->threads, &whole);
    if (r == 0)
        r = write_sums(&whole, &sums);
    SCOPED_FREE uint32_t *chain = malloc((whole.nodes + 1) * sizeof *chain);
    if (r == 0 && chain)
        for (size_t i = 0; i < sums.count; i++)
            add_sum(&whole, write_sum(&sums, i), chain, out);
    else
        r = -ENOMEM;
    return r ? r : buf_error(out);
}
