/*
 * histogram: counters of spans of text, as Plan 9's profiling devices keep them: summed up by
 * function. A function reaches to the next one, as Plan 9's symbols have no size.
 */
#pragma once

#include "core/elf/symtab.h"

struct histogram {
    const uint8_t *bytes; /* counters of four bytes */
    size_t count;
    uint32_t (*get)(const void *p); /* get_be32 or get_le32 */
    size_t first;  /* the first that is a span's, not one with a meaning of its own */
    size_t shift;  /* the span at base is counted by this one */
    unsigned log2; /* of a span's bytes */
    uint64_t base;
};

struct histogram_row {
    const char *name;
    uint64_t count;
};

uint64_t histogram_counter(const struct histogram *h, size_t i);

/* The functions with counts, most first, then by name: how many, or -ENOMEM. The caller frees. */
int histogram_rows(const struct histogram *h, const struct symtab *text,
                   struct histogram_row **out);
