/* wait: waits for handles; psuite sleeps nowhere else. Handles come from other plat headers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wait_on {
    int handle;        /* negative: passed over */
    bool for_write;    /* ready means: takes bytes, instead of: has something to say */
    bool ready;        /* out: has something to say, its other end is gone, or until_ns has come */
    bool gone;         /* out: its other end is gone, and it will be ready for ever */
    uint64_t until_ns; /* ready from then on, by plat/clock.h, whatever its handle; 0: never */
};

/* Sleeps until one of the set is ready or timeout_ms passed (negative: for ever). Returns how many
 * are ready. */
int wait_ready(struct wait_on *set, size_t n, int timeout_ms);

/* The shorter of two timeouts. */
static inline int wait_min_ms(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/*
 * Interrupts (^C, SIGTERM, SIGHUP) as a handle: from interrupt_open on they no longer end the
 * process but make the handle ready. interrupt_read returns the signal's number and forgets it, 0
 * when none came; *typed says that it came from the terminal, whose whole foreground group, a
 * command of ours in it, has it too. A command started by child.h afterwards has the dispositions
 * that psuite was started with.
 */
int interrupt_open(void);
int interrupt_read(bool *typed); /* typed may be NULL */

/* SIGUSR1 as a handle, likewise: the user asks for a report. status_signal_read says whether it
 * came since it was last called. */
int status_signal_open(void);
bool status_signal_read(void);
