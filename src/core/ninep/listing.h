/*
 * ninep_listing: the entries of a directory of another machine, read a part at a time: while one is
 * given out the next is under way. The memory is that of two parts, however long the directory is.
 * A whole one is read to its end before the first entry is given out, and kept: at most
 * NINEP_LIST_MAX bytes, else -EFBIG.
 */
#pragma once

#include "transfer.h"

enum { NINEP_LISTING_PART = 64 * 1024 };

/* All zero is the beginning. */
struct ninep_listing {
    struct ninep_transfer read; /* of the next part */
    struct buf part;            /* the last one, or all */
    uint64_t next;              /* the offset of the part behind it */
    size_t at;                  /* in part: the record at */
    uint64_t index;             /* this index */
    bool ended;                 /* there is no part behind it */
    bool whole;                 /* set before the first call */
};

/* The record at an index, from 0, of the directory that fid has open: 1, it is valid until the next
 * call; 0 after the last; -EINPROGRESS; -EPROTO: a record cannot be read, or its name is none. An
 * index before that of the last call reads the directory from the beginning. By 9P2000.L a record
 * has a qid and a name alone. */
int ninep_listing_at(struct ninep_listing *l, struct ninep_client *c, uint32_t fid, uint64_t index,
                     struct ninep_stat *out, struct fail *f);
void ninep_listing_release(struct ninep_listing *l, struct ninep_client *c);

/* Whether a server's text can be the name of a file in a directory. */
bool ninep_is_name(struct ninep_text t);
