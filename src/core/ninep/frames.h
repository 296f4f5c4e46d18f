/*
 * ninep_frames: the messages in bytes that come in pieces, of each only what is needed to know what
 * it does: all of it, but not the data of reads and writes.
 */
#pragma once

#include "core/ninep/wire.h"

enum { NINEP_FRAME_KEPT = 16 * 1024 };

struct ninep_frames {
    uint8_t kept[NINEP_FRAME_KEPT];
    uint32_t have; /* bytes of the message in kept */
    uint32_t seen; /* of the message */
    uint32_t size; /* of the message; 0 while its head is not there */
};

/* Takes bytes until a message has ended: how many. *ended: it is in kept, until the next call.
 * -EPROTO: there is none of that kind, or longer than most. replies: which kind. */
long ninep_frames_add(struct ninep_frames *s, const uint8_t *bytes, size_t len, uint32_t max_size,
                      bool replies, bool *ended);

/* The message that ended, as ninep_read would; of reads and writes m->data is NULL. */
int ninep_frames_read(const struct ninep_frames *s, enum ninep_dialect dialect,
                      struct ninep_msg *m);
