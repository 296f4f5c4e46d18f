/*
 * signal_handle: signals as a handle: a signalfd or, in a kernel without CONFIG_SIGNALFD, a pipe
 * that a handler writes to. The signals stay blocked: the handler runs only within
 * signal_handles_poll and signal_handle_read, so that no other system call is interrupted.
 *
 * A process that was forked has none of the handles of the one before it.
 */
#pragma once

#include <poll.h>
#include <signal.h>
#include <stdbool.h>

struct signal_notice {
    int signal;
    bool typed; /* sent by the terminal */
};

/* Blocks the signals of the set. The handle, ready when one has come, or -errno. */
int signal_handle_open(const sigset_t *set);
bool signal_handle_read(int handle, struct signal_notice *out); /* false: none has come */
void signal_handle_close(int handle); /* the signals remain blocked; harmless if negative */

/* poll(2), which is to be used for a set that may contain such a handle. */
int signal_handles_poll(struct pollfd *set, nfds_t n, int timeout_ms);

/* Raises a signal of a handle for its default action. */
void signal_raise_default(int signal);
