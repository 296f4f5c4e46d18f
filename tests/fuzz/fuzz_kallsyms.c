/* /proc/kallsyms or a System.map as text. */
#include "fuzz.h"

#include "core/symbol/kallsyms.h"

static void ask(const struct kallsyms *k)
{
    for (size_t i = 0; i < symtab_count(k->symbols); i++) {
        const struct symbol *s = symtab_at(k->symbols, i), *found = kallsyms_find(k, s->start);
        size_t len;
        const char *module = kallsyms_module(k, s, &len);
        if ((found ? found != s : s->name[0]) || (len && memchr(module, ']', len)))
            abort();
        if (i < 16)
            kallsyms_named(k, s->name, strlen(s->name));
    }
    kallsyms_find(k, k->start);
    kallsyms_find(k, UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct kallsyms k;
    char *text = fuzz_text(data, len);
    if (kallsyms_init(text, len, &k) == 0) {
        ask(&k);
        kallsyms_release(&k);
    }
    free(text);
    return 0;
}
