/* forward: a tracer's handling of the signals that end a program. */
#pragma once

#include <stdbool.h>

/* SIGINT, SIGTERM, SIGHUP and SIGQUIT are handed on to the process from here on, unless they come
 * from the terminal, which sends them to its whole group, or psuite was started with them ignored.
 * System calls are restarted. */
void forward_signals(int pid);

/* They end the watching: system calls return EINTR from the first one on, again and again. */
void forward_none(void);
bool forward_was_interrupted(void);
