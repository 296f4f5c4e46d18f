/*
 * elf: an ELF module (executable, shared object, vDSO, object) as a profiler sees it: where file
 * offsets are loaded, what its functions are called, which build it is. By libelf; 32 and 64 bit,
 * both byte orders.
 *
 * The image's bytes belong to the caller and must stay in place, unchanged, until elf_close: symbol
 * names point into them. They may be hostile: every offset and count in them is bounded.
 */
#pragma once

#include "core/base/fail.h"
#include "core/elf/debuglink.h"
#include "core/elf/symtab.h"

struct elf_module;

/* A file with more sections or program headers is refused; of a table of symbols or relocations so
 * many bytes are read. */
enum { ELF_SECTIONS_MOST = 1 << 18, ELF_TABLE_MOST = 192 << 20 };

/* -ENOEXEC with the reason when the bytes are no ELF file that we can read. f->what is the reason
 * alone: the caller names the file. */
int elf_open(const uint8_t *image, size_t len, struct elf_module **out, struct fail *f);
void elf_close(struct elf_module *m);

/* Its symbols are taken from b, which must outlive it; what is left out of them is counted
 * (symtab_left_out). To be called before they are asked for, and before elf_close of any other file
 * that shares b. libelf's records are freed until then. */
void elf_set_budget(struct elf_module *m, struct budget *b);

/* The bytes it was opened on. */
const uint8_t *elf_image(const struct elf_module *m, size_t *len);

enum elf_symbol_source { ELF_SYMBOLS_NONE, ELF_SYMBOLS_DYNSYM, ELF_SYMBOLS_SYMTAB };

/* Functions of .symtab, else of .dynsym, and NAME@plt for the stubs that call other modules. Built
 * at the first call; never NULL (an empty table when there is nothing or out of memory). .dynsym is
 * found without section headers too, stubs are not. The stub of an ifunc has the ifunc's name, else
 * its resolver's address: *ABS*+0xADDR@plt. */
const struct symtab *elf_symbols(struct elf_module *m);
enum elf_symbol_source elf_symbol_source(struct elf_module *m);

/* Those of functions that are not exported, too: it is not stripped. */
static inline bool elf_has_all_names(struct elf_module *m)
{
    return elf_symbol_source(m) == ELF_SYMBOLS_SYMTAB;
}

/* Of a vmlinux: where the kernel's text begins, by its symbol _text, else _stext; 0: it has
 * neither.
 */
uint64_t elf_kernel_text(struct elf_module *m);

/* Link-time address of the byte at a file offset, by the executable PT_LOAD that holds it (else any
 * PT_LOAD). Ask for an offset that was executed: a mapping is rounded down to its page, and may
 * begin before the segment's first byte. */
bool elf_vaddr(const struct elf_module *m, uint64_t file_offset, uint64_t *vaddr);

/* Start of the executable segment and one past its end, link-time addresses; false when it has
 * none. */
bool elf_text(const struct elf_module *m, uint64_t *start, uint64_t *end);

/* Start of the function that covers an address, as the index of the unwinding information has it:
 * for code without symbols. The nearest start below: a gap counts to the function before it; and on
 * 32-bit ARM neighbours that unwind alike may be one, as linkers merge their entries. */
bool elf_function_start(const struct elf_module *m, uint64_t vaddr, uint64_t *start);
/* The same, and where the next function starts: UINT64_MAX behind the last. */
bool elf_function_extent(const struct elf_module *m, uint64_t vaddr, uint64_t *start,
                         uint64_t *end);

/* The functions of that index, ascending, as far as it is sorted: how many, and where one starts.
 */
size_t elf_function_count(const struct elf_module *m);
uint64_t elf_function_at(const struct elf_module *m, size_t i);

/* The bytes at a link-time address, and how many of its segment follow in the file; NULL: none. */
const uint8_t *elf_memory_at(const struct elf_module *m, uint64_t vaddr, uint64_t *avail);

/* Calls found for each link-time address of code, vaddr, that the file's segments may hold, at
 * `at': the addends of its relative relocations, and the aligned words that are such an address as
 * they are. */
typedef void elf_pointer_found(void *arg, uint64_t at, uint64_t vaddr);
void elf_code_pointers(struct elf_module *m, elf_pointer_found *found, void *arg);

/* Calls found for each function of .symtab and .dynsym, with its address as `vaddr': on 32-bit ARM
 * bit 0 says that it is T32. at is 0. */
void elf_function_symbols(struct elf_module *m, elf_pointer_found *found, void *arg);

/* Calls found for each function that .dynsym defines, and for each stub, whose name is NAME@plt.
 * The name lives as long as the call; of ARM, start has no Thumb bit. */
typedef void elf_name_found(void *arg, const char *name, uint64_t start, uint64_t end);
void elf_dynamic_names(struct elf_module *m, elf_name_found *found, void *arg);

/* Calls found for each mapping symbol of ARM (ELF for the Arm Architecture, 5.5.5): from vaddr on
 * there is what `at' says: 'a' A32, 't' T32, 'x' A64, 'd' data. A stripped file has none. */
void elf_mapping_symbols(struct elf_module *m, elf_pointer_found *found, void *arg);

/* Build-id of the NT_GNU_BUILD_ID note: its length (0 = none), bytes at *id. */
size_t elf_build_id(const struct elf_module *m, const uint8_t **id);

/* Where the rest of what the compiler knew is kept; NULL when the file does not say. */
const struct debuglink *elf_debuglink(const struct elf_module *m);
const struct debugaltlink *elf_debugaltlink(const struct elf_module *m);
bool elf_packed_symbols(const struct elf_module *m); /* .gnu_debugdata: symbols, packed by xz */
bool elf_has_lines(const struct elf_module *m);      /* .debug_line with contents */

int elf_bits(const struct elf_module *m); /* 32 or 64 */
/* A program that runs only at its link-time addresses: they are in its code as numbers. */
bool elf_is_fixed(const struct elf_module *m);
/* e_machine, of the processors whose code is unwound. */
enum { ELF_MACHINE_ARM = 40, ELF_MACHINE_X86_64 = 62, ELF_MACHINE_AARCH64 = 183 };
unsigned elf_machine(const struct elf_module *m);
bool elf_big_endian(const struct elf_module *m);

/* The link-time address of a section, by its name; false when there is none. Of a module whose
 * symbols have not been read. */
bool elf_section_start(struct elf_module *m, const char *name, uint64_t *start);
