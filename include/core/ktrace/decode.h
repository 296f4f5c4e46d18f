/*
 * ktrace_decode: turns the kernel's records of probe events (Documentation/trace/kprobetrace.rst)
 * into entries and exits. A function has two events of its own: an entry with the fields a1 to a4,
 * and an exit with the field r. All entries have the same fields at the same places, and all exits.
 */
#ifndef PSUITE_CORE_KTRACE_DECODE_H
#define PSUITE_CORE_KTRACE_DECODE_H

#include "core/containers/imap.h"
#include "core/ktrace/event.h"
#include "core/trace/page.h"

struct ktrace_fields {
    struct trace_field type, flags, pid, value[KTRACE_ARGS];
};

struct ktrace_decoder {
    struct trace_page_layout layout; /* the caller's to set */
    struct imap ids;                 /* an event's number: which it is, + 1 */
    struct ktrace_fields entry, exit;
    uint64_t lost, losses; /* records that did not fit the kernel's buffers, and the places; of an
                              unknown number only a place */
    uint64_t damaged;      /* pages; and records of no event that was learned */
    uint64_t unknown;
};

typedef void ktrace_emit_fn(void *arg, const struct ktrace_event *e);

void ktrace_decoder_release(struct ktrace_decoder *d);

/* Learns an event by its format file. -EINVAL: it is none, or lacks a field; -ENOMEM. */
int ktrace_decoder_learn(struct ktrace_decoder *d, uint32_t function, bool exit, const char *format,
                         size_t len);

/* All events of a page, in order. The emitted events have no pc: their function's is the caller's.
 */
void ktrace_decode_page(struct ktrace_decoder *d, const uint8_t *page, size_t len,
                        ktrace_emit_fn *emit, void *arg);

#endif
