/*
 * tracing_parts: the parts of a tracing: trace.c starts, loops and ends one, read_pages.c takes
 * pages to ordered events of the traced tasks, file.c reads and writes recordings, follow.c reads a
 * stream of events while it grows.
 */
#pragma once

#include "engine/trace/trace.h"
#include "plat/wait.h"

/* --- trace.c --- */

enum { INTERRUPT, TARGET, WAITED_ON }; /* what a round waits on */

/* A command that is held goes on, or is killed where the tracing has not started (-errno). */
int tracing_release_command(struct tracing_command *c, int started, struct fail *f);
/* How long a round of a tracing may wait at most; 0: its seconds are over, which end then. */
int tracing_ms_left(const struct tracing_want *want, uint64_t end_ns, int round_ms);
/* Waits. False: who looks on wants no more. */
bool tracing_wait_round(const struct tracing_want *want, struct wait_on on[WAITED_ON], int ms);
/* Takes the interrupt, if one has come. False: the rounds end. */
bool tracing_goes_on(struct tracing_command *c, const struct tracing_want *want,
                     const struct wait_on *on);
int tracing_wait_command(struct tracing_command *c, struct fail *f);

/* Opens the trace, names the running tasks that are wanted, starts the recording, and traces. */
int tracing_start(struct tracing *t, struct fail *f);
/* Stops, and hands on what is still in the buffers. */
void tracing_drain(struct tracing *t);

/* --- function_marks.c --- */

/* Probes the functions that are wanted. */
int tracing_mark_functions(struct tracing *t, struct fail *f);

/* --- read_pages.c --- */

void tracing_decode_start(struct tracing *t);
/* How a trace's pages are laid out. */
int tracing_learn_layout(struct trace *trace, struct trace_page_layout *out, struct fail *f);
/* Learns and enables the tracepoints that are wanted. */
int tracing_enable(struct tracing *t, struct fail *f);
void tracing_count(struct tracing *t, const struct sched_event *e); /* events, losses */
void tracing_follow(struct tracing *t, int32_t pid);
/* Whether an event is of a followed task, or no task is followed. Learns forks and deaths. */
bool tracing_is_wanted(struct tracing *t, const struct sched_event *e);
/* One that is not, to who looks at those, too. */
void tracing_pass_other(const struct tracing *t, const struct sched_event *e);
/* Names what runs already; one process's threads, which may be followed from here on. */
void tracing_name_running(struct tracing *t);
void tracing_name_process(struct tracing *t, int pid, bool follow);
/* Reads the pages, and hands on the events up to until_ns, which later pages cannot come back
 * behind. Returns the most bytes that one CPU had. */
size_t tracing_round(struct tracing *t, uint64_t until_ns);
/* Up to when all has been read by a round that began then and gave that: a CPU that fills its
 * buffer as fast as it is read is never empty. */
uint64_t tracing_reached(const struct tracing *t, size_t max_bytes, uint64_t began_ns);

/* --- calls.c --- */

void tracing_calls_start(struct tracing *t);
/* The event, or *changed: a system call of a 32-bit program is marked so. */
const struct sched_event *tracing_calls_apply(struct tracing *t, const struct sched_event *e,
                                              struct sched_event *changed);

/* --- file.c --- */

int tracing_record_open(struct tracing *t, struct fail *f);
void tracing_record_facts(struct tracing *t);
void tracing_record_event(struct tracing *t, const struct sched_event *e);
bool tracing_record_round(struct tracing *t); /* false: it cannot be written any more */
int tracing_record_close(struct tracing *t, struct fail *f);

/* What the bytes begin with: one of these, or -EINVAL and f. */
enum { TRACING_RECORDING, TRACING_PLAN9 };
int tracing_read_kind(const uint8_t *bytes, size_t len, const char *path, struct fail *f);
int tracing_read_recording(struct tracing *t, const uint8_t *bytes, size_t len, struct fail *f);
/* Whole events; how many bytes these were. */
size_t tracing_read_plan9(struct tracing *t, const uint8_t *bytes, size_t len, bool big);

/* --- follow.c --- */

/* A file whose bytes come while it is read. */
int tracing_read_stream(struct tracing *t, const char *path, struct fail *f);
