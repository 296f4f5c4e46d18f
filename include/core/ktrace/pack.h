/*
 * ktrace_pack: an event with all that it has as bytes, in which it waits to be put in order
 * (core/perf/reorder.h). Only this process reads them.
 */
#pragma once

#include "core/base/buf.h"
#include "core/ktrace/event.h"

/* Appends; the buf remembers when memory ended. */
void ktrace_pack(const struct ktrace_event *e, const struct ktrace_more *m, struct buf *out);

/* The texts point into the bytes. */
void ktrace_unpack(const void *bytes, size_t len, struct ktrace_event *e, struct ktrace_more *m);
