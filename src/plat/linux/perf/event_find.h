/*
 * event_find: finds events whose names differ between machines. Each fills type and configs of out;
 * -errno and f with a hint. Names need not end where they do.
 */
#pragma once

#include "plat/sample.h"

/* GROUP:NAME, out of tracefs. */
int event_find_trace(const char *name, size_t len, struct sample_event *out, struct fail *f);

/* PMU/TERM,TERM.../ (the last slash may lack; terms as in core/procfs/pmu_event.h, or an event's
 * name of the PMU's), out of /sys/bus/event_source/devices. */
int event_find_pmu(const char *name, size_t len, struct sample_event *out, struct fail *f);

/* An event's name of any PMU: the one with the lowest number has it. -ENOENT: none; f is not set.
 */
int event_find_any_pmu(const char *name, size_t len, struct sample_event *out, struct fail *f);

/* The events' names of all PMUs, as PMU/NAME/. */
void event_list_pmus(void (*emit)(void *arg, const char *name), void *arg);

/* Opens it on this thread, disabled; kernel: with the kernel's part. 0 or -errno. */
int event_try(const struct sample_event *e, bool kernel);

/* Reads a small file as a string without the newline. -errno. */
int event_file(const char *path, char *text, size_t size);
