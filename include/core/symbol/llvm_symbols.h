/*
 * llvm_symbols: the symbols of an ELF file by the rules of llvm-symbolizer (LLVM 14, by
 * experiment), for answers that equal its own. They differ from elf_symbols':
 * - the module's own table counts, never its debug file's; .dynsym only when there is no .symtab;
 * - objects count too, stubs of the PLT do not; names keep their @VERSION;
 * - of several at one address the largest is shown, of equal ones the last in the table;
 * - one without a size reaches to the next symbol, wherever that is;
 * - a local symbol belongs to the file that the STT_FILE symbol before it in the table names.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llvm_symbol { /* strings are the image's */
    uint64_t start, size;
    const char *name;
    const char *file; /* without its folder; NULL: not known */
};

struct llvm_symbols;

/* NULL when it is not a readable ELF file, or out of memory. The image is the caller's, may be
 * hostile, and must outlive the table. tagged: bits 56 to 63 of addresses are part of them; else a
 * tag of the memory, and left out. */
struct llvm_symbols *llvm_symbols_new(const uint8_t *image, size_t len, bool tagged);
void llvm_symbols_free(struct llvm_symbols *t);

/* The symbol at a link-time address; NULL: none. */
const struct llvm_symbol *llvm_symbols_find(const struct llvm_symbols *t, uint64_t vaddr);
