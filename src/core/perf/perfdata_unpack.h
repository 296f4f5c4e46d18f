/*
 * perfdata_unpack: the bytes of compressed records, unpacked, as long as they are waiting for their
 * turn. One stream runs through all compressed records of a file; records stand anywhere in it,
 * also across two of them.
 */
#ifndef PSUITE_CORE_PERF_PERFDATA_UNPACK_H
#define PSUITE_CORE_PERF_PERFDATA_UNPACK_H

#include "core/base/zstd/unzstd.h"
#include "perfdata_parts.h"
#include "perfdata_queue.h"

struct perfdata_unpack {
    struct unzstd *stream; /* made at the first use */
    struct buf bytes;
    size_t done;               /* of bytes: whole records that were taken out */
    uint64_t packed, unpacked; /* of the whole stream, so far */
};

void perfdata_unpack_release(struct perfdata_unpack *u);

/* What a compressed record holds. */
struct unzstd_in perfdata_packed(const struct perfdata_record *r);

/* Unpacks a bounded piece of in, whose size was told to perfdata_unpack_begin before: 1, or 0 when
 * in is used up. -EBADMSG: damaged, -ENOMEM. */
int perfdata_unpack_begin(struct perfdata_unpack *u, const struct unzstd_in *in);
int perfdata_unpack_more(struct perfdata_unpack *u, struct unzstd_in *in);

/* The next whole record among the unpacked bytes; it stands until more are unpacked. */
bool perfdata_unpack_next(struct perfdata_unpack *u, struct perfdata_record *out);
/* Whether the rest begins as no record does. */
bool perfdata_unpack_damaged(const struct perfdata_unpack *u);

/* Keeps only what is queued, or not yet taken out, and tells the queue where it stands now. */
int perfdata_unpack_trim(struct perfdata_unpack *u, struct perfdata_queue *q);

#endif
