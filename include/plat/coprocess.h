/*
 * coprocess: runs a command to communicate with: its standard input and output are one connection
 * of plat/net.h, its standard error is another, read-only one.
 *
 *     coprocess_start((char *[]){"sh", "-c", "ssh board psuite export -", NULL}, &c, &f);
 *     net_write(c.connection, ...), net_read(c.connection, ...), net_read(c.errors, ...)
 *     net_close both; coprocess_kill(&c) if it shall not go on; until (coprocess_ended(&c,
 * &status))
 *
 * It ends when psuite ends, also when psuite is killed, with all that stayed in its process group.
 * It has a session of its own: no terminal to ask anybody on, and none of the terminal's signals;
 * SIGINT has its default, for the rest the signal dispositions that psuite was started with.
 * Nothing here waits.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>

struct coprocess {
    int pid;        /* 0: it has ended and was reaped, or never began */
    int connection; /* the caller's to close, both */
    int errors;
};

/* PATH is searched. -ENOENT, -EACCES ...: the command could not be executed. */
int coprocess_start(char *const argv[], struct coprocess *out, struct fail *f);

/* Names this process psuite-PART, for ps and for recordings: one that was started by the path of
 * this executable, workload_program, has the last part of that path for its name. */
void coprocess_set_name(const char *part);

/* Ends it and all of its session that stayed in its process group. */
void coprocess_kill(const struct coprocess *c);

/* SIGINT to it and to what stayed in its process group, as ^C does: it may end by itself then. */
void coprocess_interrupt(const struct coprocess *c);

/* Whether it has ended; it is reaped then, once, and *status is its exit status, 128 + the number
 * of a signal. Also true when there is none, *status untouched. */
bool coprocess_ended(struct coprocess *c, int *status);
