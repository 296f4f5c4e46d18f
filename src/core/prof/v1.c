#include "core/prof/v1.h"

#include "build.h"
#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/base/time_ns.h"

#include <errno.h>
#include <stdlib.h>

enum { NO_LINK = 0xffff };

/* --- reading --- */

struct reading {
    const uint8_t *bytes;
    int32_t root_ms;
};

static uint32_t link_at(const uint8_t *b)
{
    uint16_t link = get_be16(b);
    return link == NO_LINK ? PROF_NONE : link;
}

static void read_record(void *arg, uint32_t index, struct prof_record *out)
{
    const struct reading *r = arg;
    const uint8_t *b = r->bytes + (size_t)index * PROF_V1_RECORD;
    int64_t ms = (int32_t)get_be32(b + 12);
    uint32_t count = get_be32(b + 8);
    *out = (struct prof_record){.pc = get_be32(b + 4),
                                .count = count,
                                .timed = count,
                                .open = ms < 0,
                                .time_ns = (ms < 0 ? ms + r->root_ms : ms) * NS_PER_MS,
                                .down = link_at(b),
                                .right = link_at(b + 2),
                                .module = 0};
}

/* The root's callee is followed without a look, as Plan 9 does: none at all is an index, too. */
static int read_all(struct prof_tree *t, struct prof_source *s, const uint8_t *bytes)
{
    struct reading *r = s->arg;
    if (!prof_add_module(t, "") || !prof_add_thread(t))
        return -ENOMEM;
    r->root_ms = t->about.root_ms = (int32_t)get_be32(bytes + 12);
    s->taken[0] = 1;
    int e = prof_graft(t, s, get_be16(bytes), 0);
    return e ? e : prof_tree_settle(t, false);
}

int prof_v1_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f)
{
    struct reading r = {.bytes = bytes};
    struct prof_source s = {.limit = len / PROF_V1_RECORD, .record = read_record, .arg = &r};
    prof_tree_init(t);
    t->about.version = 1;
    if (s.limit == 0)
        return 0;
    SCOPED_FREE uint8_t *taken = calloc(s.limit / 8 + 1, 1);
    s.taken = taken;
    int e = taken ? read_all(t, &s, bytes) : -ENOMEM;
    return e < 0 ? fail_set(f, ENOMEM, "profile") : 0;
}

/* --- writing --- */

struct writing {
    const struct prof_tree *tree;
    uint32_t
        *node; /* the nodes that are written, a record each from 1 on: callers before callees */
    uint16_t *down;  /* of a record: its first callee's; record 0 the root */
    uint16_t *right; /* and its next sibling's */
    size_t count;    /* records, the root among them */
    struct buf *out;
    struct prof_v1_lost *lost;
};

/* Adds a chain of siblings up to the capacity. Returns the record of the first one. */
static uint16_t add_chain(struct writing *w, uint32_t n)
{
    uint16_t first = NO_LINK;
    for (size_t newer = 0; n != PROF_NONE && w->count < PROF_V1_MAX_RECORDS;
         n = w->tree->node[n].right) {
        if (first == NO_LINK)
            first = (uint16_t)w->count;
        else
            w->right[newer] = (uint16_t)w->count;
        newer = w->count;
        w->down[w->count] = w->right[w->count] = NO_LINK;
        w->node[w->count++] = n;
    }
    return first;
}

/* Threads follow each other as siblings. */
static void add_threads(struct writing *w)
{
    w->down[0] = w->right[0] = NO_LINK;
    w->count = 1;
    for (size_t i = w->tree->threads; i--;) {
        size_t last = w->count - 1;
        uint16_t first = add_chain(w, w->tree->thread[i].first);
        if (first != NO_LINK && last == 0)
            w->down[0] = first;
        else if (first != NO_LINK)
            w->right[last] = first;
    }
}

/* Level by level, so that beyond the capacity the deepest calls are dropped. */
static void collect_nodes(struct writing *w)
{
    add_threads(w);
    for (size_t i = 1; i < w->count; i++)
        w->down[i] = add_chain(w, w->tree->node[w->node[i]].down);
    w->lost->nodes = w->tree->nodes - (w->count - 1);
}

static uint32_t pc_of(struct writing *w, const struct prof_node *n)
{
    const struct prof_place *p = prof_place_at(w->tree, n->place);
    uint64_t pc = p->module == 0 ? p->pc - w->tree->module[0].bias : UINT64_MAX;
    if (pc <= UINT32_MAX)
        return (uint32_t)pc;
    w->lost->foreign++;
    return 0;
}

static uint32_t ms_of(uint64_t ns)
{
    uint64_t ms = ns / NS_PER_MS;
    return ms < INT32_MAX ? (uint32_t)ms : INT32_MAX;
}

static void add_record(struct writing *w, size_t i, uint32_t pc, uint64_t count, uint64_t ns)
{
    uint8_t b[PROF_V1_RECORD];
    put_be32(b, (uint32_t)w->down[i] << 16 | w->right[i]);
    put_be32(b + 4, pc);
    put_be32(b + 8, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX);
    put_be32(b + 12, ms_of(ns));
    buf_add(w->out, b, sizeof b);
}

static void add_all(struct writing *w)
{
    uint64_t total = 0;
    for (size_t i = 0; i < w->tree->threads; i++)
        total += w->tree->thread[i].total_ns;
    add_record(w, 0, 0, 0, total);
    for (size_t i = 1; i < w->count; i++) {
        const struct prof_node *n = &w->tree->node[w->node[i]];
        add_record(w, i, pc_of(w, n), n->count, n->total_ns);
    }
}

int prof_v1_write(const struct prof_tree *t, struct buf *out, struct prof_v1_lost *lost)
{
    SCOPED_FREE uint32_t *node = malloc(PROF_V1_MAX_RECORDS * sizeof *node);
    SCOPED_FREE uint16_t *down = malloc(PROF_V1_MAX_RECORDS * sizeof *down);
    SCOPED_FREE uint16_t *right = malloc(PROF_V1_MAX_RECORDS * sizeof *right);
    struct writing w = {t, node, down, right, 0, out, lost};
    *lost = (struct prof_v1_lost){0};
    if (!node || !down || !right)
        return -ENOMEM;
    collect_nodes(&w);
    add_all(&w);
    return buf_error(out);
}
