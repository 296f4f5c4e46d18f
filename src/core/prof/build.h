/*
 * prof_build: functions by which the readers of both versions fill a prof_tree.
 */
#pragma once

#include "core/prof/tree.h"

/* A record of a file, links as PROF_NONE or an index in the file. */
struct prof_record {
    uint64_t pc, count;
    uint32_t timed, samples;
    int64_t time_ns;
    uint8_t sparse;
    bool open;
    uint32_t down, right, module;
};

/* Where records come from. Each index may be taken once: taken is a bit each, of all that was
 * found in the file so far. */
struct prof_source {
    size_t limit; /* indices are below */
    uint8_t *taken;
    void (*record)(void *arg, uint32_t index, struct prof_record *out);
    void *arg;
};

/* Whether count indices from this one on are the file's, and free; they are taken then. Else a note
 * tells. */
bool prof_claim_records(struct prof_tree *t, struct prof_source *s, uint32_t index, uint32_t count);

/* Reads the siblings that begin at a record (PROF_NONE: none), with all that they called, as the
 * outermost calls of a thread. 0 or -ENOMEM. */
int prof_graft(struct prof_tree *t, struct prof_source *s, uint32_t index, size_t thread);

/* The relative error assumed of a calibration. */
#define PROF_COST_ERROR 0.5

/* What probes change in a program beside what they cost, a standard deviation: of a function that
 * takes self_ns and whose own and callees' probes take probes_ns, in a thread of total_ns. */
double prof_changed_ns(double self_ns, double probes_ns, double total_ns);

/* Siblings of one place become one. Nothing is changed when there are none. 0 or -ENOMEM. */
int prof_merge(struct prof_tree *t);

/* Sets self_ns and error_ns of a thread's nodes from measured times and samples. raw_self:
 * measured, by node. 0 or -ENOMEM. */
int prof_estimate(struct prof_tree *t, const struct prof_thread *of, const uint64_t *raw_self);

/* What a timed call costs by the thread's samples, ps; 0 when they do not tell. */
double prof_sampled_cost_ps(const struct prof_tree *t, const struct prof_thread *of);

void prof_note(struct prof_tree *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct prof_thread *prof_add_thread(struct prof_tree *t); /* zeroed; NULL when memory ends */
struct prof_mark *prof_add_mark(struct prof_tree *t);
struct prof_module *prof_add_module(struct prof_tree *t, const char *path);
uint32_t prof_place(struct prof_tree *t, uint64_t pc, uint32_t module); /* PROF_NONE: no memory */

static inline uint64_t prof_add_saturating(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* A computed time in ns, clamped to 0 and INT64_MAX. */
static inline uint64_t prof_whole_ns(double ns)
{
    if (ns >= (double)INT64_MAX)
        return INT64_MAX;
    return ns > 0 ? (uint64_t)ns : 0;
}
