/*
 * flat_waits: what a flat profile says of waits, where they were sampled: running and waiting time
 * apart, shares of both together.
 */
#ifndef PSUITE_CORE_FLAT_WAITS_H
#define PSUITE_CORE_FLAT_WAITS_H

#include "core/json.h"
#include "core/sampled.h"

struct buf;

extern const char flat_waits_header[];

/* Of weight, wait was waited. */
void flat_waits_row(const struct sampled *s, uint64_t weight, uint64_t wait, uint64_t whole,
                    const char *name, struct buf *out);

/* ", 200 of it waiting": behind an amount. */
void flat_waits_part(const struct sampled *s, uint64_t wait, struct buf *out);

/* For the last line; nothing where waits were not sampled. */
void flat_waits_text(const struct sampled *s, struct buf *out);
void flat_waits_json(const struct sampled *s, struct json *j);

#endif
