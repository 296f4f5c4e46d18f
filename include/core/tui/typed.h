/*
 * typed: a line of text that a view's user types, such as behind `/'.
 */
#pragma once

#include "core/tui/keys.h"

enum typed_end {
    TYPED_MORE,
    TYPED_TAKEN,  /* Enter */
    TYPED_DROPPED /* Esc; the text stays as it is */
};

/* Takes a key. text is a string in size bytes: printable ASCII is appended as far as it fits,
 * Backspace removes the last character, other keys do nothing. */
enum typed_end typed_key(char *text, size_t size, const struct key *k);
