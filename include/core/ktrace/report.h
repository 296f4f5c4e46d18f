/*
 * ktrace_report: calls of functions as text, JSON, and events of Chrome's Trace Event Format, and a
 * summary of them per function. Times of calls are in ns.
 */
#pragma once

#include "core/base/buf.h"
#include "core/ktrace/calls.h"
#include "core/ktrace/signature.h"
#include "core/text/json.h"
#include "core/text/report_fit.h"
#include "core/timeline/latency.h"

/* What is needed to show calls. */
struct ktrace_shown {
    const char *(*function)(void *arg, uint32_t function);              /* its name */
    const char *(*code)(void *arg, uint64_t address, uint64_t *offset); /* of an address; NULL: none
                                                                          has one */
    void *arg;
    const struct ktrace_signatures *signatures;
    uint64_t begin_ns; /* time 0 */
};

/* `TIME PID NAME(ARGUMENTS) = RETURNED  DURATION', indented by its depth; and its stack, a line a
 * frame. */
void ktrace_call_text(const struct ktrace_shown *show, const struct ktrace_call *c,
                      struct buf *out);
/* The members of an object. */
void ktrace_call_json(const struct ktrace_shown *show, const struct ktrace_call *c, struct json *j);
/* One event of Chrome's, an object. */
void ktrace_call_chrome(const struct ktrace_shown *show, const struct ktrace_call *c,
                        struct json *j);

/* A function's calls. */
struct ktrace_total {
    const char *name;
    struct sched_latency time;
    uint64_t errors, unended; /* that returned an error's number; that did not return */
};
void ktrace_total_add(struct ktrace_total *t, const struct ktrace_call *c);

/* Functions by total time, the longest first. */
struct ktrace_summary {
    struct ktrace_total *total;
    size_t count;
    bool histograms;
    struct report_size size;
};
void ktrace_summary_text(struct ktrace_summary *s, struct buf *out);
void ktrace_summary_json(struct ktrace_summary *s, struct json *j);
