/*
 * order: sorts the records of several ring buffers by time.
 *
 * Each ring is read now and then, all of them in one round. What a round brought up to the latest
 * time of the round before it cannot be overtaken any more, and is handed on; order_flush hands on
 * all.
 *
 * Memory: of what two rounds brought. That of a burst is given back in the rounds behind it.
 */
#pragma once

#include "core/base/buf.h"

#include <stddef.h>
#include <stdint.h>

struct order {
    struct buf bytes, older; /* the records waiting: of this round, of the round before */
    struct order_entry *entry;
    size_t entries, cap;
    uint64_t latest, previous; /* latest time seen: so far, and up to the last round */
    int err;
};

/* The record's bytes are valid during the call only. */
typedef void order_emit_fn(void *arg, const void *record, size_t len);

void order_release(struct order *o);
/* A record of this round, whose len bytes have been put at `at' of o->bytes; this is empty when a
 * round begins. Times are of one clock, in any unit; records of equal times keep their order. */
void order_add(struct order *o, size_t at, size_t len, uint64_t time);
/* There is memory for so many bytes of records and of their order. */
size_t order_held(const struct order *o);
/* Ends a round: hands on what cannot be overtaken. */
void order_round(struct order *o, order_emit_fn *emit, void *arg);
/* Hands on all. 0, or -ENOMEM: records were dropped. */
int order_flush(struct order *o, order_emit_fn *emit, void *arg);
