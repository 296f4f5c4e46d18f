#include "unit.h"

#include "core/base/buf.h"
#include "core/symbol/llvm_symbols.h"

#include <stdlib.h>

#define FOLDER "data/elf/"

static struct llvm_symbols *opened(const char *name, char **image)
{
    char path[64];
    size_t len;
    snprintf(path, sizeof path, FOLDER "%s", name);
    *image = unit_file(path, &len);
    return llvm_symbols_new((const uint8_t *)*image, len, false);
}

/* A line where the answer is another, as make.sh writes them. */
static char *answers(const struct llvm_symbols *t, uint64_t first)
{
    struct buf out = BUF_INIT;
    const char *name = NULL, *file = NULL;
    for (uint64_t addr = first; addr <= first + 0x600; addr++) {
        const struct llvm_symbol *s = llvm_symbols_find(t, addr);
        const char *n = s ? s->name : "-", *f = s && s->file ? s->file : "-";
        if (!name || strcmp(n, name) != 0 || strcmp(f, file) != 0)
            buf_printf(&out, "0x%" PRIx64 " %s %s\n", addr, n, f);
        name = n;
        file = f;
    }
    return out.data;
}

TEST(llvm_symbols_are_those_of_llvm)
{
    const char *names[] = {"files.exe", "odd.exe", "aarch64-bti.exe", "arm-mixed.exe",
                           "x86_64-stripped.so"};
    const uint64_t first[] = {0x400000, 0x400000, 0x400000, 0x10000, 0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64], *image;
        struct llvm_symbols *t = opened(names[i], &image);
        snprintf(path, sizeof path, FOLDER "%s.llvm", names[i]);
        char *want = unit_file(path, NULL);
        char *got = answers(t, first[i]);
        CHECK_STR(got, want);
        free(got);
        free(want);
        llvm_symbols_free(t);
        free(image);
    }
}

TEST(llvm_symbols_need_an_elf_file)
{
    CHECK(!llvm_symbols_new((const uint8_t *)"no", 2, false));
    llvm_symbols_free(NULL);
}
