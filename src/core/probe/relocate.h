/*
 * relocate: displaced instructions for another address, where they do the same, and the jump back
 * behind them.
 *
 * A displaced call keeps its return address: it returns to the original code. A jump to the
 * function's own start leads there, that is to the patch.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBE_MAX_MOVED = 256 }; /* bytes that displaced instructions become */

struct probe_moved {
    const uint8_t *bytes; /* the displaced instructions */
    size_t len;           /* at most 32 */
    uint64_t from, to;    /* run-time addresses */
    bool thumb;           /* 32-bit ARM: the instructions are T32 */
};

/* The bytes written to out, PROBE_MAX_MOVED of them at most; -ENOEXEC: an instruction is none that
 * can be moved; -ERANGE: `to' is too far from what it refers to. */
int probe_x86_relocate(const struct probe_moved *m, uint8_t *out);
/* Of arm64 one instruction is displaced. x17 may change: callers do not rely on it. */
int probe_arm64_relocate(const struct probe_moved *m, uint8_t *out);
/* Of T32 an IT block is displaced as a whole, or not. `to' is aligned to 4 bytes. */
int probe_arm_relocate(const struct probe_moved *m, uint8_t *out);
