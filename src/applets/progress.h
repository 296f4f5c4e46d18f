/*
 * progress: a progress line on the terminal: drawn after the first two seconds, then five times a
 * second, and only if standard error is a terminal.
 */
#ifndef PSUITE_APPLETS_PROGRESS_H
#define PSUITE_APPLETS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    int width; /* of the terminal; 0: nobody is looking */
    uint64_t start_ns, drawn_ns;
};

void progress_start(struct progress *p, bool wanted);
/* True when it is time to draw, which is then counted as done: *width characters fit, *spent_ns
 * since the start. */
bool progress_due(struct progress *p, size_t *width, uint64_t *spent_ns);
void progress_draw(const struct progress *p, const char *line);
void progress_wipe(const struct progress *p);

#endif
