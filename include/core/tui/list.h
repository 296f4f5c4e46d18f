/*
 * list: the rows of a view that are more than the screen holds, and a cursor that keys move over
 * them.
 */
#pragma once

#include "core/tui/keys.h"

struct list {
    size_t count;
    size_t cursor, first; /* the marked row, and the first one on the screen */
};

/* Moves the cursor: arrows up and down, pages, Home, End, the wheel. lines: rows on the screen.
 * False: the key does not move it. */
bool list_key(struct list *l, const struct key *k, int lines);

/* How many rows a key moves; 0: it does not. */
int64_t list_distance(enum key_code code, int lines);

/* To a row, or the last one before it; the screen follows. Also after count or lines changed. */
void list_go(struct list *l, size_t row, int lines);

/* To a row in the middle of the screen. */
void list_centre(struct list *l, size_t row, int lines);
