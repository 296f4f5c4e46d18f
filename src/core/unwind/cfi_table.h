/*
 * cfi_table: what the files of cfi share: a table, its rows, and its pool of rules.
 */
#pragma once

#include "core/dwarf/cursor.h"
#include "core/unwind/cfi.h"

struct cfi_row {
    uint32_t at;   /* from the table's base */
    uint32_t rule; /* where in the pool; 0 = none from here on */
};

/* Strings of 32-bit words, each kept once: rules, and expressions (their length, their bytes). */
struct cfi_pool {
    uint32_t *words; /* the first is no string's */
    size_t count, cap;
    uint32_t *slots; /* starts of strings by hash; 0 = free */
    size_t slot_mask, strings;
    struct budget *budget;
    bool no_memory;
};

struct arm_row;

struct arm_failure { /* a place where a search failed */
    uint32_t key;
    uint8_t search;   /* enum arm_search */
    uint8_t in_a_row; /* how often */
    uint8_t skipped;  /* and how often it was not made since */
};

enum { ARM_FAILURES = 64 };

struct arm_memo { /* of 32-bit ARM, frames by its instructions: arm_memo.h */
    struct arm_row *row;
    size_t cap, count; /* cap: a power of two, or 0 */
    struct arm_failure failure[ARM_FAILURES];
};

/* Functions of 32-bit ARM that overwrite their return address, and those of C++ that call them:
 * arm_raisers.c */
enum arm_raising { ARM_RAISE, ARM_RETHROW, ARM_CXX, ARM_RAISINGS = ARM_CXX + 3 };

struct arm_raiser { /* or a stub that leads to it; link-time addresses */
    uint32_t start, end;
    uint8_t raising;
    bool stub;
};

struct arm_raise_call {
    uint32_t returns_to; /* link-time; odd: in Thumb */
    uint8_t raising;     /* which it calls, below ARM_CXX */
};

enum { ARM_RAISERS = 3 * ARM_RAISINGS, ARM_RAISE_CALLS = 64 };

struct arm_raisers {
    struct arm_raiser raiser[ARM_RAISERS];
    struct arm_raise_call call[ARM_RAISE_CALLS];
    unsigned count, calls; /* calls: all there are, kept or not */
    bool has_calls;        /* it may call one that overwrites its return address */
};

enum { CFI_CACHE = 512 };

struct cfi {
    struct cfi_row *row;
    size_t rows, row_cap;
    uint64_t base, end; /* link-time addresses of the code: row i begins at base + at */
    uint32_t *start;    /* where functions begin, from the base; starts of them, ascending */
    size_t starts, start_cap;
    struct cfi_pool pool;
    unsigned machine, registers, pc; /* pc: its DWARF number */
    bool big_endian;
    uint8_t addr_size;
    uint64_t entry;
    size_t functions, refused;
    struct budget *budget;           /* of which rows, starts and the pool are taken */
    struct cfi_row cache[CFI_CACHE]; /* the rule of an address asked before; at 0 is no key */
    uint32_t plain[CFI_CACHE];       /* addresses that are no signal's return; 0 is no key */
    struct arm_memo arm;
    struct arm_raisers *raisers; /* of 32-bit ARM, where it has any */
};

/* --- cfi_pool.c --- */

/* The string's offset; 0: it does not fit. */
uint32_t cfi_pool_add(struct cfi_pool *p, const uint32_t *words, size_t count);
uint32_t cfi_pool_expression(struct cfi_pool *p, const uint8_t *bytes, size_t len);
/* The bytes of an expression; false when there is none there. */
bool cfi_pool_bytes(const struct cfi_pool *p, uint32_t at, const uint8_t **bytes, size_t *len);
/* Nothing is put any more. */
void cfi_pool_trim(struct cfi_pool *p);
void cfi_pool_release(struct cfi_pool *p);

/* --- arm_memo.c --- */

void arm_memo_release(struct cfi *c);
size_t arm_memo_bytes(const struct cfi *c);

/* --- arm_raisers.c --- */

struct elf_module;
void arm_raisers_find(struct cfi *c, struct elf_module *m);
/* The function of this module that a link-time address is in, NULL when it is in none. */
const struct arm_raiser *arm_raiser_at(const struct cfi *c, uint64_t vaddr);
/* The one that a call of a link-time address leads to. */
const struct arm_raiser *arm_raiser_called(const struct cfi *c, uint64_t target);

/* --- cfi_sections.c: where a file has it --- */

struct cfi_section {
    const uint8_t *bytes;
    size_t len;
    uint64_t addr; /* link-time address of its first byte */
    bool eh;       /* .eh_frame; else .debug_frame */
    bool big_endian;
    uint8_t addr_size;
};

