/*
 * cfi: how to step from a function to its caller, for every address of one ELF module: the call
 * frame information of .eh_frame and .debug_frame, and of 32-bit ARM .ARM.exidx, worked out once
 * into sorted rows.
 *
 * A row is 8 bytes: an address, and the index of the rule that holds from there to the next row. A
 * rule says where the canonical frame address (CFA) is, and where the caller's value of each
 * register that the function saved; functions resemble each other so much that the rules are few
 * hundreds to thousands a module, however many rows it has, so all registers are kept.
 *
 * Formats: DWARF 5, section 6.4 (and 2.5, expressions); Linux Standard Base 5, "Exception Frames"
 * (.eh_frame, its augmentations and encodings); the processors' DWARF supplements: x86-64 psABI
 * 3.6.2, AADWARF64 4.1 and 4.3, AADWARF32; ARM EHABI (IHI0038).
 *
 * The bytes may be hostile. Work is bounded by their length, rules by CFI_MAX_WORDS; what is not
 * understood, or too much, has no rule, and is counted.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CFI_REGISTERS = 32,      /* by their DWARF numbers: x86-64 0-16, AArch64 0-31, ARM 0-15 */
    CFI_MAX_WORDS = 1 << 22, /* of rules, in a table: 16 MB */
};

struct cfi;
struct budget;

struct cfi_image { /* a file's bytes; they are not needed any more once the table is there */
    const uint8_t *bytes;
    size_t len;
    struct budget
        *budget; /* of the file's: of the whole table; of its compressed sections. May be NULL */
};

/* Rows of a module's own file and, where that has none, of the .debug_frame of its debug file
 * (which may be NULL). A module without any such information has a table, too: one without rows.
 * -ENOEXEC; -ENOTSUP for a processor whose registers are not known here; -ENOMEM; -EFBIG when it is
 * over the budget, which must outlive the table. */
int cfi_new(const struct cfi_image *file, const struct cfi_image *debug, struct cfi **out,
            struct fail *f);
void cfi_free(struct cfi *c);

struct cfi_size {
    size_t rows, rules, bytes; /* bytes: all memory of the table */
    size_t functions;          /* entries (FDEs) that rows were made of */
    size_t refused;            /* entries not understood, in whole or from some instruction on */
};
void cfi_size(const struct cfi *c, struct cfi_size *out);
/* Where the program begins: it has no caller. Link-time address; 0 when the file does not say. */
uint64_t cfi_entry(const struct cfi *c);
/* What the caller found out about the instructions at a link-time address: that they are not those
 * of a signal's return. Some hundred of these are remembered. */
void cfi_note_plain(struct cfi *c, uint64_t vaddr);
bool cfi_is_plain(const struct cfi *c, uint64_t vaddr);

/* The function (entry) that a link-time address is in: from where it begins to where the next one
 * does. False where there is no rule. */
bool cfi_function(struct cfi *c, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* --- rules --- */

/* A rule is words: the head, the CFA's offset or expression, and one for each saved register. */
typedef const uint32_t *cfi_rule;

/* The rule at a link-time address; NULL when none is known. It remembers what it was asked: one
 * thread at a time. */
cfi_rule cfi_find(struct cfi *c, uint64_t vaddr);
/* The same for one who goes on from there, and remembers it: the rule holds up to *end. */
cfi_rule cfi_find_range(const struct cfi *c, uint64_t vaddr, uint64_t *end);

/* Where the caller's value is. */
enum cfi_kind {
    CFI_SAME_VALUE,
    CFI_UNDEFINED,  /* lost; of the return address: there is no caller */
    CFI_OFFSET,     /* in memory at CFA + offset */
    CFI_VAL_OFFSET, /* CFA + offset itself */
    CFI_REGISTER,   /* in the register of number offset */
    CFI_EXPR,       /* in memory where the expression says; offset: for
                                cfi_expression */
    CFI_VAL_EXPR,   /* what the expression says */
};

struct cfi_saved {
    unsigned reg;
    enum cfi_kind kind;
    int32_t offset;
};

/* The head: 5 bits the CFA's register, 5 the return address's, 6 the count of the saved ones, and
 * flags. */
enum {
    CFI_HEAD_SIGNAL = 1 << 16,
    CFI_HEAD_EXPRESSION = 1 << 17,
    CFI_HEAD_OUTERMOST = 1 << 18,
    CFI_HEAD_CALLS = 1 << 19,
    CFI_HEAD_WORDS = 2,
};

static inline unsigned cfi_cfa_register(cfi_rule r)
{
    return r[0] & 31;
}
static inline unsigned cfi_return_register(cfi_rule r)
{
    return r[0] >> 5 & 31;
}
static inline unsigned cfi_count(cfi_rule r)
{
    return r[0] >> 10 & 63;
}
/* The caller was interrupted, it did not call: its address is where it goes on. */
static inline bool cfi_signal(cfi_rule r)
{
    return r[0] & CFI_HEAD_SIGNAL;
}
/* There is no caller: the return address is undefined. */
static inline bool cfi_outermost(cfi_rule r)
{
    return r[0] & CFI_HEAD_OUTERMOST;
}
/* The rule holds where the function calls, and in most of its body; not in its first instructions
 * nor in its last. */
static inline bool cfi_at_calls(cfi_rule r)
{
    return r[0] & CFI_HEAD_CALLS;
}
/* The CFA is what an expression says; else the register and the offset. */
static inline bool cfi_cfa_by_expression(cfi_rule r)
{
    return r[0] & CFI_HEAD_EXPRESSION;
}
static inline int32_t cfi_cfa_offset(cfi_rule r)
{
    return (int32_t)r[1];
}
static inline struct cfi_saved cfi_saved_at(cfi_rule r, unsigned i)
{
    uint32_t w = r[CFI_HEAD_WORDS + i];
    return (struct cfi_saved){w & 31, (enum cfi_kind)(w >> 5 & 7), (int32_t)w >> 8};
}

/* --- expressions --- */

struct cfi_machine_state { /* what an expression may ask */
    const uint64_t *regs;  /* CFI_REGISTERS, and at CFI_REGISTERS the pc */
    uint64_t known;        /* a bit a register */
    /* A number of size bytes at a run-time address; false when it is not known. */
    bool (*read)(void *arg, uint64_t addr, unsigned size, uint64_t *out);
    void *arg;
    uint64_t failed_addr; /* set when read was in vain: where */
    bool read_failed;     /* ... and that it was */
};

/* What the expression at an offset of a rule says; initial, when not NULL, is on its stack at the
 * start. False when it is not known. */
bool cfi_expression(const struct cfi *c, int32_t offset, struct cfi_machine_state *s,
                    const uint64_t *initial, uint64_t *out);
