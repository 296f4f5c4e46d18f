/*
 * keyname: a key in words, for tests: `q', `ctrl-c', `alt-shift-up', `f5', `space', `press 1 at
 * 4,7' (column and row from 0).
 */
#pragma once

#include "core/base/buf.h"
#include "core/text/rune.h"
#include "core/tui/keys.h"

static const char *const keyname_plain[] = {
    [KEY_ENTER] = "enter",
    [KEY_TAB] = "tab",
    [KEY_BACKSPACE] = "backspace",
    [KEY_ESC] = "esc",
    [KEY_UP] = "up",
    [KEY_DOWN] = "down",
    [KEY_RIGHT] = "right",
    [KEY_LEFT] = "left",
    [KEY_HOME] = "home",
    [KEY_END] = "end",
    [KEY_INSERT] = "insert",
    [KEY_DELETE] = "delete",
    [KEY_PAGE_UP] = "page-up",
    [KEY_PAGE_DOWN] = "page-down",
    [KEY_PRESS] = "press",
    [KEY_RELEASE] = "release",
    [KEY_DRAG] = "drag",
    [KEY_WHEEL_UP] = "wheel-up",
    [KEY_WHEEL_DOWN] = "wheel-down",
};

static inline void keyname_rune(uint32_t rune, struct buf *out)
{
    char bytes[RUNE_BYTES];
    if (rune == ' ')
        buf_adds(out, "space");
    else
        buf_add(out, bytes, rune_encode(rune, bytes));
}

static inline void keyname(const struct key *key, struct buf *out)
{
    if (key->mods & KEY_CTRL)
        buf_adds(out, "ctrl-");
    if (key->mods & KEY_ALT)
        buf_adds(out, "alt-");
    if (key->mods & KEY_SHIFT)
        buf_adds(out, "shift-");
    if (key->code == KEY_RUNE)
        keyname_rune(key->rune, out);
    else if (key->code >= KEY_F1 && key->code <= KEY_F12)
        buf_printf(out, "f%d", key->code - KEY_F1 + 1);
    else
        buf_adds(out, keyname_plain[key->code]);
    if (key->code >= KEY_PRESS && key->code <= KEY_DRAG)
        buf_printf(out, " %d", key->button);
    if (key->code >= KEY_PRESS)
        buf_printf(out, " at %d,%d", key->x, key->y);
}
