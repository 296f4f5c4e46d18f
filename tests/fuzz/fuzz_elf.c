#include "fuzz.h"

#include "core/elf/debugfile.h"
#include "core/symbol/llvm_symbols.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Every range holds its own ends and no other's, and every name can be read. */
static size_t check(const struct symtab *t)
{
    size_t names = 0;
    uint64_t before = 0;
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        if (s->start < before || s->end <= s->start || symtab_find(t, s->start) != s ||
            symtab_find(t, s->end - 1) != s || symtab_find(t, s->end) == s)
            abort();
        before = s->end;
        names += strlen(s->name);
    }
    symtab_find(t, 0);
    symtab_find(t, UINT64_MAX);
    return names;
}

/* Debug files are looked for by what the file says. */
static void links(struct elf_module *m)
{
    struct debugfile_search search = {.sysroot = "/sysroot"};
    struct debugfile_paths paths;
    debugfile_candidates(&search, m, "/usr/bin/prog", &paths);
    debugfile_paths_release(&paths);
    debugfile_alt_candidates(&search, m, "/usr/bin/prog", &paths);
    debugfile_paths_release(&paths);
    if (debugfile_verify(m, m, NULL, 0, NULL) == 0)
        debugfile_verify_alt(m, m, NULL);
    elf_has_lines(m);
    elf_packed_symbols(m);
}

/* What is found holds the address, and its strings can be read. */
static size_t as_llvm(const uint8_t *image, size_t len)
{
    size_t sum = 0;
    struct llvm_symbols *t = llvm_symbols_new(image, len, false);
    for (uint64_t addr = 0; t && addr < 0x4000; addr += 0x41) {
        const struct llvm_symbol *s = llvm_symbols_find(t, addr);
        if (s && (s->start > addr || (s->size && addr - s->start >= s->size)))
            abort();
        sum += s ? strlen(s->name) + (s->file ? strlen(s->file) : 0) : 0;
    }
    llvm_symbols_free(t);
    return sum;
}

static void ask(struct elf_module *m)
{
    uint64_t start = 0, end = 0, vaddr = 0;
    const uint8_t *id;
    uint8_t sum = 0;
    size_t len = elf_build_id(m, &id);
    for (size_t i = 0; i < len; i++)
        sum ^= id[i];
    elf_text(m, &start, &end);
    for (uint64_t off = 0; off < 0x4000; off += 0x400)
        elf_vaddr(m, off + sum, &vaddr);
    links(m);
    elf_bits(m);
    elf_machine(m);
    elf_big_endian(m);
    check(elf_symbols(m));
    symtab_find(elf_symbols(m), start);
    symtab_find(elf_symbols(m), vaddr);
    elf_symbol_source(m);
}

/* The bytes just before a page that cannot be read: libelf is not instrumented, but cannot read
 * beyond them unseen. */
static const uint8_t *guarded(const uint8_t *bytes, size_t len)
{
    enum { ROOM = 1 << 20 };
    static uint8_t *room;
    if (!room) {
        size_t guard = (size_t)sysconf(_SC_PAGESIZE);
        room = mmap(NULL, ROOM + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED || mprotect(room + ROOM, guard, PROT_NONE) < 0)
            abort();
    }
    if (!len || len > ROOM)
        return bytes;
    return memcpy(room + ROOM - len, bytes, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct elf_module *m;
    bytes = guarded(bytes, len);
    if (elf_open(bytes, len, &m, NULL) == 0) {
        ask(m);
        elf_close(m);
    }
    as_llvm(bytes, len);
    return 0;
}
