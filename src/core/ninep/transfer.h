/*
 * ninep_transfer: a read or write in progress (core/ninep/files.h). A read that is longer than a
 * message takes several, one after another, until one is answered by less than it asked for.
 */
#pragma once

#include "core/ninep/client.h"

/* All zero: none. */
struct ninep_transfer {
    struct ninep_client *client;
    bool in_flight, ended;
    int tag;
    uint8_t type;
    uint32_t fid;
    uint64_t offset; /* where it began */
    uint32_t wanted; /* bytes, in all */
    uint32_t asked;  /* by the message under way */
    long result;
    struct fail failure;
    struct buf data; /* that was read: the caller's to release */
};

/* m->count: bytes in all. -EINPROGRESS: it was started; else the error. */
long ninep_transfer_start(struct ninep_client *c, struct ninep_transfer *t,
                          const struct ninep_msg *m, struct fail *f);
/* Whether there is one, in progress or with a result not yet taken. */
bool ninep_transfer_is_active(const struct ninep_transfer *t);
/* Takes the result, at most len bytes of it: -EINPROGRESS while it runs. bytes: NULL for a write.
 */
long ninep_transfer_result(struct ninep_transfer *t, void *bytes, size_t len, struct fail *f);
/* The same of a read, whose data are exchanged with those of *data. */
long ninep_transfer_swap(struct ninep_transfer *t, struct buf *data, struct fail *f);
void ninep_transfer_cancel(struct ninep_client *c, struct ninep_transfer *t);

/* The bytes that one message carries. */
uint32_t ninep_transfer_max(const struct ninep_client *c);
