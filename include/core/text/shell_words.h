/*
 * shell_words: the words of a command as a person would type them in a shell.
 *
 *     printf        'two words'  '$HOME'  'don'\''t'  ''  $'line\nline'
 *
 * A word is quoted only if a shell would not read it as it is. A word with characters that a
 * terminal would act upon (core/text/shown.h) is written as $'...', which bash, zsh and
 * POSIX.1-2024 know.
 */
#pragma once

struct buf;

/* Appends the words, which end with NULL, with blanks between. The first one is the command. */
void shell_words_add(struct buf *out, char *const *word);
