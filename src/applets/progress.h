/*
 * progress: what a person reads on the terminal while something runs: one line at its beginning,
 * and below it a line that is drawn in place, once a second after the first two. While a command
 * writes to the terminal, too, lines of their own are written instead, after 2, 4, 8, ... seconds.
 * Nothing is written unless standard error is a terminal.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    int width; /* of the terminal; 0: nobody is looking */
    uint64_t start_ns, drawn_ns;
    uint64_t spent_ns; /* since the start, when it was last time to draw */
    uint64_t line_ns;  /* since the start, when the next line of its own is due; 0: the first */
    bool begun, drawn;
};

void progress_start(struct progress *p, bool wanted);

/* The first time only: the line `WHAT, Ctrl-C ends'. */
void progress_begin(struct progress *p, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

uint64_t progress_spent_ns(const struct progress *p); /* since the start */

/* True when it is time to draw, which is then counted as done. A line that does not fit is not
 * drawn. */
bool progress_due(struct progress *p);
void progress_draw(struct progress *p, const char *line, ...) __attribute__((format(printf, 2, 3)));

/* The same for a line of its own. */
bool progress_line_due(struct progress *p);
void progress_line(const struct progress *p, const char *line);

/* Before anything else is written: what was drawn goes, and a ^C that the terminal has echoed. */
void progress_wipe(struct progress *p);

/* `pid 1234 (python3)', or the number alone. */
struct buf;
void progress_process(struct buf *out, int pid);
