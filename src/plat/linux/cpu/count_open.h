/* count_open: what counting a command and counting what runs already share. */
#pragma once

#include "plat/count.h"

/* Where an event is counted. */
struct count_target {
    int tid;      /* 0: this thread; -1: whatever runs on the CPU */
    int cpu;      /* -1: on any */
    bool kernel;  /* the kernel's part, too */
    bool inherit; /* also in what it starts from then on */
    bool on_exec; /* from its exec on; else when it is enabled (PERF_EVENT_IOC_ENABLE) */
};

/* A descriptor, or -1 and errno. */
int count_open_event(const struct count_event *e, const struct count_target *t);

/* What an errno of that says of the counter. */
enum counter_state count_state_of(int err);

/* Whether an event that was refused with err may be tried without the kernel's part, and what it
 * counts then. */
bool count_without_kernel(const struct count_event *e, int err, enum counter_state *state);
