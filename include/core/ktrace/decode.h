/*
 * ktrace_decode: turns the kernel's records of probe events (Documentation/trace/kprobetrace.rst)
 * into entries and exits. A function has two events of its own: an entry with the fields a1, a2 and
 * so on, as many as it has arguments, and s1 of a text that a1 points to; and an exit with the
 * field r, and s1 of a text. After an event the kernel may record its stack, as an event of its
 * own.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/ktrace/event.h"
#include "core/trace/page.h"

/* A field's place; bytes 0: none. */
struct ktrace_field {
    uint16_t offset;
    uint8_t bytes;
    bool is_signed;
};
struct ktrace_fields {
    uint32_t function;
    bool exit;
    enum ktrace_what what;
    struct ktrace_field value[KTRACE_MAX_ARGS], text[KTRACE_MAX_ARGS];
};

struct ktrace_decoder {
    struct trace_page_layout layout; /* the caller's to set */
    struct trace_field type, flags, pid;
    struct imap ids; /* an event's number: its place in event, + 1 */
    struct ktrace_fields *event;
    size_t events, event_cap;
    uint32_t stack_id; /* of the event of a stack; 0: none */
    struct trace_field stack;
    uint64_t lost, losses; /* records that did not fit the kernel's buffers, and the places; of an
                              unknown number only a place */
    uint64_t damaged;      /* pages; and records of no event that was learned */
    uint64_t unknown;
};

void ktrace_decoder_release(struct ktrace_decoder *d);

/* Learns an event by its format file. -EINVAL: it is none, or lacks a field; -ENOMEM. */
int ktrace_decoder_learn(struct ktrace_decoder *d, uint32_t function, bool exit, const char *format,
                         size_t len);

/* The same of an event whose fields have other names: value[i] are those of its arguments, or the
 * first of what was returned; NULL: none. */
int ktrace_decoder_map(struct ktrace_decoder *d, uint32_t function, bool exit,
                       const struct trace_format *f,
                       const struct trace_field *const value[KTRACE_MAX_ARGS]);

/* The same of an event of texts: s1 is at the address a1, and so on. */
int ktrace_decoder_learn_texts(struct ktrace_decoder *d, const char *format, size_t len);

/* The same of the event of a stack, ftrace/kernel_stack. */
int ktrace_decoder_learn_stack(struct ktrace_decoder *d, const char *format, size_t len);

/* All events of a page, in order. The emitted events have no pc: their function's is the caller's.
 */
void ktrace_decode_page(struct ktrace_decoder *d, const uint8_t *page, size_t len,
                        ktrace_emit_fn *emit, void *arg);
