/*
 * sym_words: a command line as addr2line and llvm-symbolizer take it: words from response files
 * (@FILE).
 */
#pragma once

#include "applets/applet.h"

struct sym_words { /* starts as zeroes */
    char **word;   /* ends with a NULL */
    size_t count, cap;
    unsigned files; /* response files that were read */
    bool failed;    /* memory ended, or there are too many words */
};

/* The words of argv. @FILE becomes the words of that file, if it is a regular one of at most 1 MiB
 * and among the first 64; else it stays. Words there are separated by blanks; quotes (' ") and
 * backslashes are those of a shell, but a backslash counts inside of quotes, too. */
void sym_words_read(struct sym_words *w, int argc, char **argv);

/* Replaces the beginning of each option word that begins with `from'. */
void sym_words_replace(struct sym_words *w, const char *from, const char *to);

void sym_words_release(struct sym_words *w);
