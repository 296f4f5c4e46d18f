/*
 * trace_settings: files of tracefs that are changed for the time of a trace, and restored however
 * this process ends: a process of its own restores them when ours is killed.
 */
#pragma once

#include "backends.h"

enum { TRACE_SETTINGS_MAX = 12, TRACE_SETTING_BYTES = 64 };

struct trace_setting {
    const char *file; /* in tracefs; static */
    char before[TRACE_SETTING_BYTES];
};

struct trace_settings {
    char tracefs[TRACE_DIR_BYTES / 2];
    char tracer[TRACE_DIR_BYTES];                     /* whose current_tracer becomes nop first */
    struct trace_setting setting[TRACE_SETTINGS_MAX]; /* restored in this order */
    size_t count;
    int guardian; /* -1: none */
};

/* Notes what a file has: its first word. False: there is no such file, or its text is longer. */
bool trace_settings_note(struct trace_settings *s, const char *file);

/* Before anything is changed. -ECHILD and f: there is no such process. */
int trace_settings_guard(struct trace_settings *s, struct fail *f);

/* Also ends the guardian. -ESRCH: it has not lived until now. */
int trace_settings_restore(struct trace_settings *s, struct fail *f);
