/* tty: the user's terminal: its size, its modes, its input and output. */
#pragma once

#include "core/base/fail.h"
#include "core/tui/caps.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether standard output, or standard error, is a terminal, and its size as tty_size has it. */
bool tty_stream_size(bool err, int *width, int *height);

/* Whether standard output is a terminal. */
bool tty_is_stdout_terminal(void);
/* Whether a person types standard input. */
bool tty_is_stdin_terminal(void);

/* The environment's words on it; they live as long as the environment. */
void tty_environment(struct caps_env *out);

/* Its size: what the terminal says, else COLUMNS and LINES, else 80x24 (a serial line says 0x0). */
void tty_size(int *width, int *height);

/*
 * A live view on standard output, with standard input for its keys, which may be anything. Open
 * puts the terminal into a state in which keys come one by one, unechoed, and no byte written is
 * changed, then writes enter. ^C, ^\ and ^Z stay signals.
 *
 * tty_close writes leave and restores the terminal, as does the end of the process: by exit, and by
 * any signal that can be caught. ^Z leaves, stops us, and enters again when we go on in the
 * foreground. enter and leave must outlive it. One at a time; -ENOTTY when standard output is no
 * terminal.
 */
int tty_open(const char *enter, const char *leave, struct fail *f);
void tty_close(void); /* harmless when it is not open */

/* Ready when keys are there, or the end of input; negative when there is no standard input. */
int tty_input(void);
/* What is there, without waiting: how many bytes; 0 at the end of input, for ever; -EAGAIN when
 * there is nothing. Any other error is the end too. */
int tty_read(void *out, size_t len);

/* Ready when there is a notice. */
int tty_notices(void);
enum tty_notice {
    TTY_NOTHING,
    TTY_RESIZED, /* ask tty_size */
    TTY_RESUMED, /* we were stopped: size and content are unknown */
};
/* Takes one; for ^Z this is where we are stopped. Whatever is half written is lost then. */
enum tty_notice tty_notice(void);

/*
 * Writing never waits: a serial line takes about a thousand characters in a tenth of a second. To
 * be waited for with `writes' (plat/wait.h).
 */
int tty_output(void);
/* Whether most of what was written was sent: time for another frame. */
bool tty_drained(void);
/* Takes what there is room for: how many bytes, 0 when there is none now; negative when the
 * terminal is gone. While we are in the background all is taken and dropped. */
int tty_write(const void *bytes, size_t len);
