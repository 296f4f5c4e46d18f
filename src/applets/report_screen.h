/*
 * report_screen: the terminal that a report is for, and what is said about the files written beside
 * it.
 */
#pragma once

#include "applets/applet.h"
#include "core/text/report_fit.h"

/* Sets width and height to those of the terminal that standard output is, or standard error; 0 when
 * it is none. The height is less by the line of the shell's prompt and by those that follow the
 * report. */
void report_screen(struct report_size *size, bool err, size_t lines_behind);

/* --rows N, or --rows all. 1, or -1 after having said what is wrong. */
int report_rows_opt(const struct opt_state *s, struct report_size *size);

/* Before a report on standard error of a command that `signal' ended or interrupted, 0 none: ends
 * the terminal's line on which ^C was echoed. */
void report_below_interrupt(int signal);

/* `wrote PATH (OPENED)' on standard error, if that is a terminal. opened: what to do with the file;
 * its `%' stands for the path. NULL: nothing is said of that. A path `-' is no file. */
void report_wrote(const char *path, const char *opened);
