/* tty_state: the terminal of a live view, shared by what writes to it and what signals do to it. */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>

/* Into the state of the view, and out of it. Both are allowed in a signal handler. */
void tty_enter(void);
void tty_leave(void);
/* Whether we are in the foreground of the terminal. */
bool tty_is_foreground(void);

/* Signals as notices, and those that end us lead through tty_leave. */
int tty_signals_open(struct fail *f);
void tty_signals_close(void);
