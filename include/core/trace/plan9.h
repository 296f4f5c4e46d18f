/*
 * sched_plan9: /proc/trace as Plan 9 hands it out (FORMATS 8): 16 bytes an event, pid, type, time
 * in ns, in one byte order, which shows in the types.
 */
#pragma once

#include "core/trace/event.h"

#include <stdbool.h>
#include <stddef.h>

enum { SCHED_PLAN9_BYTES = 16 };

/* Whether the stream is big-endian: the order in which its first types are smaller in all. */
bool sched_plan9_big(const uint8_t *bytes, size_t len);

/* One event of SCHED_PLAN9_BYTES; kind may be none. The bits above a type's 16 bits are `what`.
 */
void sched_plan9_read(const uint8_t *bytes, bool big, struct sched_event *out);
/* In the order of this machine; of an event whose kind is one of Plan 9's. */
void sched_plan9_write(const struct sched_event *e, uint8_t *bytes);
