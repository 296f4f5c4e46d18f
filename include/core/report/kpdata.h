/*
 * kpdata: Plan 9's kernel profile, a histogram of the kernel's text (kprof(3); kprof(1) reads it).
 * Both of its formats are read, kprof(3)'s is written.
 *
 *   4-byte counters, big-endian; counter j is of the text at base + (j << log2), but the first six
 * say: [0] ticks in all, [1] of them outside the text, [2] microseconds a tick, [3] how many
 * counters, [4] bytes a counter, 4, [5] log2. A file in which [2] to [5] do not fit it has the
 * first two only, both in ms, and spans of 8 bytes.
 */
#pragma once

#include "core/base/fail.h"
#include "core/elf/symtab.h"

#include <stdbool.h>

struct buf;

/* What of the kernel's file a report needs. */
struct kpdata_text {
    const struct symtab *symbols;
    uint64_t base; /* _text or _stext; 0: the file has neither. Then it is where counters begin
                      that end with the text, or the page of the first symbol */
};

/* Appends kprof's report. -EINVAL and f with kprof's own words; what was appended before is kept.
 */
int kpdata_report(const uint8_t *bytes, size_t len, const struct kpdata_text *text, struct buf *out,
                  struct fail *f);

/* The same lines of a report: the first, the base, the header, a row. Amounts are ms where not
 * called ticks. */
void kpdata_total(struct buf *out, uint64_t ticks, uint64_t outside);
void kpdata_base(struct buf *out, uint64_t base);
void kpdata_row(struct buf *out, uint64_t ms, uint64_t ticks, uint64_t whole, const char *name);

/* --- writing --- */

struct kpdata {
    uint32_t *counter; /* host order until it is written */
    size_t count;
    uint64_t base;
    uint32_t us_per_tick;
};

/* The length of the file for text [base, end). 0: over 1 GB of text, or none. */
size_t kpdata_length(uint64_t base, uint64_t end);

/* For text [base, end). 0, or -ENOMEM; -EFBIG over 1 GB of text. */
int kpdata_init(struct kpdata *k, uint64_t base, uint64_t end, uint32_t us_per_tick);
void kpdata_release(struct kpdata *k);
void kpdata_count(struct kpdata *k, uint64_t pc, uint64_t ticks); /* outside the text, too */
void kpdata_write(const struct kpdata *k, struct buf *out);

/* Adds the counts of a file of kpdata_write's to another of the same kernel, in place. False, and
 * nothing is changed: they are not alike. */
bool kpdata_add(struct buf *to, const struct buf *more);
