/*
 * proto: appends protobuf's wire format to a buf: a message is its fields one after the other, each
 * a key (number and type) and a varint or counted bytes. A field that is 0 is left out, as proto3
 * does; https://protobuf.dev/programming-guides/encoding/.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct buf;

void proto_varint(struct buf *out, uint64_t v); /* bare: an entry of a packed field */
void proto_number(struct buf *out, unsigned field, uint64_t v);

/* Moves the contents of message to out, as a field. */
void proto_message(struct buf *out, unsigned field, struct buf *message);
