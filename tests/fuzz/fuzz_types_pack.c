/* Answers of the confined process, which may be anything. */
#include "fuzz.h"

#include "core/types/declare.h"
#include "core/types/pack.h"

static void show(const struct types_answer *a, const struct types_query *query, struct buf *out)
{
    for (size_t i = 0; i < a->count && i < 64; i++) {
        const struct types_found *f = &a->found[i];
        buf_clear(out);
        if (query[f->query].layout)
            types_layout(&a->types, f->id, out);
        else
            types_prototype(&a->types, &a->types.function[f->id], NULL, out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const struct types_query query[] = {{.layout = true, .name = "a"}, {.name = "b"}};
    struct types_answer a, b;
    struct buf again = BUF_INIT;
    if (types_unpack(bytes, len, query, 2, &a) == 0) {
        show(&a, query, &again);
        buf_clear(&again);
        types_pack(&a, &again);
        if (types_unpack((const uint8_t *)buf_str(&again), again.len, query, 2, &b) != 0 ||
            b.types.count != a.types.count || b.count != a.count)
            abort();
        types_answer_release(&b);
    }
    types_answer_release(&a);
    buf_release(&again);
    return 0;
}
