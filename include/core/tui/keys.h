/*
 * keys: decodes the bytes that a terminal sends into keys and mouse events.
 *
 *     keys_add(&k, bytes, n);
 *     while (keys_next(&k, &key)) ...
 *     if (keys_partial(&k)) and nothing more came for KEYS_TIMEOUT_MS:
 *         keys_expire(&k), and keys_next again
 *
 * The spellings are those of xterm, the VT220, the Linux console and rxvt, which the application
 * cursor and keypad modes change; mouse reports in the forms SGR (1006) and X10. Alt is a preceding
 * ESC or a modifier. A sequence that is none of these is passed over whole. Nothing is kept beyond
 * KEYS_BYTES, whatever the bytes are.
 */
#pragma once

#include "core/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_code {
    KEY_RUNE, /* a character, in rune; with KEY_CTRL a lower case letter or one of @[\]^_ */
    KEY_ENTER,
    KEY_TAB,
    KEY_BACKSPACE, /* DEL and BS */
    KEY_ESC,
    KEY_UP,
    KEY_DOWN,
    KEY_RIGHT,
    KEY_LEFT,
    KEY_HOME,
    KEY_END,
    KEY_INSERT,
    KEY_DELETE,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_F1,
    KEY_F12 = KEY_F1 + 11,
    KEY_PRESS, /* a mouse button; button, x and y say which and where */
    KEY_RELEASE,
    KEY_DRAG, /* moved, with the button held (0: none) */
    KEY_WHEEL_UP,
    KEY_WHEEL_DOWN,
};

enum { KEY_SHIFT = 1, KEY_ALT = 2, KEY_CTRL = 4 };

struct key {
    enum key_code code;
    uint32_t rune;
    uint8_t mods;
    uint8_t button; /* 1 left, 2 middle, 3 right; 0 unknown: X10 does not say which was released */
    uint16_t x, y;  /* the cell, from 0 */
};

enum { KEYS_BYTES = 512, KEYS_TIMEOUT_MS = 100 };

/* All zero is empty. */
struct keys {
    uint8_t byte[KEYS_BYTES];
    size_t n;
    bool expired; /* no more will come: what is there is all */
};

/* Takes bytes: how many, all that KEYS_BYTES has room for. After keys_next said false there is room
 * for at least KEYS_BYTES / 2. */
size_t keys_add(struct keys *k, const void *bytes, size_t len);

/* The next key; false when more bytes are needed for one. */
bool keys_next(struct keys *k, struct key *out);

/* Whether the start of a sequence, or an ESC, waits for more. */
bool keys_partial(const struct keys *k);
/* Takes what waits as it is: an ESC alone is the key; another start of a sequence is dropped. */
void keys_expire(struct keys *k);

/* What a view answers to a character that it has no use for: "no key x: h for help". */
struct key_answer {
    char text[40];
};
struct key_answer key_unknown(uint32_t rune);
