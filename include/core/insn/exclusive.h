/*
 * exclusive: sequences of instructions from a load-exclusive to its store-exclusive, of which
 * atomic operations of ARM are made. Any exception between the two makes the store fail, so that a
 * sequence that is stepped begins again for ever. It is executed at full speed instead, as a copy
 * that tells which of its instructions were executed: each path through it has code of its own,
 * which ends with a breakpoint. The branch behind the store, which goes back to the load if the
 * store has failed, belongs to it and goes back to the copy's start, so that only the attempt that
 * succeeded is told.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXCLUSIVE_MAX_NODES = 96, EXCLUSIVE_MAX_BYTES = 512 };

/* An instruction of a path, or where the path leads out of the sequence. */
struct exclusive_node {
    uint64_t address; /* of the original; 32-bit ARM: bit 0 says that it is T32 */
    uint16_t at;      /* of the copy: bytes from its start */
    uint8_t before;   /* 1 + the node that was executed right before; 0: this is the load */
    bool leaves;      /* a breakpoint; the original goes on at `address' */
};

struct exclusive {
    struct exclusive_node node[EXCLUSIVE_MAX_NODES]; /* by ascending at */
    size_t nodes;
    uint8_t bytes[EXCLUSIVE_MAX_BYTES];
    size_t len;
};

/* The code at an address, as the program has it; false: it cannot be read. */
typedef bool exclusive_read(void *arg, uint64_t address, void *to, size_t len);

/* Whether an instruction is a load-exclusive; of T32, the first half above the second. */
bool exclusive_begins_arm64(uint32_t op);
bool exclusive_begins_arm(uint32_t op, bool thumb);

/* The copy of the sequence that begins at an address. False: none begins there, its store is far
 * away, or what is between the two does not work elsewhere. */
bool exclusive_copy_arm64(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out);
bool exclusive_copy_arm(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out);

/* The node where a thread is that has stopped so many bytes behind the copy's start: it has
 * executed those before it. NULL: there is none. */
const struct exclusive_node *exclusive_node_at(const struct exclusive *e, uint64_t at);

/* The nodes that were executed before one, the first first: how many. */
size_t exclusive_path(const struct exclusive *e, const struct exclusive_node *n,
                      const struct exclusive_node *out[EXCLUSIVE_MAX_NODES]);
