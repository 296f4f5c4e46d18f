/*
 * write: the forms that Topo prints, and the values of its drawing. Functions and names in them are
 * in the order of topo_finish.
 */
#pragma once

#include "core/topo/topo.h"

struct buf;

/* As core/topo/read.h describes them. 0 or -ENOMEM. */
int topo_write_human(const struct topo *t, struct buf *out);
int topo_write_machine(const struct topo *t, struct buf *out);

/* How a function is drawn. */
struct topo_look {
    unsigned diameter; /* 100 for the start function, less with the least call depth; never 0 */
    double red;        /* 0 short to 1, the longest total time of all: from green to red */
    double alpha;      /* share of local in total time: 1, all of it, is bright; 0 is faded */
};
/* longest: topo_longest(t), which is the same for all. */
struct topo_look topo_look(const struct topo_function *f, uint64_t longest);
uint64_t topo_longest(const struct topo *t);

/* A header, then name, diameter, red and alpha of each function, separated by tabs. 0 or -ENOMEM.
 */
int topo_write_draw(const struct topo *t, struct buf *out);

/* For each reason for which runs were dropped: "3 runs dropped: REASON", between these. Lines that
 * begin with TOPO_DROPPED_MARK end the form "events", whose reader counts them again. */
void topo_dropped_text(const struct topo *t, const char *before, const char *behind,
                       struct buf *out);
