/*
 * keys_parts: the escape sequences of keys.
 */
#pragma once

#include "core/tui/keys.h"

enum { KEYS_MAX_PARAMS = 4, KEYS_MAX_SEQUENCE = 64 };

/* ESC [ PARAMS FINAL, or ESC O FINAL, read but not yet understood. */
struct key_sequence {
    char kind;       /* '[' or 'O'; 'L' for the Linux console's ESC [ [ */
    uint8_t private; /* '<' '?' '>' '=' after the bracket, else 0 */
    uint8_t final;
    unsigned param[KEYS_MAX_PARAMS]; /* 0 absent; at most 65535 */
    size_t params;
};

enum key_read { KEY_MORE, KEY_PASS, KEY_HERE };

/* The key of a sequence: KEY_HERE, or KEY_PASS when it is none of ours. */
enum key_read key_of_sequence(const struct key_sequence *s, struct key *out);

/* ESC [ < B ; X ; Y M or m, and the three values of ESC [ M, which are 32 more than they mean. */
enum key_read key_of_mouse(unsigned b, unsigned x, unsigned y, bool release, struct key *out);
