/*
 * ninep_proxy: decodes a forwarded 9P conversation and counts its operations (core/io/counts.h). It
 * is given the bytes of both directions as they are forwarded, and changes none.
 *
 *     p = ninep_proxy_new(counts);
 *     ninep_proxy_requests(p, bytes, len, now_ns);   what the client sent
 *     ninep_proxy_replies(p, bytes, len, now_ns);    what the server sent
 *
 * A message is timed from its last byte to the last of its reply. Of the messages of .L, which the
 * report has no rows for, those are counted as open that open, as create those that make something,
 * as stat those that look (getattr, readlink, statfs, getlock), as wstat those that change a file
 * otherwise (setattr, renames, fsync, lock), readdir as read, unlinkat as remove, xattrwalk as
 * walk.
 *
 * A file is named by the names of the walk that led to it. A directory that is renamed keeps its
 * old name for the fids that are below. Memory: a tag that has no reply and a fid that was not
 * clunked, NINEP_WATCHED_FIDS at most; the files of others are counted without their names.
 */
#pragma once

#include "core/io/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NINEP_WATCHED_FIDS = 1 << 16 };

struct ninep_proxy; /* opaque: one connection */

/* counts NULL: nothing is counted yet. NULL: no memory. */
struct ninep_proxy *ninep_proxy_new(struct io_counts *counts);
/* From now on into these: what was opened before has no file there. NULL: nothing any more. */
void ninep_proxy_count(struct ninep_proxy *p, struct io_counts *counts);
void ninep_proxy_free(struct ninep_proxy *p); /* files that are open are counted as closed */
/* What is open is counted as closed, and nothing is counted from now on. */
void ninep_proxy_end(struct ninep_proxy *p);

/* Reports each operation when it has ended, for a log. path: the file's, or where a walk was to
 * lead; NULL: not known. error: why it failed, the server's words; NULL: it did not. Both hold
 * during the call. */
typedef void ninep_proxy_done_fn(void *arg, const struct io_done *done, const char *path,
                                 const char *error);
void ninep_proxy_on_done(struct ninep_proxy *p, ninep_proxy_done_fn *on_done, void *arg);

void ninep_proxy_requests(struct ninep_proxy *p, const void *bytes, size_t len, uint64_t now_ns);
void ninep_proxy_replies(struct ninep_proxy *p, const void *bytes, size_t len, uint64_t now_ns);

/* What passes is no 9P, or no more (no such message, or longer than was agreed on): it is not
 * looked at any further. */
bool ninep_proxy_lost(const struct ninep_proxy *p);
/* Messages that could not be read: they are counted, and what they did to files is not known. */
uint64_t ninep_proxy_unread(const struct ninep_proxy *p);
