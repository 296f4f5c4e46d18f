/* A kernel's histogram against a small table of functions, with a base told and without. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/report/kpdata.h"

static void report(const uint8_t *data, size_t len, const struct symtab *t, uint64_t base)
{
    struct buf out = BUF_INIT;
    kpdata_report(data, len, &(struct kpdata_text){.symbols = t, .base = base}, &out, NULL);
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const uint64_t last[] = {0x2000, UINT64_MAX - 4};
    for (size_t i = 0; i < 2; i++) {
        struct symtab_builder *b = symtab_builder_new(NULL);
        symtab_add(b, &(struct symbol_found){.addr = 0x1003, .name = "first", .function = true});
        symtab_add(b, &(struct symbol_found){.addr = 0x1040, .name = "second", .function = true});
        symtab_add(b, &(struct symbol_found){
                          .addr = last[i], .size = 4, .name = "last", .function = true});
        struct symtab *t = symtab_build(b);
        symtab_builder_free(b);
        report(data, len, t, 0);
        report(data, len, t, 0x1000);
        report(data, len, t, UINT64_MAX);
        symtab_free(t);
    }
    return 0;
}
