/* jit-PID.dump: what it tells does not overlap, and every name is a string. */
#include "fuzz.h"

#include "core/symbol/jitdump.h"

static void check(struct jit_code *code)
{
    struct symtab *t = jit_code_symbols(code);
    for (size_t i = 0; t && i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        if (s->start >= s->end || !s->name[0] || symtab_find(t, s->start) != s)
            abort();
    }
    symtab_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct jit_code code = {0};
    uint8_t *bytes = malloc(len + !len); /* its end is the end of what may be read */
    if (!bytes)
        abort();
    memcpy(bytes, data, len);
    if (jitdump_read(bytes, len, &code, NULL) == 0)
        check(&code);
    jit_code_release(&code);
    free(bytes);
    return 0;
}
