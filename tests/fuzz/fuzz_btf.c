/* Types of BTF: what is read can be declared and laid out. */
#include "fuzz.h"

#include "core/types/answer.h"
#include "core/types/btf.h"
#include "core/types/declare.h"

enum { MOST = 64 };

static void show_all(const struct types *t)
{
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < t->functions && i < MOST; i++)
        types_prototype(t, &t->function[i], NULL, &text);
    for (uint32_t id = 0; id < t->count && id < MOST; id++) {
        buf_clear(&text);
        types_declare(t, id, "name", &text);
        types_size(t, id);
        if (t->type[id].name)
            types_named(t, t->type[id].name, 0);
    }
    buf_clear(&text);
    types_layout(t, (uint32_t)t->count - 1, &text);
    buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct types t = {0};
    if (btf_read(bytes, len, &t, NULL) == 0) {
        if (!types_check(&t))
            abort();
        show_all(&t);
        size_t count = t.count;
        if (btf_read_split(bytes, len, bytes, len, &t, NULL) == 0 && t.count < count)
            abort();
    }
    types_release(&t);
    return 0;
}
