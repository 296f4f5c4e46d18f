/* count: the event counters of the kernel and the processor, by the names that perf gives them. */
#pragma once

#include "core/base/fail.h"
#include "core/time/counter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event that can be counted; type and config are the kernel's. */
struct count_event {
    char name[COUNTER_NAME];
    uint32_t type;
    uint64_t config;
    bool user, kernel; /* which part counts; both when the name has no `:u' or `:k' behind it */
    bool in_kernel;    /* it happens in the kernel only, so without that part it would read 0 */
};

/*
 * Looks up a name of perf's (`cycles', `cpu-cycles', `page-faults', `LLC-load-misses'), or a raw
 * event of the processor (`r' and hexadecimal digits), `:u' or `:k' behind it for the user's or the
 * kernel's part only.
 * -ENOENT when there is no such name; whether this machine has the counter shows when it is opened.
 */
int count_find(const char *name, size_t len, struct count_event *out, struct fail *f);

/* The known names, blank between them. */
const char *count_names(void);

/*
 * Opens a counter of what this process will execute: its children from their exec on, with all that
 * they start. Nothing of ours is counted. Returns the descriptor, or -1 and why in state. It stays
 * open as long as the process.
 */
int count_open_children(const struct count_event *e, enum counter_state *state);

/* What was counted so far; a closed counter (-1) reads 0. */
void count_read(int fd, struct counter_reading *out);
