/*
 * coverage_code: what a module's code tells one who counts its instructions: where it may be
 * entered, and how long an instruction is.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_module;

struct coverage_insn {
    uint8_t len;
    bool call;        /* what is behind it is where its callee returns to */
    bool repeats;     /* x86: a string instruction with a REP prefix, a step of which is one
                         repetition */
    bool system_call; /* which may not return */
};

/* The instruction at a link-time address, of which bit 0 is set on 32-bit ARM if it is T32. False:
 * it is not known, or not there; len is the least that one has. */
bool coverage_insn_read(const struct elf_module *m, uint64_t vaddr, struct coverage_insn *out);

/* The address by which it is counted. */
uint64_t coverage_insn_address(const struct elf_module *m, uint64_t vaddr);

/* Whether the module's processor is one whose instructions are read here. */
bool coverage_can_read(const struct elf_module *m);

struct coverage_entries {
    uint64_t *vaddr; /* ascending, each once, of the executable segment; bit 0 as above */
    size_t count, cap;
};

/* Where code outside of the module may call it: symbols of functions, starts of its unwinding
 * information, and the functions that the loader calls; on 32-bit ARM instead of the latter two the
 * entries of core/probe/plan.h. -ENOMEM. */
int coverage_entries_make(struct elf_module *m, struct coverage_entries *out);
void coverage_entries_release(struct coverage_entries *e);
