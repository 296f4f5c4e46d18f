/*
 * profile_file: Plan 9's /proc/PID/profile, a histogram of one program's text (proc(3);
 * tprof of prof(1) reads it).
 *
 *   4-byte counters, big-endian: [0] ms in all, [1] ms outside the text, [2 + n] ms in the 8 bytes
 * at base + 8n, base = first text address rounded down to a page of 4096. A file in the other order
 * is taken as such when only so the total is what lies outside plus the sum of the rest.
 */
#pragma once

#include "core/base/fail.h"
#include "core/elf/symtab.h"

#include <stddef.h>
#include <stdint.h>

struct buf;

/* Appends `tprof PID's report. -EINVAL and f when the file is too short or its counts hit no
 * symbol. */
int profile_file_report(const uint8_t *bytes, size_t len, const struct symtab *text,
                        struct buf *out, struct fail *f);

/* --- writing --- */

struct profile_hit {
    uint64_t vaddr, ns; /* in order of addresses */
};
struct profile_counts {
    uint64_t base, end; /* the text */
    uint64_t outside_ns;
    const struct profile_hit *hit; /* those out of the text count as outside, too */
    size_t hits;
};

/* The length of the file for text [base, end). 0: over 1 GB of text, or none. */
size_t profile_file_length(uint64_t base, uint64_t end);

/* Appends the file. What is left of an ms in one counter goes into the next, so that the total is
 * what the others add up to. -EFBIG over 1 GB of text, -ENOMEM. */
int profile_file_write(const struct profile_counts *c, struct buf *out);

/* Where counters begin: the page of a text that begins there. */
uint64_t profile_file_base(uint64_t first);
