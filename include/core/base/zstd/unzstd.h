/*
 * unzstd: unpacks a zstd stream (RFC 8878) that comes in pieces, cut anywhere. The build picks
 * zstd.c, the only file that calls libzstd, or none.c.
 *
 * Memory: the stream's window, at most 2^UNZSTD_WINDOW_LOG bytes; a stream that wants more counts
 * as damaged. How far a stream blows up is the caller's to bound. unzstd_whole needs no window.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNZSTD_WINDOW_LOG = 27 };

/* Whether this build can. */
bool unzstd_available(void);

struct unzstd;
struct unzstd *unzstd_new(void); /* NULL: out of memory, or this build cannot */
void unzstd_free(struct unzstd *z);

struct unzstd_in {
    const uint8_t *at;
    size_t len;
};

/* Unpacks what it can of in, which moves on, into the room bytes at out, and puts their number in
 * *made. As long as in is not empty, or the room was filled, there is more to have. 0, or -EBADMSG:
 * damaged, or out of memory; then the stream is of no more use. */
int unzstd_some(struct unzstd *z, struct unzstd_in *in, uint8_t *out, size_t cap, size_t *produced);

/* Unpacks all frames of in, which make len bytes, to out. -EBADMSG when they are damaged or make
 * less or more; -ENOMEM; -ENOSYS when this build cannot. */
int unzstd_whole(struct unzstd_in in, uint8_t *out, size_t len);
