/*
 * plan: how the functions of a module can be patched to call a probe at their entry: for each entry
 * a site, sorted by address. Addresses are link-time ones.
 *
 * An entry is a start of the unwinding information whose rule there is that of a function's first
 * instruction (x86-64: CFA = rsp + 8, nothing saved but the return address; arm64: CFA = sp), which
 * excludes the cold parts of functions; where the file has all symbols, one of them starts there,
 * and it is not named as a cold part. PLT stubs are no entries.
 *
 * 32-bit ARM has no such rules, and C programs have no index. An entry is where a symbol is, what
 * is called, and where the index or a pointer leads, if a push of the link register is there. Which
 * instruction set it is follows from the same.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi;
struct elf_module;

/* How a jump fits into an entry. */
enum probe_way {
    PROBE_REFUSED,
    PROBE_NOPS,    /* over padding that the compiler left for it */
    PROBE_LANDING, /* x86-64: over ENDBR64. Its 4 bytes are the jump's first; the last is the next
                      instruction's own, so that the target is in a window of 16 MB */
    PROBE_FIRST,   /* over the first instruction */
    PROBE_SEVERAL, /* x86-64, T32: over several instructions, with no target of a jump between them
                    */
    PROBE_SECOND,  /* arm64: over the second instruction: BTI or PACIASP is the first */
    PROBE_WAYS
};

enum probe_reason {
    PROBE_NO_REASON,
    PROBE_UNKNOWN_CODE,  /* an instruction of the function is unknown */
    PROBE_SHORT,         /* another function begins before the jump's end */
    PROBE_JUMP_TARGET,   /* code or a table leads into the displaced bytes */
    PROBE_CALL_INSIDE,   /* a displaced call would return into the displaced bytes */
    PROBE_STACK_OPERAND, /* a displaced call is through the stack pointer */
    PROBE_UNKNOWN_JUMP,  /* 32-bit ARM: it jumps to places that are not known, maybe there */
    PROBE_NOT_MOVED,     /* 32-bit ARM: an instruction does not do the same elsewhere */
    PROBE_REASONS
};

/* What becomes of the function's return. */
enum probe_return {
    PROBE_RETURN_HOOKED,
    PROBE_RETURN_READ,  /* entry-only: the function uses its own return address */
    PROBE_RETURN_NAMED, /* entry-only: it returns twice, switches stacks or unwinds, by its name */
    PROBE_RETURN_LOST,  /* entry-only: where its return address is saved is not known */
    PROBE_RETURNS
};

enum {
    PROBE_LR_KEPT = 0, /* of saved_at: in the link register throughout, or x86-64 */
};

struct probe_site {
    uint64_t start;
    uint32_t size;    /* bytes up to the next start; at most UINT32_MAX */
    int32_t saved_at; /* ARM: where the return address is saved, from the stack pointer at entry */
    uint8_t way;      /* enum probe_way */
    uint8_t reason;   /* enum probe_reason of a refused one */
    uint8_t returns;  /* enum probe_return */
    uint8_t at;       /* the patch begins so many bytes behind start */
    uint8_t covers;   /* displaced bytes from there, whole instructions; of PROBE_LANDING
                         those of a jump outside its window */
    bool thumb;       /* 32-bit ARM: T32 */
};

struct probe_plan {
    unsigned machine; /* ELF_MACHINE_* */
    struct probe_site *site;
    size_t count, cap;
};

/* Plans the module, whose rules c has: 0, -ENOMEM, or -ENOTSUP with the reason, when its processor
 * is none of ours or it has no index of its functions. To be released either way. */
int probe_plan_init(struct probe_plan *p, struct elf_module *m, struct cfi *c, struct fail *f);
void probe_plan_release(struct probe_plan *p);

struct probe_counts {
    size_t way[PROBE_WAYS], reason[PROBE_REASONS], returns[PROBE_RETURNS];
    size_t patchable; /* whose way is not PROBE_REFUSED */
};
void probe_plan_count(const struct probe_plan *p, struct probe_counts *out);

/* By enum, as keys of JSON and in words: `several', `several instructions'. */
struct probe_words {
    const char *key, *text;
};
extern const struct probe_words probe_ways[PROBE_WAYS], probe_reasons[PROBE_REASONS],
    probe_returns[PROBE_RETURNS];
