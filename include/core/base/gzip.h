/*
 * gzip: compresses and decompresses bytes (RFC 1952), by zlib. Written headers have no name and no
 * time, so that equal input gives equal output.
 */
#pragma once

#include <stddef.h>

struct buf;
struct gzip;

/* A stream that is appended to out while it is fed. NULL when out of memory. */
struct gzip *gzip_new(struct buf *out);
int gzip_add(struct gzip *z, const void *bytes, size_t len); /* 0 or -ENOMEM */
int gzip_end(struct gzip *z);   /* its end is appended; 0 or -ENOMEM, z is freed either way */
void gzip_free(struct gzip *z); /* without an end; NULL is nothing */

/* Appends what the gzip stream at bytes holds. -EBADMSG: it is none, or is cut; -EFBIG: out would
 * be longer than most; -ENOMEM. */
int gunzip(const void *bytes, size_t len, size_t max_len, struct buf *out);
