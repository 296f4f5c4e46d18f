/*
 * caps: the capabilities of a terminal, from the environment alone. A board has no terminfo, and
 * all current terminals understand the VT100's sequences, so a few words of the name decide.
 */
#pragma once

#include <stdbool.h>

/* The variables as they are; each may be NULL or empty. */
struct caps_env {
    const char *term;      /* TERM */
    const char *colorterm; /* COLORTERM: a terminal that has more than its name says */
    const char *no_color;  /* NO_COLOR: not empty, no colours are wanted (no-color.org) */
    const char *lc_all, *lc_ctype, *lang; /* the first that is set names the character set */
};

struct caps {
    bool addressable; /* has a cursor that can be moved: a live view is possible */
    bool unicode;     /* takes UTF-8 */
    int colours;      /* 0, 8, 16 or 256 */
};

/*
 * TERM absent, empty, `dumb', `unknown', `network', `dialup', `emacs': not addressed. `vt...' and
 * names that end in -m or -mono: no colours; `...256color', `...-direct', kitty, alacritty and foot
 * 256; xterm, rxvt, screen, tmux and their like 16; `linux' and all others 8.
 */
void caps_read(const struct caps_env *env, struct caps *out);
