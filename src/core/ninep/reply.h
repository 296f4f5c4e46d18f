/*
 * ninep_answer: the parts of core/ninep/server.h: ninep_server takes messages and keeps those
 * that wait; ninep_node has fids and where they are; ninep_answer_* answer, by kinds of message.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/ninep/server.h"
#include "core/ns/kept.h"

/* A position of a walk: a path, held while a fid is at it or below it. */
struct ninep_node {
    struct ninep_node *parent; /* NULL: the root */
    uint64_t path;
    unsigned refs, depth;
};

struct ninep_fid {
    uint32_t number;
    uint32_t uid; /* whose attach it comes from */
    struct ninep_node *node;
    uint8_t kind; /* of its qid */
    bool opened, remove_on_close;
    struct ns_file open;       /* its file is NULL where the fid is not open */
    struct ninep_xattr *xattr; /* an extended attribute, in the place of the file; NULL: none */
    struct ninep_at {          /* of a directory that is read: */
        uint64_t offset;       /* what the next read must ask for */
        uint64_t cookie;       /* and what follows there */
    } at;
};

struct ninep_server {
    struct ns_served tree;
    const struct ninep_host *host; /* NULL: devices */
    struct ninep_limits limits;
    struct ninep_peer peer;
    uint64_t refused; /* attaches, for whose they were */
    bool other_user;  /* the current request is of a user whose rights cannot be taken */
    enum ninep_dialect dialect;
    uint32_t msize;
    bool versioned;
    struct imap fids; /* number -> struct ninep_fid * */
    size_t fid_count, nodes, xattrs;
    struct ns_waiting waiting; /* by their tags, about their fids */
};

/* A request while it is answered. */
struct ninep_rpc {
    const struct ninep_msg *request;
    struct ninep_fid *fid;  /* what it is about; NULL: no file */
    struct ninep_msg reply; /* its type is there already */
    struct buf *out;
    bool replied; /* in out, without reply */
    struct fail fail;
    char name[NS_NAME_MAX + 1]; /* the request's, where its answer needs one */
};

/* 0, or a negative errno, with turn->fail filled where that says more: -EAGAIN or -EINPROGRESS, it
 * is kept. */
typedef int ninep_answer(struct ninep_server *s, struct ninep_rpc *turn);
extern ninep_answer ninep_answer_version, ninep_answer_auth, ninep_answer_attach,
    ninep_answer_flush, ninep_answer_walk, ninep_answer_clunk;
extern ninep_answer ninep_answer_open, ninep_answer_lopen, ninep_answer_create,
    ninep_answer_lcreate, ninep_answer_read, ninep_answer_write, ninep_answer_remove;
extern ninep_answer ninep_answer_readdir;
extern ninep_answer ninep_answer_stat, ninep_answer_wstat, ninep_answer_getattr,
    ninep_answer_setattr, ninep_answer_statfs;
extern ninep_answer ninep_answer_make, ninep_answer_link, ninep_answer_readlink,
    ninep_answer_rename, ninep_answer_renameat, ninep_answer_unlinkat, ninep_answer_fsync,
    ninep_answer_lock, ninep_answer_getlock;
extern ninep_answer ninep_answer_xattrwalk, ninep_answer_xattrcreate;

/* --- server.c --- */

/* A kept request that is to be forgotten: false, there is none with that tag. */
bool ninep_drop_kept(struct ninep_server *s, uint16_t tag);
void ninep_drop_all(struct ninep_server *s);
/* Requests kept that need the fid are answered: it is gone. */
void ninep_refuse_kept(struct ninep_server *s, uint32_t fid, struct buf *out);

/* --- fid.c --- */

/* A new place below up (NULL: the root's), which stays the caller's; it holds path, also when
 * memory or depth end: NULL. */
struct ninep_node *ninep_node_new(struct ninep_server *s, struct ninep_node *parent, uint64_t path,
                                  struct fail *f);
struct ninep_node *ninep_node_ref(struct ninep_node *p);
void ninep_node_unref(struct ninep_server *s, struct ninep_node *p); /* NULL: nothing */

/* NULL: there is none of that number; of find with f filled. */
static inline struct ninep_fid *ninep_fid_at(const struct ninep_server *s, uint64_t number)
{
    return imap_pointer(&s->fids, number);
}
struct ninep_fid *ninep_fid_find(struct ninep_server *s, uint32_t number, struct fail *f);
/* The request's newfid, of the same user as its fid. Takes over the place, also when it fails: NULL
 * with the failure filled, when the number is in use or there are too many. */
