/*
 * proc_trace: of proc(3) what is about /proc/trace.
 * - trace: the stream of engine/trace/stream.h, by one opener at a time. When it is opened it is
 *   brought up to date; later it grows as the name space is tended. A read is -EAGAIN when nothing
 *   waits, and 0 also when no process is traced.
 * - tracing: its state, a number and a word per line; our own.
 * - messages of ctl: `trace' turns tracing on or off, `trace 1' on, `trace 0' off, `event' posts a
 *   User event of a process that is traced.
 * Unlike Plan 9's, events are kept from `trace 1' on, not only while the file is open.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>

struct proc_trace;

struct proc_trace *proc_trace_new(void); /* NULL: no memory */
void proc_trace_free(struct proc_trace *t);
int proc_trace_tend(struct proc_trace *t); /* as ns_calls.tend */

bool proc_trace_is_message(const char *message);
int proc_trace_message(struct proc_trace *t, int pid, const char *message, struct fail *f);

int proc_trace_open(struct proc_trace *t, struct fail *f); /* "already open" */
long proc_trace_read(struct proc_trace *t, void *bytes, size_t len, struct fail *f);
void proc_trace_close(struct proc_trace *t);

void proc_trace_text(const struct proc_trace *t, struct buf *out);
