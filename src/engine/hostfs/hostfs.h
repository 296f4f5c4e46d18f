/*
 * hostfs: this machine's file tree as operations on nodes. A node is a name of a file in a
 * directory, identified by a number (core/fuse/nodes.h). FUSE (fuse.h) and 9P
 * (ninep_host.c) decode their requests, call these, and encode what came of it; neither
 * reaches past them to the names of the tree. What is open is a struct hostfs_file, whose
 * descriptor they read and write by plat/tree.h: directories are read, and files locked, here.
 *
 *     hostfs_init(&h, "/");
 *     hostfs_walk(&h, who, FUSE_NODE_ROOT, "etc", &e)      e.node has one hold more
 *     hostfs_open(&h, who, e.node, flags, &file)
 *     hostfs_close(&h, &file)
 *     hostfs_forget(&h, e.node, 1)
 *
 * All operations may be called by several threads at once, return 0 (a count, a descriptor) or a
 * negative errno, and follow no link. who: with whose rights the calling thread asks from then on,
 * until tree_set_credentials; NULL: with this process's own. Where this process is not root it is
 * always that.
 */
#pragma once

#include "core/fuse/nodes.h"
#include "plat/apart.h"
#include "plat/tree.h"

enum { HOSTFS_NAME = 256 }; /* bytes of a name, with its end */

struct hostfs_locks {
    struct lock *lock;
    struct hostfs_held *held;
    size_t count, cap;
};
struct hostfs {
    struct lock *tables; /* nodes, and what callers keep by node */
    struct fuse_nodes nodes;
    uint32_t max_dir_fds; /* descriptors of directories that are kept */
    uint64_t root_dev;
    uint32_t uid, gid;
    bool alone; /* without root's rights: all files are shown as the user's */
    struct hostfs_locks locks;
};

struct hostfs_cred {
    uint32_t uid, gid, pid; /* pid: whose groups count */
};
enum { HOSTFS_NOBODY = UINT32_MAX }; /* an id that is not given */

/* A node that was found or made, with one hold more. */
struct hostfs_entry {
    uint32_t node;
    bool known;      /* the node was there already */
    bool searchable; /* the directory is, by everybody */
    struct tree_attr attr;
};

/* A file that is made. */
struct hostfs_new {
    const char *name;
    uint32_t mode; /* with its kind */
    uint32_t rdev; /* of a device, as the kernel packs it */
    const char *target;
    uint32_t uid, gid; /* whose it is afterwards; HOSTFS_NOBODY: the maker's */
    /* Of hostfs_create: what is there is opened only if it is a plain file or directory. */
    bool plain;
    bool exclusive; /* with plain: nothing may be there; else flags say so */
};

/* --- tree.c: nodes --- */

int hostfs_init(struct hostfs *h, const char *path);
void hostfs_release(struct hostfs *h);
void hostfs_forget(struct hostfs *h, uint64_t node, uint64_t holds);
/* One number a file on the one device that is served. */
uint64_t hostfs_ino(const struct hostfs *h, uint64_t dev, uint64_t ino);
/* Appends the node's path from the root; nothing when there is no such node. */
struct buf;
void hostfs_path(struct hostfs *h, uint64_t node, struct buf *out);
/* The node's directory and its name there; -EBUSY: the root, -ESTALE: it has no name any more. */
int hostfs_name(struct hostfs *h, uint64_t node, uint64_t *directory, char name[HOSTFS_NAME]);

/* Where a node is found: by a descriptor, and a name if it has no descriptor of its own. */
struct hostfs_place {
    struct hostfs *h;
    int at;
    uint32_t pinned;
    char name[HOSTFS_NAME];
};
#define SCOPED_PLACE SCOPED(hostfs_place_release) struct hostfs_place
int hostfs_place(struct hostfs *h, uint64_t node, struct hostfs_place *out);
/* The same of a directory to look into: no name. */
int hostfs_dir(struct hostfs *h, uint64_t node, struct hostfs_place *out);
void hostfs_place_release(struct hostfs_place *p); /* also after either has failed */

void hostfs_set_cred(const struct hostfs *h, const struct hostfs_cred *cred);

/* --- names.c --- */

int hostfs_walk(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                const char *name, struct hostfs_entry *out);
/* A directory, symbolic link, device, FIFO or socket. */
int hostfs_make(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                const struct hostfs_new *new, struct hostfs_entry *out);
/* out NULL: the new name is not looked up. */
int hostfs_link(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint64_t directory,
                const char *name, struct hostfs_entry *out);
