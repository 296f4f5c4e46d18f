#include "core/insn/exclusive.h"

#include "exclusive_code.h"

enum { MAX_SEQUENCE = 32 /* instructions */, MAX_BEHIND = 4, NO_BRANCH = SIZE_MAX };

void exclusive_put(struct exclusive_copying *c, uint32_t code, unsigned bytes)
{
    struct exclusive *e = c->out;
    if (e->len + bytes > EXCLUSIVE_MAX_BYTES) {
        c->failed = true;
        return;
    }
    for (unsigned i = 0; i < bytes; i++)
        e->bytes[e->len++] = (uint8_t)(code >> 8 * i);
}

/* The node's number from 1. */
static uint8_t add_node(struct exclusive_copying *c, uint64_t address, uint8_t before, bool leaves)
{
    struct exclusive *e = c->out;
    if (e->nodes == EXCLUSIVE_MAX_NODES) {
        c->failed = true;
        return 0;
    }
    e->node[e->nodes] = (struct exclusive_node){
        .address = address, .at = (uint16_t)e->len, .before = before, .leaves = leaves};
    return (uint8_t)++e->nodes;
}

/* In the middle of an IT block, the processor would have to be told. */
static void leave(struct exclusive_copying *c, const struct exclusive_path *p)
{
    c->failed |= p->it != 0;
    add_node(c, p->address, p->before, true);
    c->processor->put_breakpoint(c);
}

static void add_path(struct exclusive_copying *c, struct exclusive_path p)
{
    if (c->paths == EXCLUSIVE_MAX_NODES)
        c->failed = true;
    else
        c->path[c->paths++] = p;
}

/* Past one whose condition does not hold. */
static void add_skip(struct exclusive_copying *c, const struct exclusive_path *p, uint8_t it,
                     const struct exclusive_insn *i)
{
    add_path(c,
             (struct exclusive_path){p->address + i->len, p->before, it, p->stored, c->out->len});
    c->processor->put_skip(c, i->condition);
}

/* Where the store has failed, the copy begins again. */
static void add_branch(struct exclusive_copying *c, const struct exclusive_path *p, uint64_t target,
                       size_t at)
{
    if (p->stored && target == c->start)
        c->processor->lead(c, at, 0);
    else
        add_path(c, (struct exclusive_path){target, p->before, p->it, p->stored, at});
}

static bool stays(const struct exclusive_copying *c, uint64_t from, uint64_t to)
{
    return to > from && to < c->end;
}

/* Copies one instruction of a path; false: it has left the sequence. */
static bool copy_one(struct exclusive_copying *c, struct exclusive_path *p)
{
    struct exclusive_insn i;
    uint8_t it = p->it;
    if (p->address >= c->end || !c->processor->read(c, p->address, &it, &i) ||
        i.kind == EXCLUSIVE_LEAVES || (i.kind == EXCLUSIVE_LOAD && p->address != c->start)) {
        leave(c, p);
        return false;
    }
    c->failed |= i.kind == EXCLUSIVE_FIXED;
    if (i.condition != EXCLUSIVE_ALWAYS)
        add_skip(c, p, it, &i);
    size_t at = c->out->len;
    p->before = add_node(c, p->address, p->before, false);
    p->it = it;
    p->stored |= i.kind == EXCLUSIVE_STORE;
    c->processor->put(c, &i);
    if (i.kind == EXCLUSIVE_BRANCH)
        add_branch(c, p, i.target, at);
    bool back = i.kind == EXCLUSIVE_JUMP && !stays(c, p->address, i.target);
    p->address = i.kind == EXCLUSIVE_JUMP ? i.target : p->address + i.len;
    if (back)
        leave(c, p);
    return !back && !c->failed;
}

/* A branch back leads out, too: to be stepped, or to begin again. */
static void copy_path(struct exclusive_copying *c, struct exclusive_path p)
{
    if (p.branch != NO_BRANCH)
        c->processor->lead(c, p.branch, c->out->len);
    uint64_t from = p.before ? c->out->node[p.before - 1].address : 0;
    if (p.branch != NO_BRANCH && !stays(c, from, p.address)) {
        leave(c, &p);
        return;
    }
    while (copy_one(c, &p))
        ;
}

/* The branch behind the store, which begins again if it has failed, belongs to the sequence. */
static void find_retry(struct exclusive_copying *c, uint8_t it)
{
    struct exclusive_insn i;
    uint64_t at = c->end;
    for (int n = 0; n < MAX_BEHIND && c->processor->read(c, at, &it, &i); n++, at += i.len) {
        if (i.kind == EXCLUSIVE_BRANCH && i.target == c->start && it == 0)
            c->end = at + i.len;
        if (i.kind != EXCLUSIVE_PLAIN)
            return;
    }
}

/* The first store behind the load. */
static bool find_end(struct exclusive_copying *c)
{
    struct exclusive_insn i;
    uint64_t at = c->start;
    uint8_t it = 0;
    for (int n = 0; n < MAX_SEQUENCE; n++, at += i.len) {
        if (!c->processor->read(c, at, &it, &i) || (n == 0) != (i.kind == EXCLUSIVE_LOAD))
            return false;
        c->end = at + i.len;
        if (i.kind == EXCLUSIVE_STORE) {
            find_retry(c, it);
            return true;
        }
    }
    return false;
}

bool exclusive_copy(struct exclusive_copying *c, uint64_t address, struct exclusive *out)
{
    c->out = out;
    c->start = address;
    out->nodes = out->len = 0;
    if (!find_end(c))
        return false;
    add_path(c, (struct exclusive_path){.address = address, .branch = NO_BRANCH});
    for (size_t i = 0; i < c->paths && !c->failed; i++)
        copy_path(c, c->path[i]);
    return !c->failed;
}

/* --- where a thread is --- */

const struct exclusive_node *exclusive_node_at(const struct exclusive *e, uint64_t at)
{
    for (size_t i = 0; i < e->nodes; i++)
        if (e->node[i].at >= at)
            return &e->node[i];
    return NULL;
}

size_t exclusive_path(const struct exclusive *e, const struct exclusive_node *n,
                      const struct exclusive_node *out[EXCLUSIVE_MAX_NODES])
{
    size_t len = 0, at;
    for (const struct exclusive_node *x = n; x->before; x = &e->node[x->before - 1])
        len++;
    at = len;
    for (const struct exclusive_node *x = n; x->before; x = &e->node[x->before - 1])
        out[--at] = &e->node[x->before - 1];
    return len;
}
