/*
 * ns_command: what `ns' does with one command, typed as arguments or as a line of a script.
 */
#pragma once

#include "core/ns/ns.h"

enum { NS_MAX_WORDS = 256 };

struct ns_session {
    struct ns ns;
    bool json, force; /* overwrite files named behind `>' */
    bool records;     /* what a read gave is a line */
};

/* Runs it: its exit status, after whatever went wrong was told. `> FILE' at the end takes what
 * would be printed. */
int ns_command(struct ns_session *s, int words, char **word);

/* Commands out of text, a line or up to a `;' each, until one fails; words may stand in single
 * quotes, in which two are one; a line that begins with `# ' is a comment. text is changed. */
int ns_script(struct ns_session *s, char *text);

extern const struct applet applet_ns;
