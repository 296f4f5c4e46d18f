/*
 * complete: what can follow the words of a command line, for the completions of shells
 * (completions/), which know nothing of options themselves.
 *
 * The first line of the answer says what else than the words below completes the last word:
 *
 *     none
 *     files N          files, whose names begin after N bytes of the last word
 *     directories N
 *     commands N       commands on PATH, and files
 *     command N        word N, counted from 0, begins the command line of another program
 *
 * Each other line is a word that can stand in the place of the last one, and a tab and a short text
 * about it, if there is one. A word that ends with `:' is continued.
 */
#pragma once

#include "applets/applet.h"

/* word[0] is psuite, an applet, or a path of one of them; the last word, possibly empty, is what is
 * completed. Returns the exit status. */
int complete_words(const struct applet *psuite, int words, char **word);

/* For an applet's `values': these words, which blanks separate. */
void complete_add(const char *words, struct buf *out);