struct cfi_exidx {        /* .ARM.exidx, and the segment that it and .ARM.extab are in */
    const uint8_t *bytes; /* of the segment */
    size_t len;
    uint64_t addr;  /* link-time address of its first byte */
    size_t at;      /* where in it the table begins */
    size_t entries; /* 0: none */
    bool big_endian;
};

struct cfi_code { /* an executable segment */
    uint64_t start, end;
};

enum { CFI_SEGMENTS = 16 };

struct cfi_file {
    struct cfi_section frame[2];
    size_t frames;
    struct cfi_exidx exidx;
    struct cfi_code code[CFI_SEGMENTS];
    size_t codes;
    uint8_t *owned; /* a decompressed section */
};

/* What is used of a file; c has its machine and entry afterwards when main. */
int cfi_file_read(struct cfi_file *x, struct cfi *c, const struct cfi_image *image, bool main,
                  struct fail *f);
void cfi_file_release(struct cfi_file *x);
/* Whether a range lies in one executable segment. */
bool cfi_file_has_code(const struct cfi_file *x, uint64_t start, uint64_t end);

/* --- cfi_entry.c: the entries of a section --- */

/* What entries (FDEs) have in common: a CIE. */
struct cfi_cie {
    size_t at; /* where in its section */
    uint64_t code_align;
    int64_t data_align;
    unsigned return_register;
    uint8_t encoding, addr_size; /* of addresses */
    bool sized, signal, bad;     /* sized: entries have augmentation data */
    size_t program, end;         /* its instructions */
};

struct cfi_entry { /* an FDE */
    uint64_t start, end;
    size_t cie, program, program_end; /* offsets in the section */
    uint32_t section;                 /* of the builder's */
};

/* An entry's header: where it begins and ends, and what it is. */
struct cfi_head {
    size_t at, body, end;
    size_t cie; /* of an FDE: where its CIE is */
    bool is_cie;
};

/* The next header; false at the end, or where the lengths do not fit. c moves past the entry. */
bool cfi_next_head(const struct cfi_section *s, struct dwarf_cursor *c, struct cfi_head *out);
/* The CIE at an offset; out->bad when it is not understood. */
void cfi_read_cie(const struct cfi_section *s, size_t at, struct cfi_cie *out);
bool cfi_read_entry(const struct cfi_section *s, const struct cfi_head *h,
                    const struct cfi_cie *cie, struct cfi_entry *out);
/* An address by its encoding (DW_EH_PE_*); sets bad when the encoding is none of ours. */
uint64_t cfi_pointer(const struct cfi_section *s, struct dwarf_cursor *c, uint8_t encoding,
                     uint8_t addr_size);

/* --- exidx.c --- */

/* Where the function of entry i begins; it ends where the next one does. */
bool cfi_exidx_entry(const struct cfi_exidx *x, size_t i, uint64_t *start);
/* False: its table says that it cannot be unwound. */
bool cfi_exidx_unwinds(const struct cfi_exidx *x, size_t i);
/* Bytes of its instructions; 0 when there are none, or none that are understood. */
size_t cfi_exidx_len(const struct cfi_exidx *x, size_t i);
/* Its rule, of the pool; 0 when it has none, or none that a rule can say. */
uint32_t cfi_exidx_rule(const struct cfi_exidx *x, size_t i, struct cfi_pool *pool);

/* --- cfi_program.c: the instructions --- */

struct cfi_state {                 /* one row of the table that DWARF describes */
    uint32_t cfa;                  /* the head's bits for it */
    int32_t cfa_offset;            /* or expression */
    bool cfa_lost;                 /* unknown */
    uint32_t touched;              /* registers whose word is not 0 */
    uint32_t saved[CFI_REGISTERS]; /* a rule's words */
};

struct cfi_run { /* of one program, or a CIE's before an FDE's */
    const struct cfi_section *section;
    const struct cfi_cie *cie;
    const struct cfi_state *initial; /* what DW_CFA_restore goes back to; NULL in a CIE's program */
    struct cfi_pool *pool;
    unsigned registers;
    uint64_t at; /* link-time address */
    struct cfi_state state;
    /* The state holds from run->at to next; false stops. */
    bool (*row)(struct cfi_run *run, uint64_t next);
    void *arg;
};

/* False when an instruction was not understood: the state holds no further than run->at. */
bool cfi_run(struct cfi_run *run, size_t program, size_t end);
/* The state as a rule of the pool; 0 when it is none. */
uint32_t cfi_state_rule(const struct cfi_state *s, const struct cfi_cie *cie,
                        struct cfi_pool *pool);

/* --- cfi_build.c --- */

/* Adds the rows of both files; c has its machine, base and end. -ENOMEM. */
int cfi_build(struct cfi *c, const struct cfi_file *const *file, size_t files, struct fail *f);
