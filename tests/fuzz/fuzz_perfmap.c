/* perf-PID.map as text. */
#include "fuzz.h"

#include "core/symbol/perfmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    struct jit_code code = {0};
    perfmap_read(text, len, &code);
    struct symtab *t = jit_code_symbols(&code);
    for (size_t i = 0; t && i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        if (s->start >= s->end || !s->name[0] || symtab_find(t, s->start) != s)
            abort();
    }
    symtab_free(t);
    jit_code_release(&code);
    free(text);
    return 0;
}
