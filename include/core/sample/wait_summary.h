/*
 * wait_summary: the text about waits in reports, if waits were sampled. A flat profile shows
 * running and waiting time separately; shares are of their sum.
 */
#pragma once

#include "core/sample/sampled.h"
#include "core/stacks/summary.h"

struct buf;

extern const char waits_header[];

/* Of weight, wait was waited. */
void waits_row(const struct sampled *s, uint64_t weight, uint64_t wait, uint64_t whole,
               const char *name, struct buf *out);

/* ", 200 of it waiting": behind an amount. */
void waits_part(const struct sampled *s, uint64_t wait, struct buf *out);

/* "293 ms running; 58 waits of 1166 ms: 1160 asleep, 6 for a CPU", behind `before'; nothing where
 * waits were not sampled. */
void waits_sums_text(const struct sampled *s, const char *before, struct buf *out);
void waits_sums(const struct sampled *s, struct stacks_waits *out);
