/* Plan 9's profile file against a small table of functions. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/report/profile_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct buf out = BUF_INIT;
    struct symtab_builder *b = symtab_builder_new(NULL);
    symtab_add(b, &(struct symbol_found){.addr = 0x1003, .name = "first", .function = true});
    symtab_add(b, &(struct symbol_found){.addr = 0x1040, .name = "second", .function = true});
    symtab_add(b, &(struct symbol_found){.addr = UINT64_MAX - 4, .name = "last", .function = true});
    struct symtab *t = symtab_build(b);
    symtab_builder_free(b);
    profile_file_report(data, len, t, &out, NULL);
    symtab_free(t);
    buf_release(&out);
    return 0;
}
