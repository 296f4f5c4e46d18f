/*
 * recording_reading: what recording_read.c, recording_events.c, recording_samples.c,
 * recording_cgroups.c and recording_bundle.c share.
 */
#pragma once

#include "core/base/varint.h"
#include "recording_records.h"

#include <errno.h>

enum { RECORDING_MAX_THREADS = 1 << 22, RECORDING_MAX_PATH = 4096 };

enum { READ_MAX_SAMPLES = (1 << 30) - 1 };

struct read_node {
    uint32_t node;          /* ours */
    unsigned samples : 30;  /* of one period each, that are not in its cell yet */
    unsigned shortened : 1; /* it lacks callers that the file has */
    unsigned wait : 1;
};
struct reading {
    struct sampled *sampled;
    struct recording *recording;
    uint32_t *module, *thread; /* the file's index to ours; thread: + 1 */
    struct read_node *node;
    size_t modules, nodes, threads, module_cap, node_cap, thread_cap;
    struct symtab_builder **symbols; /* a module's, as ours */
    size_t symbol_tables, symbol_cap;
    uint64_t period[SAMPLED_MAX_EVENTS], time_ns[SAMPLED_MAX_EVENTS];
    bool applied;       /* the facts */
    bool head_only;     /* no record behind those is read */
    size_t since_step;  /* bytes of records since hooks.consumed was called */
    uint64_t shortened; /* samples that were recorded without their callers */
    int err;
};

/* Ends the reading. */
static inline void recording_fail(struct reading *r, int err)
{
    r->err = err;
}

/* The module of the file's index; NULL, and the reading ends, when there is none. */
struct module *recording_module(struct reading *r, uint64_t index);

/* --- recording_samples.c --- */

void recording_read_samples(struct reading *r, struct varints *c);
void recording_read_event_samples(struct reading *r, struct varints *c);
/* Behind the last of them. */
void recording_sum_samples(struct reading *r);

/* --- recording_events.c: by what, and how chains ended --- */

/* Once, before the first sample: facts and events are all there. */
void recording_apply_facts(struct reading *r);
void recording_read_event(struct reading *r, struct varints *c);
void recording_read_ends(struct reading *r, struct varints *c);
void recording_read_event_ends(struct reading *r, struct varints *c);

/* --- recording_cgroups.c --- */

void recording_read_cgroup(struct reading *r, struct varints *c);

/* --- recording_bundle.c --- */

void recording_read_symbol(struct reading *r, struct varints *c);
void recording_read_place(struct reading *r, struct varints *c);
/* Behind the last record: modules have the symbols, places can be found. */
void recording_attach_symbols(struct reading *r);
void recording_sort_places(struct recording_places *p);
