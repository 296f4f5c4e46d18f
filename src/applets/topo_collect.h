/* topo_collect: collects the calls that topo writes. */
#pragma once

#include "applets/applet.h"

#include <stdint.h>

struct buf;
struct topo;

extern const struct applet applet_topo;

struct topo_collect_request {
    const char *module; /* NULL: any */
    uint64_t runs;      /* 0: not given */
    double seconds;     /* 0: until there are so many */
    bool probes;
};

/* Whether an operand is a function, and no file: what is no file but could be a name, or anything
 * for which a module or a number of runs is given. */
bool topo_is_function(const struct topo_collect_request *q, const char *operand);

/* Collects into t, which is initialised, and reports what is missing. events: NULL or appended to.
 * Returns the exit status. */
int topo_collect(const struct topo_collect_request *q, const char *function, struct topo *t,
                 struct buf *events);
