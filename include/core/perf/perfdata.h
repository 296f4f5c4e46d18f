/*
 * perfdata: reads perf.data, what `perf record` writes: events, facts of the recording, build-ids,
 * and the records in the order of their times. Sources of the format: the kernel's
 * tools/perf/Documentation/perf.data-file-format.txt, linux/perf_event.h for the records.
 *
 * Both forms are read: the file (magic, tables, records, features) and the stream of
 * `perf record -o -` (magic, then records that carry the tables). The whole of it is in memory,
 * mapped or read; a stream from standard input is bounded only by what its reader holds.
 * Records are little-endian, as on every machine psuite runs on; big-endian ones are refused.
 *
 * Nothing is copied but what was compressed: names, paths, chains and build-ids point into the
 * bytes, which stay as they are while the perfdata lives. Memory besides them: 64 bytes for each
 * run of records in order of time, of which two rounds have one a ring (perf ends a round with each
 * sweep over its rings); of compressed records the bytes of two rounds, at most
 * PERFDATA_UNPACKED_MAX. Of a mapped file a window is in memory (perfdata_release).
 *
 * What is cut off or damaged ends the reading, not the answer: what is complete before it is
 * handed on, and perfdata_warning says so.
 */
#pragma once

#include "core/base/fail.h"
#include "core/perf/perfrec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PERFDATA_EVENTS_MAX = 1 << 16,
    PERFDATA_UNPACKED_MAX = 1 << 28, /* bytes waiting; over it a round is ended early */
    PERFDATA_WINDOW_BYTES = 1 << 20,
};

struct perfdata;

/* What was counted or sampled: one perf_event_attr. */
struct perfdata_event {
    const char *name; /* perf's word for it, else "cpu-clock", "raw:0x1c2"; never NULL */
    uint32_t type;    /* PERF_TYPE_*: 0 hardware, 1 software, 2 tracepoint, 4 raw ... */
    uint64_t config;
    bool freq;               /* period_or_freq: samples a second; else events between two samples */
    uint64_t period_or_freq; /* 0: not sampled */
    bool user, kernel;       /* modes it was asked for */
    bool has_clock;          /* times are of that CLOCK_*; else perf's own, since some boot */
    int32_t clock;
    struct perfrec_format format; /* period 1 where samples carry none and came by rate */
    uint64_t ids;                 /* kernel's events it consists of: a CPU, a thread */
};

/* A file that samples hit, as perf noted it at the end of the recording. */
struct perfdata_build_id {
    uint32_t pid; /* UINT32_MAX: of the machine itself; else of the guest's process */
    enum perfrec_mode mode;
    const uint8_t *id;
    size_t id_len;    /* at most PERFREC_BUILD_ID_MAX */
    const char *path; /* also "[kernel.kallsyms]", "[vdso]" */
};

/* Facts of the recording. Strings are "" and numbers 0 where the file has none. */
struct perfdata_facts {
    const char *host, *os_release, *perf_version, *machine, *cpu;
    const char *command; /* perf's own command line, joined by blanks */
    uint32_t cpus_online, cpus_present;
    uint64_t memory_kb;
    uint64_t first_ns, last_ns;   /* of samples; 0 also where perf did not look at them */
    uint64_t clock_resolution_ns; /* of events with a clock */
    uint64_t wall_ns, wall_at_ns; /* CLOCK_REALTIME when the events' clock read wall_at_ns */
    uint32_t compression_level;   /* of zstd; 0: not compressed */
    bool stream;                  /* made by perf record -o - */
    bool finished;                /* a file whose sizes perf filled in at its end; a stream */
    uint64_t record_bytes;        /* as in the file */
};

/* What a reading met. */
struct perfdata_counts {
    uint64_t records;        /* of the kernel's kinds, decoded or not */
    uint64_t samples;        /* handed on */
    uint64_t lost;           /* records the kernel dropped, by its LOST records: also handed on */
    uint64_t lost_samples;   /* by LOST_SAMPLES records; where perf wrote both they count the same
                                drops: the greater of the two is the loss */
    uint64_t unknown_events; /* records of an event the file does not describe: passed over */
    uint64_t malformed;      /* records too short for what their event says they hold */
    uint64_t out_of_order;   /* came so late that later ones had been handed on */
};

/* Each pass over the records calls range when it has read PERFDATA_WINDOW_BYTES of them, with the
 * range that they are in, so that the memory of a mapped file's pages can be released. The bytes
 * must stay readable: records that wait for their turn are read again. */
struct perfdata_release {
    void (*range)(void *arg, const void *at, size_t len);
    void *arg;
};

/* Opens the bytes, which stay the caller's; release may be NULL. A file without tables of its
 * events' names and of its build-ids, and a stream, is read once to find them. -EINVAL: not
 * perf.data, or tables outside the file; -ENOTSUP: big-endian, or of a perf before 2010; -ENOMEM.
 */
int perfdata_open(const void *bytes, size_t len, const struct perfdata_release *release,
                  struct perfdata **out, struct fail *f);
void perfdata_free(struct perfdata *pd);

size_t perfdata_events(const struct perfdata *pd);
const struct perfdata_event *perfdata_event(const struct perfdata *pd, size_t i);
size_t perfdata_build_ids(const struct perfdata *pd);
const struct perfdata_build_id *perfdata_build_id(const struct perfdata *pd, size_t i);
const struct perfdata_facts *perfdata_facts(const struct perfdata *pd);

/* Gets each record perfrec_decode knows, in perf's own order: records without a time (what perf
 * made up about tasks that ran before) as they stand, the others by time and, where it is equal, by
 * place. r and what it points to are valid until the call returns. */
typedef void perfdata_emit_fn(void *arg, const struct perfdata_event *event,
                              const struct perfrec *r);

/* Reads all records; may be called again. 0, -ENOMEM, or -ENOSYS: compressed, and this build has no
 * zstd. */
int perfdata_read(struct perfdata *pd, perfdata_emit_fn *emit, void *arg, struct fail *f);

/* Of the last perfdata_read. */
const struct perfdata_counts *perfdata_counts(const struct perfdata *pd);

/* What is wrong with the file and was worked around, in words; NULL when nothing is. Complete after
 * perfdata_read. */
const char *perfdata_warning(const struct perfdata *pd);
