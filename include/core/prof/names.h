/*
 * prof_names: maps the addresses of a prof_tree to functions and their names.
 *
 * Functions of the program (the first module) go by their name, others as `name [module]'; one
 * without a symbol as `#1a2b', its link-time address.
 */
#pragma once

#include "core/prof/tree.h"

struct buf;
struct demangler;

struct prof_function {
    uint64_t address; /* link-time, of its first byte; without a symbol, where it was called */
    uint32_t module;  /* of the tree's; PROF_NONE: not known */
    uint32_t known;   /* it has a symbol */
    const char *name; /* as shown */
    const char *raw;  /* as in the file */
    const char *file; /* of its source; "" not known */
    uint32_t line;
};

struct prof_names {
    const struct prof_tree *tree;
    uint32_t *of_place;      /* function of a place */
    struct intern functions; /* struct prof_function */
    struct intern texts;     /* strings of functions */
};

/* The function at a link-time address. Strings are copied. */
struct prof_found {
    const char *symbol; /* NULL: none */
    uint64_t start;     /* of it */
    const char *file;   /* NULL: not known */
    uint32_t line;
};

struct prof_naming {
    void (*find)(void *arg, uint32_t module, uint64_t address, struct prof_found *out);
    void *arg;
    struct demangler *names;
};

/* The tree must outlive out. 0 or -ENOMEM; release either way. */
int prof_names_make(const struct prof_tree *t, const struct prof_naming *by,
                    struct prof_names *out);
void prof_names_release(struct prof_names *n);

static inline const struct prof_function *prof_function_at(const struct prof_names *n, size_t i)
{
    return (const struct prof_function *)n->functions.record + i;
}

static inline uint32_t prof_function_of(const struct prof_names *n, uint32_t node)
{
    return n->of_place[n->tree->node[node].place];
}

void prof_label(const struct prof_names *n, uint32_t function, struct buf *out);

/* The link-time address of a place; its run-time one where no module is known. */
uint64_t prof_linked(const struct prof_tree *t, const struct prof_place *p);
