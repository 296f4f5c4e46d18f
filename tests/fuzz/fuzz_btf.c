/* Types of BTF: what is read can be declared and laid out. */
#include "fuzz.h"

#include "core/text/json.h"
#include "core/types/answer.h"
#include "core/types/btf.h"
#include "core/types/declare.h"
#include "core/types/types_json.h"
#include "json_check.h"

enum { MOST = 64 };

/* The text ends in its newline. */
static void check_json(const struct types *t)
{
    struct buf text = BUF_INIT;
    struct json j;
    json_start(&j, &text, "sym");
    types_layout_json(t, (uint32_t)t->count - 1, &j);
    if (t->functions)
        types_function_json(t, t->function, t->function->name, &j);
    json_end(&j);
    if (!buf_error(&text) && !json_check(buf_str(&text), text.len))
        abort();
    buf_release(&text);
}

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
    check_json(t);
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
