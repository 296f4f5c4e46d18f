/*
 * view: a call graph in the terminal, one function at a time: its callers above it, its callees
 * below, both with what they take of it, most first. A cursor moves over them; Enter goes there.
 */
#pragma once

#include "core/topo/topo.h"
#include "core/tui/canvas.h"
#include "core/tui/list.h"

struct topo_view_row {
    uint32_t function;
    uint64_t calls, total; /* of the relation, else of the function */
    bool known;            /* of the relation */
};

struct topo_view {
    const struct topo *topo;
    uint32_t function;
    struct topo_view_row *row; /* callers, then callees */
    size_t callers;
    struct list list; /* of these rows */
    uint32_t *past;   /* functions that were left, the last one last */
    size_t pasts, cap;
    char search[64]; /* typed after / */
    bool typing;
    char said[96];
};

/* 0 or -ENOMEM; release either way. t outlives the view. */
int topo_view_init(struct topo_view *v, const struct topo *t);
void topo_view_release(struct topo_view *v);

/* False: the view ends. */
bool topo_view_key(struct topo_view *v, const struct key *key);
void topo_view_draw(const struct topo_view *v, struct canvas *c);
