/*
 * planning: what the files of a plan share: the module, and which of its code is jumped to.
 */
#pragma once

#include "core/elf/elf.h"
#include "core/insn/insn.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

struct planning {
    struct elf_module *elf;
    struct cfi *cfi;
    const uint8_t *code; /* of the executable segment, as far as the file has it */
    uint64_t start, end; /* link-time addresses of it */
    uint8_t *target;     /* a bit a byte of it: it is jumped to */
    uint8_t *called;     /* a bit a byte: a call or a pointer leads there */
    uint8_t *branched;   /* a bit a byte: a conditional jump of another body does, or a table */
    size_t table_words;  /* read so far of what may be tables of jumps */
    bool fixed;          /* the code has addresses as numbers */
};

/* A function, or a part of one: from where the index has one to where it has the next. */
struct probe_body {
    uint64_t start, end;
    bool entry;        /* it begins with one, by its rule and name */
    bool unknown;      /* an instruction in it is */
    bool reads_return; /* an instruction other than a return uses the return address */
    int32_t saved_at;  /* of struct probe_site */
    bool saved, saved_twice;
    bool thumb;      /* 32-bit ARM: T32 */
    bool leads_away; /* it jumps to places that are not known */
};

static inline bool planning_has(const struct planning *p, uint64_t addr)
{
    return addr >= p->start && addr < p->end;
}

static inline const uint8_t *planning_bytes(const struct planning *p, uint64_t addr)
{
    return p->code + (addr - p->start);
}

void planning_mark(struct planning *p, uint64_t addr);
bool planning_is_target(const struct planning *p, uint64_t addr);
/* An instruction of the body leads there. */
void planning_lead(struct planning *p, const struct probe_body *b, enum insn_kind kind,
                   uint64_t addr);
/* It takes the address. */
void planning_point(struct planning *p, uint64_t addr);

/* Whether what starts there is a function by its name, or may be one without a name. */
bool planning_has_entry_name(const struct planning *p, uint64_t start, const char **name);

/* The instructions up to the end of a jump over an entry. */
struct probe_prologue {
    unsigned covers, count; /* bytes and instructions */
    unsigned nops;          /* bytes of NOPs at the start */
    bool landing;           /* ENDBR64 is the first */
    enum probe_reason reason;
};
/* The way of an entry over which a jump of so many bytes is patched. */
void planning_set_way(const struct probe_prologue *x, unsigned jump, struct probe_site *out);

/* Adds a site of an entry: 0 or -ENOMEM. */
int planning_add_site(struct probe_plan *plan, const struct probe_body *b, const char *name);

/* A processor's part. */
struct probe_processor {
    unsigned machine; /* ELF_MACHINE_* */
    unsigned sp;      /* its DWARF number */
    int32_t cfa;      /* of an entry, from the stack pointer */
    unsigned saved;   /* registers that an entry's rule has */
    bool points;      /* sweep finds which addresses the code takes */
    /* Adds all sites itself, instead of a sweep: 0 or -ENOMEM. NULL: by the index. */
    int (*find)(struct planning *p, struct probe_plan *plan);
    /* Marks what the body jumps to, and sets what is found in it. */
    void (*sweep)(struct planning *p, struct probe_body *b);
    /* The way of an entry, once all bodies are swept. */
    void (*choose)(const struct planning *p, const struct probe_body *b, struct probe_site *out);
};

extern const struct probe_processor probe_x86, probe_arm64, probe_arm;
