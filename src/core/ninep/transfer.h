/*
 * ninep_transfer: a read or write in progress (core/ninep/files.h).
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

/* -EINPROGRESS: it was started; else the error. */
long ninep_transfer_start(struct ninep_client *c, struct ninep_transfer *t,
                          const struct ninep_msg *m, struct fail *f);
/* Whether there is one, in progress or with a result not yet taken. */
bool ninep_transfer_is_active(const struct ninep_transfer *t);
/* Takes the result, at most len bytes of it: -EINPROGRESS while it runs. bytes: NULL for a write.
 */
long ninep_transfer_result(struct ninep_transfer *t, void *bytes, size_t len, struct fail *f);
void ninep_transfer_cancel(struct ninep_client *c, struct ninep_transfer *t);

#endif
