/*
 * types_answer: what is asked about functions and structs, and what was found.
 */
#pragma once

#include "core/types/types.h"

/* TYPES_MOST_FOUND: of one query; several functions of a program may have one name. */
enum { TYPES_MOST_FOUND = 64 };

struct types_query {
    bool layout;      /* the definition of a struct, union, class or enum; else a function */
    bool by_address;  /* the function that covers a link-time address; else by name */
    const char *name; /* of the function or struct; of an address for messages only */
    uint64_t address;
};

struct types_found {
    uint32_t query;
    uint32_t id; /* index of the function, or number of the type */
};

/* Where debug information is that was asked for and not read, as bits. */
enum types_elsewhere {
    TYPES_SUPPLEMENT = 1, /* what dwz moved to a file that several share */
    TYPES_SPLIT = 2,      /* .dwo files */
    TYPES_UNITS = 4       /* units of one type each, which signatures name */
};

struct types_answer {
    struct types types;
    struct types_found *found; /* in the order in which they were found */
    size_t count, cap;
    uint32_t elsewhere;
};

void types_answer_release(struct types_answer *a);
bool types_answer_add(struct types_answer *a, uint32_t query, uint32_t id);

/* Looks for the name in a->types and appends what is found; so many. Nothing is found by address.
 * -ENOMEM. */
int types_answer_name(struct types_answer *a, const struct types_query *q, uint32_t query);
