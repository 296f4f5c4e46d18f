/* Call trees for the tests of core/prof: files that are made, and read into trees. */
#pragma once

#include "../lib/profmake.h"
#include "unit.h"

#include "core/prof/names.h"
#include "core/prof/v2.h"

enum { MAIN = 0x1000, FOO = 0x1040, BAR = 0x1080 };

static inline const struct prof_node *node_at(const struct prof_tree *t, uint64_t pc)
{
    for (size_t i = 0; i < t->nodes; i++)
        if (prof_linked(t, prof_place_at(t, t->node[i].place)) == pc)
            return &t->node[i];
    return NULL;
}

static inline void read_made(const struct profmake *m, struct prof_tree *t)
{
    struct fail f;
    CHECK_INT(prof_v2_read(m->bytes, profmake_len(m), t, &f), 0);
}

/* main calls foo a hundred times, foo bar; the bias is 0x50000. */
static inline void make_funcs(struct profmake *m, bool big, uint32_t type)
{
    profmake_start(m, big, type);
    uint32_t prog = profmake_module(m, "/bin/prog", 0x50000, (const uint8_t *)"\1\2\3", 3);
    uint32_t thread = profmake_thread(m, 7, "main", 1000);
    uint32_t main = profmake_node(m, profmake_root(m, thread), prog, 0x50000 + MAIN, 1, 1000);
    uint32_t foo = profmake_node(m, main, prog, 0x50000 + FOO, 100, 800);
    profmake_node(m, foo, prog, 0x50000 + BAR, 100, 200);
}
