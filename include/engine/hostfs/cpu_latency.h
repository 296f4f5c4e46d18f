/*
 * cpu_latency: keeps CPUs from deep sleep states while a command sends many messages to its file
 * server, as each message wakes the server and each reply wakes the command. When the command is
 * idle or computes, CPUs sleep as usual. Where that is not permitted, nothing happens.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct awake {
    bool held, refused;
    bool check_due;       /* another look is due */
    int handle;           /* while held */
    unsigned idle_checks; /* looks that found few messages, in a row */
    unsigned long messages;
    uint64_t checked_ns;
};

/* So many messages between two looks are much. */
enum { AWAKE_CHECK_MS = 20, AWAKE_BUSY_COUNT = 20 };
/* Looks no oftener than that; messages: all so far. */
void awake_check(struct awake *a, unsigned long messages, uint64_t now_ns);
/* For a caller that does not see each message: there were some since the last call. */
void awake_restart(struct awake *a, unsigned long messages, uint64_t now_ns);
void awake_end(struct awake *a);
