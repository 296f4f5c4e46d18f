/*
 * ninep_names: the names of another machine's files that are in use, each with a number (a path).
 *
 * A name is kept as long as something refers to it: a caller that was given its path, a name below
 * it, a request that goes to it. Numbers of names that are gone are given out again, and the memory
 * of the table shrinks with the names in it. Only memory bounds how many there are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ninep_name {
    char *text; /* NULL: the number is free. It does not move while the name is there. */
    uint64_t refs;
    uint32_t parent;   /* of a free number: the free one before it; 0: none */
    uint32_t chain;    /* the next of the same hash, or the next free number; 0: none */
    uint32_t hash;     /* of parent and text */
    unsigned known_on; /* the connection on which the other machine was seen to have it; 0: none */
    uint64_t length;   /* when it was last looked at */
};

/* All zero is a table of the root alone, whose path is 0 and which has no text. */
struct ninep_names {
    struct ninep_name *name; /* by path - 1 */
    size_t cap, count;       /* count: up to the highest number in use */
    size_t used;             /* names */
    uint32_t free;           /* the first free number */
    uint32_t *slot;          /* the first of each hash */
    size_t slots;            /* 0 or a power of two */
};

void ninep_names_release(struct ninep_names *t);

/* NULL: the root, or no such name. Valid until the next ninep_names_hold or _drop. */
struct ninep_name *ninep_names_at(const struct ninep_names *t, uint64_t path);

/* The path of a name below another, which is made if needed; one more reference to it. -ENOENT:
 * there is no parent; -ENOMEM. */
int64_t ninep_names_hold(struct ninep_names *t, uint64_t parent, const char *text);
/* One more, or one less, reference to a path. The root and what there is not are passed over. */
void ninep_names_ref(struct ninep_names *t, uint64_t path);
void ninep_names_drop(struct ninep_names *t, uint64_t path);
