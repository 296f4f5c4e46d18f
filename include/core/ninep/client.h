/*
 * ninep_client: the asking side of 9P2000, and of 9P2000.L with a server that speaks nothing else
 * (diod): bytes in, bytes out, and a call back for each reply.
 * Nothing waits, and many requests may be under way; the owner of the connection has the clock, and
 * hangs up on a server that does not answer.
 *
 *     c = ninep_client_new(0, "glenda", "");          version and attach are asked for at once
 *     send ninep_client_out(c), take what was sent out of it
 *     used = ninep_client_receive(c, bytes, len, &f);    negative: close the connection
 *     once ninep_client_ready(c):
 *     ninep_client_request(c, &(struct ninep_msg){.type = NINEP_TSTAT, .fid = NINEP_ROOT}, done,
 * arg, &f);
 *
 * core/ninep/files.h has files by names on top of it.
 */
#pragma once

#include "core/base/fail.h"
#include "core/ninep/wire.h"

enum {
    NINEP_ROOT = 0,                                 /* the fid that is attached */
    NINEP_TAGS = 1024,                              /* requests under way */
    NINEP_CLIENT_FIDS = 1 << 14,                    /* at once, with the root */
    NINEP_CLIENT_MSIZE = (1 << 20) + NINEP_IO_HEAD, /* asked for; the server may offer less */
};

struct ninep_client; /* opaque */

/* The reply, which holds during the call, or NULL and what went wrong: the server's words (err
 * identified by them where they are known), or the connection's end. */
typedef void ninep_done(void *arg, const struct ninep_msg *reply, const struct fail *f);

/* msize: of the largest message, asked for; 0: NINEP_CLIENT_MSIZE. The names are copied. NULL: no
 * memory. */
struct ninep_client *ninep_client_new(uint32_t msize, const char *uname, const char *aname);
/* By 9P2000.L users are numbers: this one, and no name. */
void ninep_client_set_uid(struct ninep_client *c, uint32_t uid);
/* Requests under way are forgotten: nothing is called back. NULL: nothing. */
void ninep_client_free(struct ninep_client *c);

/* 1: attached; 0: not yet; else why never: -EPROTO, -ECONNRESET ..., with f filled. */
int ninep_client_ready(const struct ninep_client *c, struct fail *f);

/* Whole messages of what came: how many bytes; call backs are called from here. */
long ninep_client_receive(struct ninep_client *c, const void *bytes, size_t len, struct fail *f);
/* The connection has ended: so have all requests, now and later, with this failure. */
void ninep_client_hangup(struct ninep_client *c, const struct fail *failure);

struct buf *ninep_client_out(struct ninep_client *c);
uint32_t ninep_client_msize(const struct ninep_client *c); /* agreed on */
/* NINEP_PLAIN or NINEP_L: which of the two kinds of stat, open and read of a directory it knows. */
enum ninep_dialect ninep_client_dialect(const struct ninep_client *c);
size_t ninep_client_pending(const struct ninep_client *c); /* requests under way */

/* Sends a request: its tag, which is put into it here. -EAGAIN: not attached yet; -EBUSY: all tags
 * are under way; -EMSGSIZE: longer than msize; -ENOMEM. */
int ninep_client_request(struct ninep_client *c, const struct ninep_msg *request, ninep_done *done,
                         void *arg, struct fail *f);

/* Requests with that argument call nothing back any more. */
void ninep_client_forget(struct ninep_client *c, const void *arg);

/* A request that is of no more interest: nothing is called back, whatever is replied. */
void ninep_client_flush(struct ninep_client *c, int tag);

/* A fid that is not in use: -ENFILE when all are. It is free again when its clunk or remove was
 * answered (ninep_client_clunk), or by ninep_client_fid_free, when it never came to be. */
int64_t ninep_client_alloc_fid(struct ninep_client *c);
void ninep_client_fid_free(struct ninep_client *c, uint32_t fid);
void ninep_client_clunk(struct ninep_client *c, uint32_t fid);

/* The errno that a server's words mean; 0: not known. */
int ninep_errno(struct ninep_text words);
