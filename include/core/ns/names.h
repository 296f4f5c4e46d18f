/*
 * ns_names: names of files below a root that are in use, each with a number (a path).
 *
 * A name is kept as long as something refers to it: a caller that was given its path, a name below
 * it, a request that goes to it. Numbers of names that are gone are given out again, and the memory
 * of the table shrinks with the names in it.
 */
#pragma once

#include "core/ns/ns.h"

struct ns_name {
    char *text; /* NULL: the number is free. It does not move while the name is there. */
    uint64_t refs;
    uint32_t parent; /* of a free number: the free one before it; 0: none */
    uint32_t chain;  /* the next of the same hash, or the next free number; 0: none */
    uint32_t hash;   /* of parent and text */
    /* The user's, 0 at first; of another machine's file: */
    unsigned known_on; /* the connection on which it was seen to be there */
    uint64_t length;   /* when it was last looked at */
};

/* All zero is a table of the root alone, whose path is 0 and which has no text. */
struct ns_names {
    struct ns_name *name; /* by path - 1 */
    size_t cap, count;    /* count: up to the highest number in use */
    size_t used;          /* names */
    size_t max;           /* at once; 0: only memory bounds them */
    uint32_t free;        /* the first free number */
    uint32_t *slot;       /* the first of each hash */
    size_t slots;         /* 0 or a power of two */
};

void ns_names_release(struct ns_names *t);

/* NULL: the root, or no such name. Valid until the next ns_names_hold or _drop. */
struct ns_name *ns_names_at(const struct ns_names *t, uint64_t path);

/* The path of a name below another, which is made if needed; one more reference to it. -ENOENT:
 * there is no parent; -ENFILE; -ENOMEM. */
int64_t ns_names_hold(struct ns_names *t, uint64_t parent, const char *text);
/* One more reference to a path, or so many fewer. The root and what there is not are passed over.
 */
void ns_names_ref(struct ns_names *t, uint64_t path);
void ns_names_drop(struct ns_names *t, uint64_t path, uint64_t times);

/* The names from the root down to a path: how many. -ESTALE: it is not there; -ENAMETOOLONG. */
int ns_names_elements(const struct ns_names *t, uint64_t path, const char *name[NS_DEPTH_MAX]);
/* The same behind the root's name, with slashes between: 0. */
int ns_names_whole(const struct ns_names *t, uint64_t path, const char *root,
                   char out[NS_PATH_MAX + 1]);
