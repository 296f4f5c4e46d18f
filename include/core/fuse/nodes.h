/*
 * fuse_nodes: the files of a tree that the kernel knows by node number, each with its name in a
 * directory. A node is kept until the kernel forgets it. No locking.
 *
 * A number is of one name of one file: when the name is found to be another file's, that is another
 * number. A node without a name any more (unlinked, replaced) is gone, and lives on by its
 * descriptor until it is forgotten.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUSE_NODE_ROOT = 1, FUSE_NODE_NONE = 0 };

struct fuse_node {
    uint32_t parent;   /* 0: of the root, and of what is free */
    uint32_t children; /* nodes that have it as their parent */
    char *name;
    uint64_t dev, ino;
    uint64_t lookups; /* that the kernel will forget */
    int fd;           /* of the place itself, -1: none */
    uint32_t pins;    /* who uses fd now */
    uint32_t opens;   /* that share backing */
    int backing;      /* what the kernel maps it by; 0: it does not */
    bool unlinked;
    bool searchable;       /* by everybody: of a directory */
    uint32_t chain;        /* the next of the same hash */
    uint32_t older, newer; /* among those with an fd that can be closed */
};

struct fuse_nodes {
    struct fuse_node *node;
    size_t cap;     /* of node */
    uint32_t count; /* numbers given out so far, free ones included */
    uint32_t free;  /* chain of free numbers */
    uint32_t used;  /* nodes that are */
    uint32_t *slot; /* by hash of parent and name */
    uint32_t slots; /* a power of two */
    uint32_t oldest, newest, with_fd;
};

/* The root has fd, which stays open. 0 or -ENOMEM. */
int fuse_nodes_init(struct fuse_nodes *t, int fd, uint64_t dev, uint64_t ino);
void fuse_nodes_release(struct fuse_nodes *t); /* leaves descriptors alone */

/* NULL when there is no such number. Valid until the next node is made. */
struct fuse_node *fuse_nodes_at(struct fuse_nodes *t, uint64_t number);
uint32_t fuse_nodes_find(const struct fuse_nodes *t, uint32_t parent, const char *name);

/* The number of the name, which is that file, one more lookup of it; *known: it was there. 0 when
 * out of memory. */
uint32_t fuse_nodes_lookup(struct fuse_nodes *t, uint32_t parent, const char *name, uint64_t dev,
                           uint64_t ino, bool *known);
/* So many lookups of it are over. The descriptors of what is freed go to close. */
void fuse_nodes_forget(struct fuse_nodes *t, uint64_t number, uint64_t lookups,
                       void (*close)(int fd));

void fuse_nodes_unlink(struct fuse_nodes *t, uint32_t number);
/* It has another name now; what had that is gone. 0 or -ENOMEM: then it is gone itself. */
int fuse_nodes_rename(struct fuse_nodes *t, uint32_t number, uint32_t parent, const char *name);
/* Two names change places. */
void fuse_nodes_exchange(struct fuse_nodes *t, uint32_t a, uint32_t b);

/* Descriptors that can be opened again by their name: the one used longest ago, of a node without
 * pins, FUSE_NODE_NONE when there is none. */
void fuse_nodes_set_fd(struct fuse_nodes *t, uint32_t number, int fd);
void fuse_nodes_touch(struct fuse_nodes *t, uint32_t number);
int fuse_nodes_drop_fd(struct fuse_nodes *t, uint32_t number); /* its descriptor, to be closed */
uint32_t fuse_nodes_oldest_idle(const struct fuse_nodes *t);

struct buf;
void fuse_nodes_path(const struct fuse_nodes *t, uint32_t number, struct buf *out);
