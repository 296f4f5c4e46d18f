/*
 * perfdata_unpack: the bytes of compressed records, unpacked, as long as they are waiting for their
 * turn. One stream runs through all compressed records of a file; records start anywhere in it,
 * also across two of them.
 */
#pragma once

#include "core/base/zstd/unzstd.h"
#include "perfdata_parts.h"
#include "perfdata_runs.h"

struct perfdata_unpack {
    struct unzstd *stream; /* made at the first use */
    struct buf bytes;
    size_t done;               /* of bytes: complete records that were returned */
    uint64_t packed, unpacked; /* of the stream, so far */
};

void perfdata_unpack_release(struct perfdata_unpack *u);

/* What a compressed record holds. */
struct unzstd_in perfdata_packed(const struct perfdata_record *r);

/* Unpacks a bounded piece of in, whose size was passed to perfdata_unpack_begin: 1, or 0 when
 * in is used up. -EBADMSG: damaged, -ENOMEM. */
int perfdata_unpack_begin(struct perfdata_unpack *u, const struct unzstd_in *in);
int perfdata_unpack_more(struct perfdata_unpack *u, struct unzstd_in *in);

/* The next complete record among the unpacked bytes, valid until more are unpacked. */
bool perfdata_unpack_next(struct perfdata_unpack *u, struct perfdata_record *out);
/* Whether the rest begins as no record does. */
bool perfdata_unpack_damaged(const struct perfdata_unpack *u);

/* Keeps only what is in runs or not yet returned, and updates the offsets of runs. */
int perfdata_unpack_trim(struct perfdata_unpack *u, struct perfdata_runs *q);
