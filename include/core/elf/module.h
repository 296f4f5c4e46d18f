/*
 * elf_module: shared declarations of the files of elf. The image is only touched through elf_bytes,
 * elf_string and libelf's elf_getdata_rawchunk, each of which stays inside it.
 */
#pragma once

#include "core/elf/elf.h"

#include <gelf.h>

struct elf_segment { /* a PT_LOAD; vaddr + memsz and off + filesz do not overflow */
    uint64_t off, filesz, vaddr, memsz;
    bool exec;
};

struct elf_index { /* of the unwinding information: unwind.c */
    const uint8_t *table;
    size_t entries;
    uint64_t base; /* address that the distances count from */
    bool arm;
};

struct elf_module {
    const uint8_t *image;
    size_t len;
    Elf *elf; /* NULL once the symbols are built, and between elf_rest and elf_wake */
    struct budget *budget;
    GElf_Ehdr head;
    struct elf_segment *segment;
    size_t segments;
    const uint8_t *build_id;
    size_t build_id_len;
    struct elf_index index;
    struct debuglink link;
    struct debugaltlink altlink;
    bool packed_symbols, lines;
    struct symtab *symbols;
    uint64_t text, stext; /* the symbols _text and _stext; 0: none */
    enum elf_symbol_source source;
    bool built;
};

/* --- elf.c --- */

/* libelf has a record of each section, whether it is asked for or not. */
bool elf_wake(struct elf_module *m);
void elf_rest(struct elf_module *m);

/* --- bytes.c: bytes of the image --- */

/* The len bytes at a file offset, NULL when they are not all in the image. */
const uint8_t *elf_bytes(const struct elf_module *m, uint64_t off, uint64_t len);
/* A number of 2, 4 or 8 bytes in the file's order. */
uint64_t elf_number(const struct elf_module *m, const uint8_t *at, unsigned size);
/* The next program header of a type from *i on, which goes behind it; false: there is none. */
bool elf_next_segment(struct elf_module *m, uint32_t type, size_t *i, GElf_Phdr *out);
/* File offset of the byte at a link-time address; *room bytes of its segment follow in the file. */
bool elf_offset(const struct elf_module *m, uint64_t vaddr, uint64_t *off, uint64_t *avail);

/* Records of a libelf type; NULL when they are not all in the image, or none. */
Elf_Data *elf_records(struct elf_module *m, uint64_t off, uint64_t len, Elf_Type type);

struct elf_strings {
    const char *base;
    size_t len; /* the last of them is a NUL; 0 = no strings */
};
struct elf_strings elf_strings_at(const struct elf_module *m, uint64_t off, uint64_t len);
/* NULL when the index is outside. */
const char *elf_string(const struct elf_strings *s, uint64_t index);

/* --- note.c --- */
void elf_find_build_id(struct elf_module *m);

/* --- links.c --- */
void elf_find_links(struct elf_module *m);

/* --- unwind.c --- */
void elf_find_index(struct elf_module *m);

/* --- tables.c: where the symbol tables are --- */

struct elf_table {
    Elf_Data *symbols, *extended; /* extended: section indices above 65279, or NULL */
    size_t count, left_out;       /* left_out: beyond ELF_TABLE_MOST */
    struct elf_strings names;
};

/* Sections that matter here, by their index; 0 = not there. */
struct elf_sections {
    size_t symtab, extended, dynsym, rel_plt, rel_dyn;
    size_t plt, plt_sec, plt_got, iplt;
};
void elf_find_sections(struct elf_module *m, struct elf_sections *p);

bool elf_section(struct elf_module *m, size_t index, GElf_Shdr *out);
struct elf_strings elf_section_names(struct elf_module *m);
/* The next section of a name from *i on, which goes behind it; false: there is none. */
bool elf_next_section(struct elf_module *m, const char *name, size_t *i, GElf_Shdr *out);
/* False when the section is no table of symbols that can be read. */
bool elf_table_of_section(struct elf_module *m, size_t index, size_t extended,
                          struct elf_table *out);
/* .dynsym without section headers, by PT_DYNAMIC. */
bool elf_table_of_dynamic(struct elf_module *m, struct elf_table *out);

/* --- plt.c --- */

/* Adds NAME@plt for each stub. ifuncs: the STT_GNU_IFUNC symbols, or NULL. */
void elf_add_plt(struct elf_module *m, const struct elf_sections *p, const struct symtab *ifuncs,
                 struct symtab_builder *b);

/* --- stub.c: what the linkers' stubs look like --- */

struct elf_code {
    unsigned machine;
    bool big_endian; /* of the instructions */
    const uint8_t *bytes;
    size_t len;
    uint64_t addr;
};
struct elf_stub {
    uint64_t addr, size;
    uint64_t slot; /* address of the word it jumps through */
};
/* The next thing at or after *at that looks like a stub; false at the end. Whether slot is one, the
 * caller knows. */
bool elf_next_stub(const struct elf_code *c, size_t *at, struct elf_stub *out);
