/* sample_perf: what the files that sample by perf events share. */
#pragma once

#include "collector.h"
#include "core/containers/imap.h"
#include "perf/perf_ring.h"
#include "perf/ring_size.h"
#include "perf/sampler.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which processes' records are handed on, where all CPUs are sampled for their sake. */
struct perf_filter {
    bool on;
    struct imap pids;
    struct perfrec_format format;
};

/* --- slices.c: short copies of the stack in the place of long ones, where rings are small --- */

struct perf_slices {
    uint32_t bytes;    /* of the short copies; 0: there is no choice */
    int *pair;         /* two events each: of long copies, of short ones; one of them runs */
    size_t pairs, cap; /* cap: of pair */
    bool is_short;
    uint32_t changes;
};

/* Begins a choice of short_bytes; 0: none. */
void perf_slices_init(struct perf_slices *p, uint32_t short_bytes);
/* Does without a choice. */
void perf_slices_release(struct perf_slices *p);

struct perf_sampler {
    struct sampler base;
    struct perf_event_attr attr;
    struct perf_event_attr switches; /* in addition, to measure waits */
    bool waits;
    struct perf_event_attr more[SAMPLE_MAX_EVENTS - 1]; /* that are sampled, too */
    size_t mores;
    size_t refused_more;  /* of want.more: the one that was refused, + 1 */
    struct imap event_of; /* of the ids of those: 1 + their index */
    char method[192];
    char described[256]; /* and with the sizes of the copies of the stack */
    int cpus;
    int *cpu;       /* their numbers */
    bool *unwanted; /* of each: what runs there is not sampled, only what is mapped is told */
    struct perf_ring *ring; /* one a CPU */
    int *handle;            /* one a CPU; -1: it has no ring */
    int *event;             /* every descriptor, the rings' own among them */
    size_t events, event_cap;
    size_t max_events; /* that may be open: the other files need some descriptors, too */
    size_t max_opened; /* the most that were */
    struct perf_filter filter;
    struct perf_slices slices;
    size_t sampling_events; /* of them: those that sample; the others only tell of tasks and
                               mappings */
    int refused;            /* why the first of the others does not; 0 */
    size_t ring_bytes;
    struct ring_size size;       /* as decided */
    bool explained;              /* what went wrong: f says it */
    struct collector *collector; /* of the rings, once all are there */
};

/* --- attr.c: what is asked of the kernel --- */

/* The additional event: a's record layout, one each time a thread leaves its CPU. */
void perf_attr_switches(const struct perf_event_attr *a, const struct sample_want *want,
                        struct perf_event_attr *out);

/* The attributes of all events, whose records are laid out alike. */
int perf_attr_fill_all(struct perf_sampler *s, const struct sample_want *want);

/* Takes back the newest request that is still made. False when nothing is left to do without. */
bool perf_attr_downgrade(struct perf_event_attr *a);

/* Whether records of the kernel's part come, so that reading them needs that privilege. */
bool perf_attr_includes_kernel(const struct sample_want *want);

/* --- slices.c --- */

/* Adds the event of short copies beside fd, of a thread on the CPU of that index, whose ring is
 * there. Where that is refused, or descriptors are short, there is no choice. */
void perf_slices_follow(struct perf_sampler *s, int tid, int i, int fd);

/* Each of a pair begins before the other ends: no mapping is missed. */
void perf_slices_shorten(struct perf_sampler *s, bool to_short);

void perf_slices_stop(const struct perf_slices *p);
uint64_t perf_slices_lost(const struct perf_slices *p);

/* Fills s->described. */
void perf_describe(struct perf_sampler *s);

/* The records that an event lost, by the kernel's count; 0: it has none. */
uint64_t perf_event_lost(int fd);

/* --- follow.c: the threads to sample --- */

/* A thread on every CPU; -1: whatever runs there. A CPU that went offline is none of ours. */
int perf_follow(struct perf_sampler *s, int tid);

/* All threads of a process that runs. */
int perf_follow_process(struct perf_sampler *s, int pid, struct fail *f);

/* --- rings.c --- */

/* Whom want names, with rings of s->ring_bytes, which becomes less until the kernel, which limits
 * what a user may lock, lets them be; so do slices of stack of which a ring would hold too few.
 * Where it would hold few there is a choice. -ENOBUFS when even little is too much. */
int perf_follow_in_rings(struct perf_sampler *s, const struct sample_want *want, struct fail *f);

/* All events and rings. */
void perf_close_events(struct perf_sampler *s);

/* --- filter.c: several processes, by events of all CPUs --- */

/* Lets only records of the processes that want names pass. 0 or -ENOMEM. */
int perf_filter_start(struct perf_filter *f, const struct sample_want *want,
                      const struct perfrec_format *format);
bool perf_filter_passes(const struct perf_filter *f, const void *record, size_t len);

/* --- refused.c: why not --- */

/* Fills f for what opening gave, -errno, which is returned. */
int perf_refused(int e, const struct perf_sampler *s, const struct sample_want *want,
                 struct fail *f);
