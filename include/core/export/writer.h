/*
 * writer: the formats in which stacks can be written, one line of src/core/export/writers.def each.
 * They implement `-o FORMAT:FILE' of every applet that has stacks.
 */
#pragma once

#include "core/stacks/stacks.h"

#include <stdbool.h>
#include <stddef.h>

struct writer {
    const char *name;    /* the word before the colon */
    const char *summary; /* in a few words, for the help */
    bool binary;         /* no terminal should see it */

    /* Appends the whole file. before: stacks to compare with, NULL: none; writers that cannot
     * compare have takes_before false and are given NULL. 0 or -ENOMEM. */
    int (*write)(const struct stacks *s, const struct stacks *before, struct buf *out);
    bool takes_before;
    bool all_values; /* it has each value of the stacks; else the last one alone, or the first, too
                      */
    const char *opened; /* how the file is looked at; `%' is its path. NULL: as any text */
};

extern const struct writer writers[];
extern const size_t writer_count;

const struct writer *writer_named(const char *name, size_t len); /* NULL: none */
