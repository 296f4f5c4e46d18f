/*
 * counted: a number with its noun, for messages: `1 switch', `2 switches'.
 *
 *     buf_printf(out, "; %s inferred", counted(n, "switch").text)
 */
#pragma once

#include <stdint.h>

struct counted {
    char text[64];
};

/* noun: of one; its last word gets -s, after s, x, ch and sh -es. Cut where it does not fit. */
struct counted counted(uint64_t n, const char *noun);

/* The verb of such a subject. */
static inline const char *counted_are(uint64_t n)
{
    return n == 1 ? "is" : "are";
}
