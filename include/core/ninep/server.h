/*
 * ninep_server: answers one client's requests to a tree over 9P2000, 9P2000.u or 9P2000.L; it takes
 * bytes and gives bytes.
 *
 *     s = ninep_server_new(&tree, NULL);
 *     for (;;) {
 *         more bytes behind those that are left over, in a buffer of at least ninep_server_msize
 *         used = ninep_server_serve(s, bytes, len, &out, &f);   negative: close the connection
 *         write what of out can be written, take it away
 *     }
 *
 * A read that would wait, or any call that the tree answers later, is kept, up to a limit,
 * and tried again by ninep_server_retry when one of ninep_server_handles is ready; a flush drops
 * it. A message that cannot be read is answered with an error; where its end is unknown the
 * connection must be closed.
 *
 * Memory is bounded by the limits: msize, fids, requests kept; out by ninep_server_out_max
 * and a message.
 */
#pragma once

#include "core/ninep/tree.h"

struct ninep_limits {
    uint32_t msize;   /* the largest message */
    uint32_t fids;    /* held at once */
    uint32_t waiting; /* requests kept */
};
enum {
    NINEP_MSIZE = 128 * 1024 + NINEP_IO_HEAD,
    NINEP_MSIZE_LARGE = 1024 * 1024 + NINEP_IO_HEAD, /* for limits: where memory allows it */
    NINEP_MSIZE_MIN = 512,
    NINEP_MSIZE_FIRST = 8192 + NINEP_IO_HEAD, /* messages before a version is agreed on */
    NINEP_FIDS = 8192,
    NINEP_WAITING = 64,
    NINEP_OUT = 4, /* answers that wait to be written: no more is taken when they have so many
                      times msize, */
    NINEP_OUT_BYTES = 256 * 1024, /* or so many bytes; the last may be one of msize more */
};

/*
 * Whose requests a client's are, as the machine knows it that serves. What a client of 9P says of
 * itself in its attach is a word of the client: only one that is trusted is believed.
 */
enum ninep_trust {
    NINEP_TRUSTED, /* it is who it says; all is done with this process's rights */
    NINEP_USER,    /* it is the user uid of this machine: an attach as another is refused */
    NINEP_FOREIGN, /* it is who it says, but never root, and sets no set-id bit, makes no device */
    NINEP_REFUSED, /* no attach succeeds */
};
struct ninep_peer {
    enum ninep_trust trust;
    uint32_t uid; /* of a NINEP_USER */
    /* Before a request of a client that is not trusted is answered: from now on its calls of the
     * tree are made with the rights of that user. 0, or -errno: it is refused. 1: no rights can be
     * taken, and it gets what everybody may have of devices, and nothing of a host's files. NULL:
     * the same as 1. */
    int (*set_user)(void *arg, uint32_t uid);
    void *arg;
};
enum { NINEP_NOBODY = 65534 }; /* root and unnamed users of another machine */

struct ninep_server; /* opaque */

/* limits: NULL, or a member 0: as above. The tree is copied; its files must outlive the server.
 * NULL: no memory. */
struct ninep_server *ninep_server_new(const struct ninep_tree *tree,
                                      const struct ninep_limits *limits);
/* Who its client is; copied. Before that it is trusted. */
void ninep_server_peer(struct ninep_server *s, const struct ninep_peer *peer);
/* Attaches that were refused for whose they were. */
uint64_t ninep_server_refused(const struct ninep_server *s);
void ninep_server_free(struct ninep_server *s); /* closes what the client had open; NULL: nothing */

/* Serves the whole messages that are there and appends the answers: how many bytes it used; what is
 * left is the beginning of a message, or waits for out to be emptied. -EPROTO: a message has a size
 * that cannot be; -ENOMEM. */
long ninep_server_serve(struct ninep_server *s, const void *bytes, size_t len, struct buf *out,
                        struct fail *f);

/* Tries all kept requests again: 0 or -ENOMEM. */
int ninep_server_retry(struct ninep_server *s, struct buf *out, struct fail *f);

/* Handles for plat/wait.h on which kept requests wait, at most room: how many; a kept request
 * without a handle is to be tried again from time to time. */
size_t ninep_server_handles(const struct ninep_server *s, int *handle, size_t cap);
size_t ninep_server_waiting(const struct ninep_server *s); /* requests kept */

/* The largest message in either direction, as agreed on; before that NINEP_MSIZE_FIRST. */
uint32_t ninep_server_msize(const struct ninep_server *s);
size_t ninep_server_out_max(const struct ninep_server *s); /* bytes of answers: see NINEP_OUT */
size_t ninep_server_fids(const struct ninep_server *s);
bool ninep_server_is_negotiated(const struct ninep_server *s); /* a version is agreed on */
