/* tty_script: the scripted terminal of a live view, as the other fakes see it. */
#pragma once

#include <stdbool.h>

enum { TTY_INPUT_HANDLE = 910, TTY_NOTICE_HANDLE, TTY_OUTPUT_HANDLE };

/* A live view is open: its terminal is what a wait waits for. */
bool tty_script_runs(void);
/* A wait begins: the screen goes on record, the terminal takes what was written. */
void tty_script_wait(void);
/* Time passes, at most timeout_ms, to the next line of the script. */
void tty_script_advance(int timeout_ms);
bool tty_script_ready(int handle);
/* ^C came by now. */
bool tty_script_interrupted(void);
