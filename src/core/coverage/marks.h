/*
 * coverage_marks: which of a module's bytes are code of which instruction set, and which are data
 * between that, by the mapping symbols of ARM. Without any, all is code: T32 on 32-bit ARM.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_module;

struct coverage_mark {
    uint64_t start;
    char kind; /* of elf_mapping_symbols */
};

struct coverage_marks { /* ascending */
    struct coverage_mark *mark;
    size_t count, cap;
    bool arm;
};

/* -ENOMEM. */
int coverage_marks_make(struct elf_module *m, struct coverage_marks *out);
void coverage_marks_release(struct coverage_marks *t);

/* Where the data at an address end; the address: it is code. */
uint64_t coverage_marks_skip(const struct coverage_marks *t, uint64_t vaddr);
/* The address as coverage_insn_read wants it: with bit 0 if it is T32. */
uint64_t coverage_marks_mode(const struct coverage_marks *t, uint64_t vaddr);
