/*
 * trace_probes: definitions of kprobes that go with an instance: a group of events that is named
 * after it. kprobe_events is one list for all of tracefs.
 */
#ifndef PSUITE_PLAT_LINUX_TRACE_PROBES_H
#define PSUITE_PLAT_LINUX_TRACE_PROBES_H

/* Removes those of the instance DIR (TRACEFS/instances/NAME), which is gone. */
void trace_probes_remove(const char *dir);

/* Removes those whose psuite, of this PID namespace, is gone. */
void trace_remove_stale_probes(const char *tracefs);

#endif
