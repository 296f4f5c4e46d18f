/*
 * sched_recording: the file format of the scheduler's events: written while tracing, readable if it
 * was cut off, the same bytes on every machine.
 *
 * The file: 8 bytes of magic, `pstrace', version 1; then records: type, length, that many bytes.
 * Numbers are LEB128, signed ones zigzag, so there is no byte order; a text is its length and its
 * bytes, without an end.
 *
 *   1 fact     key, value: texts. Keys: sched_recording_keys.
 *   2 name     pid, parent (0: not known), name: a text. May come again: it has changed
 *   3 events   for each, to the record's end: see below
 *   4 text     of a mark: a text. The first is 1 in `what' of SCHED_USER
 *   5 end      nothing: the tracing ended
 *
 * An event: a byte of kind (enum sched_kind, 5 bits) + 32 has other + 64 has what + 128 has more;
 * when it has more a byte of 1 CPU + 2 priority + 4 policy + 8 state + 16 flags; then time less the
 * last event's (0 before the first), pid, and what there is of: other, what, CPU, priority, policy
 * (a byte), state (a byte), flags (a byte). All but what and flags are signed. What is absent is:
 * other -1, what 0, flags 0, state 0; CPU, priority and policy as the event before has them (at
 * first -1, -32768, 0).
 *
 * What is not known is passed over by its length. About 10 bytes an event.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/containers/imap.h"
#include "core/trace/decode.h"
#include "core/trace/task_names.h"

enum sched_recording_key {
    SCHED_RECORDING_HOST,
    SCHED_RECORDING_MACHINE, /* uname -m */
    SCHED_RECORDING_KERNEL,  /* uname -r */
    SCHED_RECORDING_CPUS,
    SCHED_RECORDING_COMMAND,
    SCHED_RECORDING_METHOD,
    SCHED_RECORDING_BEGIN,  /* of the observation, on the clock of the events, ns */
    SCHED_RECORDING_START,  /* the same on CLOCK_REALTIME */
    SCHED_RECORDING_FINISH, /* of the observation, as its beginning; behind the events */
    SCHED_RECORDING_TASKS,  /* "some": only these are recorded. Else all that ran */
    SCHED_RECORDING_FACTS,
};
extern const char *const sched_recording_keys[SCHED_RECORDING_FACTS];

/* Bytes gather in out; who writes them to a file clears it then. */
struct sched_recording_writer {
    struct buf out, block;
    uint32_t *written; /* of each name by its number - 1: its changes + 1, as recorded */
    size_t written_cap;
    size_t texts;
    struct sched_event last;
};

void sched_recording_start(struct sched_recording_writer *w);
void sched_recording_release(struct sched_recording_writer *w);
void sched_recording_fact(struct sched_recording_writer *w, enum sched_recording_key key,
                          const char *value);
void sched_recording_event(struct sched_recording_writer *w, const struct sched_names *names,
                           const struct sched_event *e);
void sched_recording_flush(struct sched_recording_writer *w); /* so that all is in out */
void sched_recording_end(struct sched_recording_writer *w);
int sched_recording_error(const struct sched_recording_writer *w); /* 0 or -ENOMEM */

struct sched_recording {
    struct buf fact[SCHED_RECORDING_FACTS]; /* empty: not recorded */
    bool truncated;                         /* its last record is not whole, or is damaged */
    bool ended;                             /* by its writer */
};

bool sched_recording_detect(const uint8_t *bytes, size_t len);
/* Of bytes that are none: what there is of its head (core/base/head_words.h), or NULL. */
const char *sched_recording_head_words(const uint8_t *bytes, size_t len);

/* Hands all events to take, with names as they were then. -EINVAL and f when it is none;
 * sched_recording_close either way. */
int sched_recording_read(const uint8_t *bytes, size_t len, struct sched_names *names,
                         struct sched_recording *out, sched_emit_fn *emit, void *arg,
                         struct fail *f);
void sched_recording_close(struct sched_recording *r);
