/*
 * text_fold: text that does not fit a line, folded at blanks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Appends text in lines of room columns, without the last newline; indent blanks precede the
 * lines after the first, and are not counted. A word wider than room gets a line of its own. room
 * 0: one line. Blanks in a row become one. */
void text_fold(struct buf *out, const char *text, size_t width, size_t indent);

/* Copies text of len bytes into size of them. What does not fit is cut behind a word, which " ..."
 * follows. */
void text_cut(char *out, size_t size, const char *text, size_t len);

/* The next word of *at, which goes behind it. False: there is none. */
bool text_word(const char **at, const char **word, size_t *len);
