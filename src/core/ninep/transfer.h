/*
 * ninep_transfer: a read or write that is under way (core/ninep/files.h).
 */
#ifndef PSUITE_CORE_NINEP_TRANSFER_H
#define PSUITE_CORE_NINEP_TRANSFER_H

#include "core/ninep/client.h"

/* All zero: none. */
struct ninep_transfer {
    bool in_flight, ended;
    int tag;
    uint64_t offset;
    uint32_t count; /* asked for */
    long result;
    struct fail failure;
    struct buf data; /* that was read: the caller's to release */
};

/* -EINPROGRESS: it is under way; else why it is not. */
long ninep_transfer_start(struct ninep_client *c, struct ninep_transfer *t,
                          const struct ninep_msg *m, struct fail *f);
/* Whether there is one, under way or with a result that nobody has taken. */
bool ninep_transfer_is_active(const struct ninep_transfer *t);
/* Takes the result, at most len bytes of it: -EINPROGRESS while it is under way. bytes: NULL for a
 * write.
 */
long ninep_transfer_result(struct ninep_transfer *t, void *bytes, size_t len, struct fail *f);
void ninep_transfer_cancel(struct ninep_client *c, struct ninep_transfer *t);

#endif