int hostfs_unlink(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                  const char *name, bool is_directory);
struct hostfs_rename {
    uint64_t from, to; /* directories */
    const char *name, *newname;
    uint32_t flags; /* as renameat2(2) has them */
};
int hostfs_rename(struct hostfs *h, const struct hostfs_cred *cred, const struct hostfs_rename *r);
int64_t hostfs_readlink(struct hostfs *h, uint64_t node, void *to, size_t len);

/* --- open.c --- */

/* An open file or directory. It may be copied until it is first locked. */
struct hostfs_file {
    int fd;
    uint32_t node;
    uint64_t dev, ino;
    bool flocked;                   /* at some time */
    struct hostfs_listing *listing; /* of a directory that is read */
};
int hostfs_open(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint32_t flags,
                struct hostfs_file *out);
int hostfs_open_dir(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                    struct hostfs_file *out);
/* With an O_TMPFILE in flags the file has no name, and a node by one that no file can have. */
int hostfs_create(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                  const struct hostfs_new *new, uint32_t flags, struct hostfs_entry *out,
                  struct hostfs_file *opened);
/* Its locks end, those too that processes took by it. */
void hostfs_close(struct hostfs *h, struct hostfs_file *o);

/* --- dir.c --- */

/* The entry at a cookie: 0 is the first, of the directory as it is now; of others out->next, of the
 * entry before. 1, or 0 at the end; out is good until the next call. One thread at a time reads an
 * open directory. */
int hostfs_next(const struct hostfs *h, struct hostfs_file *o, uint64_t cookie,
                struct ns_entry *out);

/* --- locks.c --- */

/* A process locks or unlocks a range. None waits: -EAGAIN when another process, also outside, holds
 * what conflicts. */
struct hostfs_lock {
    uint64_t owner; /* the process, however it opened the file */
    /* Who asks (9P) does not say whether it is a process's lock or flock's, the open file's: what
     * was locked by the same open file then does not conflict, and any user of it may unlock. */
    bool untyped;
    struct ns_lock range;
};
int hostfs_lock(struct hostfs *h, const struct hostfs_file *o, const struct hostfs_lock *lock);
/* A lock that conflicts with lock, or F_UNLCK when none does; pid 0: holder unknown. */
int hostfs_lock_find(struct hostfs *h, const struct hostfs_file *o, const struct hostfs_lock *lock,
                     struct ns_lock *found);
/* flock's: the open file's own. */
int hostfs_flock(struct hostfs *h, struct hostfs_file *o, uint32_t type);
/* The process closes a descriptor of the file: all its locks of it end, whichever they came by. */
void hostfs_unlock_owner(struct hostfs *h, const struct hostfs_file *o, uint64_t owner);
void hostfs_unlock_open(struct hostfs *h, const struct hostfs_file *o); /* of hostfs_close */

/* --- attrs.c --- */

int hostfs_getattr(struct hostfs *h, uint64_t node, struct tree_attr *out);
/* fd: an open descriptor, by which the size is changed with the rights that it was opened with; -1:
 * none. out: the attributes afterwards, NULL: not wanted. */
int hostfs_setattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, int fd,
                   const struct ns_change *change, struct tree_attr *out);
int hostfs_access(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint32_t mask);
int hostfs_statfs(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                  struct ns_statfs *out);
/* An extended attribute's length, at most len bytes of it in to; name NULL: the names of all. */
int64_t hostfs_getxattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                        const char *name, void *to, size_t len);
struct hostfs_xattr {
    const char *name;
    const void *value; /* NULL: it is removed */
    size_t len;
    uint32_t flags; /* as setxattr(2) has them */
};
int hostfs_setxattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                    const struct hostfs_xattr *x);

/* For names.c and open.c: the file's node by its name; attr has been looked at. */
int hostfs_add_node(struct hostfs *h, uint64_t directory, const char *name, struct hostfs_entry *e);
/* The mode to make it with: none while it is ours, if it is another user's: no process can open
 * it, or run it with our rights, before it is given away. */
uint32_t hostfs_first_mode(const struct hostfs *h, const struct hostfs_new *new);
/* Gives a new file to the user it is made for, with its mode. place: a descriptor of any kind.
 */
int hostfs_set_owner(const struct hostfs *h, int place, const struct hostfs_new *new);
