/* Plan 9's array of counts. */
#include "fuzz.h"
#include "prof_check.h"

#include "core/prof/mcount.h"

/* No more calls than the words could hold, nor more nodes than pairs. */
static void check_size(const struct prof_tree *t, size_t len)
{
    if (t->nodes > len / 8)
        abort();
    for (size_t i = 0; i < t->nodes; i++)
        if (t->node[i].count == 0 || t->node[i].count > UINT32_MAX || t->node[i].time_ns)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct prof_tree t;
    int r = prof_mcount_read(data, len, &t, NULL);
    if (r == 0 && !prof_is_mcount(data, len))
        abort();
    if (r == 0) {
        check_size(&t, len);
        prof_check(&t);
    }
    prof_tree_release(&t);
    return 0;
}
