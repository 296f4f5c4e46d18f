/*
 * snap_file: the file of `psuite snap': several recordings of the same time, as they were written
 * while they were made.
 *
 * The file: 8 bytes of magic, `pssnap', 0, version 1; then chunks, each: stream (enum snap_stream,
 * LEB128), length (LEB128), that many bytes. The bytes of a stream are those of its chunks, one
 * after the other. A file that was cut off is read up to its last whole byte. Streams that are not
 * known are passed over by their length.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum snap_stream {
    SNAP_FACTS = 1, /* lines: a key, a blank, its value */
    SNAP_SAMPLES,   /* core/sample/recording.h */
    SNAP_SCHEDULER, /* core/trace/recording.h */
    SNAP_STATS,     /* core/stats/record.h */
    SNAP_DOCTOR,    /* the object of `doctor --json' */
    SNAP_NOTES,     /* lines: what could not be recorded, why, and remedies */
    SNAP_END,       /* nothing: the recording ended */
    SNAP_STREAMS
};

/* Keys of facts; times are ns. The first two are of the same moment, and so are the last two. */
#define SNAP_BEGIN_MONO "begin_mono_ns" /* CLOCK_MONOTONIC, which samples and events have */
#define SNAP_BEGIN_REAL "begin_real_ns" /* CLOCK_REALTIME, which stats has */
#define SNAP_END_MONO   "end_mono_ns"
#define SNAP_END_REAL   "end_real_ns"
#define SNAP_HOST       "host"
#define SNAP_MACHINE    "machine" /* uname -m */
#define SNAP_KERNEL     "kernel"  /* uname -r */
#define SNAP_CPUS       "cpus"
#define SNAP_COMMAND    "command"
#define SNAP_SAMPLED    "sampled" /* what was: "all, user and kernel mode" */

/* --- writing: appended to out --- */

void snap_file_start(struct buf *out);
void snap_file_chunk(struct buf *out, enum snap_stream stream, const void *bytes, size_t len);
void snap_file_fact(struct buf *out, const char *key, const char *value); /* without line ends */
void snap_file_fact_u64(struct buf *out, const char *key, uint64_t value);

/* --- reading --- */

struct snap_file {
    struct buf stream[SNAP_STREAMS]; /* by enum snap_stream; empty: not there */
    bool truncated;                  /* its last chunk is not whole */
    bool ended;                      /* by its writer */
};

/* -EINVAL and f when it is none; -ENOMEM. snap_file_release either way. */
int snap_file_read(const uint8_t *bytes, size_t len, struct snap_file *out, struct fail *f);
void snap_file_release(struct snap_file *s);

/* Appends the value, of which control characters are left out. False: there is none. */
bool snap_file_get(const struct snap_file *s, const char *key, struct buf *out);
uint64_t snap_file_u64(const struct snap_file *s, const char *key); /* 0: there is none */