struct ninep_fid *ninep_fid_new(struct ninep_server *s, struct ninep_rpc *turn,
                                struct ninep_node *node, uint8_t kind);
void ninep_fid_close(struct ninep_server *s, struct ninep_fid *fid); /* it is no more open */
void ninep_fid_free(struct ninep_server *s, struct ninep_fid *fid);
void ninep_fid_free_all(struct ninep_server *s);

/* --- asker.c --- */

/* Who a client that attaches as uid (UINT32_MAX: it does not say) is: -EACCES or -EPERM. */
int ninep_attach_uid(const struct ninep_server *s, uint32_t uid, uint32_t *effective);
/* What follows is asked by that user. */
int ninep_set_user(struct ninep_server *s, uint32_t uid, struct fail *f);
/* Whether a device's file may be opened so: -EACCES. A host's are judged by the kernel. */
int ninep_may_open(struct ninep_server *s, uint64_t path, unsigned how, struct fail *f);
/* Of a device's file: a client that judges its own users by modes, as a kernel does, cannot apply
 * the guard's rules; so the attributes allow the owner only. */
void ninep_device_attr(const struct ninep_server *s, const struct ns_stat *st, struct ns_attr *out);
/* The mode that a client may give to a file; of one that it makes, whether there may be such. */
uint32_t ninep_allowed_mode(const struct ninep_server *s, uint32_t mode);
uint32_t ninep_allowed_gid(const struct ninep_server *s,
                           uint32_t gid); /* UINT32_MAX: the maker's */
int ninep_may_make(const struct ninep_server *s, uint32_t mode);

/* --- reply_xattr.c: fid is turn->fid --- */

/* What was written of the fid's attribute is set: 0 also where there is none. */
int ninep_xattr_commit(struct ninep_server *s, struct ninep_fid *fid);
void ninep_xattr_free(struct ninep_server *s, struct ninep_fid *fid);
long ninep_xattr_read(const struct ninep_rpc *turn, uint32_t count);
long ninep_xattr_write(const struct ninep_rpc *turn);

/* --- asking the tree --- */

/* A single element of a name that a file can have, terminated. -EINVAL or -ENAMETOOLONG. */
int ninep_check_name(struct ninep_text text, char name[NS_NAME_MAX + 1], struct fail *f);
/* A symbolic link's, terminated; "" where the message has none. -ENAMETOOLONG. */
int ninep_copy_target(struct ninep_text text, char target[NS_PATH_MAX + 1]);

int ninep_qid_of(struct ninep_server *s, uint64_t path, struct ninep_qid *qid, struct fail *f);
/* For devices it is made of what stat says. */
int ninep_attr_of(struct ninep_server *s, void *file, uint64_t path, struct ns_attr *out,
                  struct fail *f);
struct ninep_qid ninep_qid_attr(const struct ns_attr *a);
uint8_t ninep_kind_of_mode(uint32_t mode); /* of a qid */

/* A directory's record in a stat message or a read. more: what .u says of links and devices. */
int ninep_add_stat(const struct ninep_server *s, const char *name, const struct ns_attr *attr,
                   const char *extension, struct buf *out);
/* Appends complete records of the directory turn->fid from the request's offset, at most count
 * bytes. Returns the number of bytes. */
long ninep_read_records(struct ninep_server *s, struct ninep_rpc *turn, uint32_t count);
/* The largest count that a read's answer can carry. */
uint32_t ninep_max_count(const struct ninep_server *s, uint32_t count);
/* An answer of data: where it begins in out. Its NINEP_HEAD + 4 bytes are filled when the data are
 * there. n: negative, and the answer is taken back. Returns that, -ENOMEM or 0. */
size_t ninep_begin_data(struct ninep_rpc *turn);
int ninep_finish_data(struct ninep_rpc *turn, size_t start, long n);

/* What a record says of a mode of stat(2), but for NINEP_DMDIR. */
uint32_t ninep_mode_of_unix(uint32_t mode, enum ninep_dialect dialect);
/* The permissions, with set-id bits in .u, that a client asks for. */
uint32_t ninep_mode_bits(uint32_t mode, enum ninep_dialect dialect);
