/*
 * shown: makes untrusted text safe to print. Names of threads, files and symbols, words of other
 * machines and texts of recordings are chosen by others, and a terminal obeys what it is
 * sent: it may clear the screen, set its title, or show text in another order.
 *
 * A character that a terminal would act upon becomes '?', one for one:
 *
 *     C0 controls and DEL           0x00-0x1f 0x7f
 *     C1 controls                   U+0080-U+009F, and as raw bytes, which are no UTF-8
 *     direction of text             U+061C U+200E U+200F U+202A-U+202E U+2066-U+2069
 *     separators of lines           U+2028 U+2029
 *     what is no UTF-8              one '?' a byte
 *
 * A name or a word goes through shown_add or shown_printf where it enters a line, so that it cannot
 * end the line. The applets pass all that they print for people through shown_lines once more,
 * which leaves newlines and tabs, as those are the report's own by then. Files and JSON keep the
 * bytes, as their formats demand; JSON escapes these characters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* False: a terminal may act upon it. */
bool shown_is_safe(uint32_t rune);

/* The bytes of the first character of len > 0 bytes: 1 of what is no UTF-8. *safe: it may be shown
 * as it is. */
size_t shown_character(const char *text, size_t len, bool *safe);

/* Appends len bytes of a name or another word. */
void shown_add(struct buf *out, const char *text, size_t len);
void shown_adds(struct buf *out, const char *text);

/* Appends a line or a part of one. Newlines at the start and at the end of fmt are kept; all that
 * is between them is one word, whose tabs and newlines are '?', too. */
void shown_printf(struct buf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same in place for a string: a word. */
void shown_word(char *text);

/* In place from `from' on: whole lines, whose newlines and tabs stay. */
void shown_lines(struct buf *text, size_t from);

/* In place: one message. A newline stays only where a blank follows, so that a further line is
 * indented and cannot be taken for a message of its own; a tab is '?'. */
void shown_message(struct buf *text);
