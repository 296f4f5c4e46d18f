/*
 * trace_probes: definitions of kprobes that go with an instance: a group of events that is named
 * after it. kprobe_events is one list for all of tracefs.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

struct buf;
struct fail;
struct trace;

/* The tracefs of a trace that can have probes; -EOPNOTSUPP, with f: this one cannot. */
int trace_probe_place(struct trace *t, char tracefs[PATH_MAX], struct fail *f);
/* Writes a definition, which is released. */
int trace_probe_define(const char *tracefs, struct buf *line);
/* Whether no probe can be defined, for a reason that is not its own. */
bool trace_probe_none(int r);
/* r, with f. */
int trace_probe_refused(int r, struct fail *f);

/* Removes those of the instance DIR (TRACEFS/instances/NAME), which is gone. */
void trace_probes_remove(const char *dir);

/* Removes those whose psuite, of this PID namespace, is gone. */
void trace_remove_stale_probes(const char *tracefs);
