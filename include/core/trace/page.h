/*
 * trace_page: the events of a page of the kernel's trace ring buffer, as trace_pipe_raw hands it
 * out (Documentation/trace/ring-buffer-design, kernel/trace/ring_buffer.c): a time, how many bytes
 * are committed, with two bits about events missed before, then events of 32-bit words whose
 * times are deltas. Of a little-endian machine, as all are that psuite runs on.
 */
#pragma once

#include "core/trace/format.h"

struct trace_page {
    const uint8_t *at, *end; /* of the data that is left */
    uint64_t time_ns;        /* of the page, then of the latest event */
    uint64_t missed;         /* events lost before this page; TRACE_MISSED_MANY: unknown number */
    bool damaged;            /* an event ran over the data's end: the rest was not read */
};
#define TRACE_MISSED_MANY UINT64_MAX

struct trace_record {
    uint64_t time_ns;
    const uint8_t *bytes; /* begins with the tracepoint's common fields */
    size_t len;
};

/* A page with less than 8 bytes left has no room for the number of missed events. The reader of the
 * page may put it behind the page, in so many bytes; the page's own number is then not used. */
enum { TRACE_PAGE_MISSED = 8 };

/* 0, or -EINVAL: no page of this layout. The bytes must stay. */
int trace_page_open(struct trace_page *p, const struct trace_page_layout *l, const uint8_t *bytes,
                    size_t len);
bool trace_page_next(struct trace_page *p, struct trace_record *out);
