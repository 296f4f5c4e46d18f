/*
 * cfidump FILE: for each hexadecimal address on standard input, a line: the address, the CFA
 * (`rsp+8` as `7+8`, or `exp`), and what is known of the caller's registers: `3:c-16 16:c-8`, by
 * the names of readelf's --debug-dump=frames-interp, in the order of DWARF's numbers; `none` where
 * there is no rule.
 */
#include "core/unwind/cfi.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>

static void show(struct cfi *c, uint64_t pc)
{
    static const char kinds[] = "sucvrex";
    cfi_rule r = cfi_find(c, pc);
    printf("%" PRIx64, pc);
    if (!r)
        printf(" none");
    else if (cfi_cfa_by_expression(r))
        printf(" exp");
    else
        printf(" %u%+d", cfi_cfa_register(r), cfi_cfa_offset(r));
    for (unsigned i = 0; r && i < cfi_count(r); i++) {
        struct cfi_saved s = cfi_saved_at(r, i);
        printf(" %u:%c", s.reg, kinds[s.kind]);
        if (s.kind == CFI_OFFSET || s.kind == CFI_VAL_OFFSET)
            printf("%+d", s.offset);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct image image;
    struct fail f;
    struct cfi *c;
    uint64_t pc;
    if (argc != 2)
        return 2;
    if (file_map(argv[1], SIZE_MAX, &image, &f) < 0 ||
        cfi_new(&(struct cfi_image){image.data, image.len, NULL}, NULL, &c, &f) < 0) {
        fprintf(stderr, "cfidump: %s: %s\n", argv[1], f.what);
        return 1;
    }
    while (scanf("%" SCNx64, &pc) == 1)
        show(c, pc);
    cfi_free(c);
    file_unmap(&image);
    return 0;
}
