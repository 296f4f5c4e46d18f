/* What holds of every call tree that was read, whatever the bytes were; and all that is made of
 * one. */
#pragma once

#include "core/base/buf.h"
#include "core/prof/report.h"
#include "core/prof/stacks.h"
#include "core/prof/v1.h"
#include "core/symbol/demangle.h"

#include <stdlib.h>

static inline void prof_check_find(void *arg, uint32_t module, uint64_t address,
                                   struct prof_found *out)
{
    (void)arg;
    if (module < 2 && address < 0x8000)
        *out = (struct prof_found){.symbol = address < 0x1040 ? "_ZN3jit3runEv" : "foo",
                                   .start = address & ~UINT64_C(0x3f)};
}

static inline bool prof_check_enter(void *arg, uint32_t node, size_t depth)
{
    (void)node;
    (void)depth;
    (*(size_t *)arg)++;
    return true;
}

/* Each node is met once, in either order, and callers stand before their callees. */
static inline void prof_check_tree(const struct prof_tree *t)
{
    size_t met[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        struct prof_walk w = {.enter = prof_check_enter, .arg = &met[i], .oldest = i == 1};
        prof_tree_walk(t, PROF_NONE, &w);
    }
    if (met[0] != t->nodes || met[1] != t->nodes)
        abort();
    for (uint32_t i = 0; i < t->nodes; i++)
        if (t->node[i].parent != PROF_NONE && t->node[i].parent >= i)
            abort();
}

static inline void prof_check_reports(const struct prof_tree *t, const struct prof_names *n)
{
    struct buf out = BUF_INIT;
    struct prof_flat flat;
    if (prof_flat_make(n, PROF_NONE, &flat) == 0) {
        uint64_t calls = 0, all = 0;
        struct prof_flat_options look = {.max_rows = 2, .lines = true, .errors = true};
        for (size_t i = 0; i < flat.rows; i++)
            calls += flat.row[i].calls;
        for (size_t i = 0; i < t->nodes; i++)
            all += t->node[i].count;
        if (t->about.version == 1 && calls > all)
            abort();
        prof_flat_text(&flat, &look, &out);
    }
    prof_flat_release(&flat);
    prof_graph_text(n, PROF_NONE, &(struct prof_graph_options){false, 4}, &out);
    prof_graph_text(n, PROF_NONE, &(struct prof_graph_options){true, 3}, &out);
    prof_nodes_text(n, PROF_NONE, &out);
    prof_json(n, "exact", true, &out);
    prof_remarks(t, true, &out);
    prof_method(t, false, &out);
    buf_release(&out);
}

static inline void prof_check_stacks(const struct prof_names *n)
{
    struct stacks s;
    size_t flattened;
    struct prof_stacks_want want = {PROF_NONE, true, 3};
    prof_stacks(n, &want, &s, &flattened);
    stacks_release(&s);
}

/* What is written as version 1 has the same calls, as far as 32 bits and the format reach. */
static inline void prof_check_v1(const struct prof_tree *t)
{
    struct prof_tree again;
    struct buf out = BUF_INIT;
    struct prof_v1_lost lost;
    if (prof_v1_write(t, &out, &lost) == 0) {
        prof_v1_read((const uint8_t *)out.data, out.len, &again, NULL);
        if (again.nodes + lost.nodes != t->nodes || (again.nodes && again.notes))
            abort();
        prof_check_tree(&again);
        prof_tree_release(&again);
    }
    buf_release(&out);
}

static inline void prof_check(struct prof_tree *t)
{
    struct demangler names = {.off = false};
    struct prof_naming by = {.find = prof_check_find, .names = &names};
    struct prof_names n;
    prof_check_tree(t);
    if (prof_names_make(t, &by, &n) == 0) {
        prof_check_reports(t, &n);
        prof_check_stacks(&n);
    }
    prof_names_release(&n);
    demangler_release(&names);
    if (t->modules)
        prof_check_v1(t);
    prof_tree_settle(t, true);
}
