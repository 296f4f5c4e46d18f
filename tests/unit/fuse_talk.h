/* fuse_talk: a kernel that asks core/fuse/server: one request, its replies. */
#pragma once

#include "../../src/core/fuse/server_parts.h"
#include "ninep_ram.h"

#include "core/fuse/server.h"
#include "core/fuse/wire.h"

struct talk {
    struct ram ram;
    struct fuse_server *s;
    struct buf out;
    uint64_t unique;
    int32_t error; /* of the last reply */
    const uint8_t *body;
    size_t len;
    size_t replies;
};

static inline void begin(struct talk *t)
{
    memset(t, 0, sizeof *t);
    ram_init(&t->ram);
    t->ram.by_kernel = true;
    uint64_t d = (uint64_t)ram_dir(&t->ram, 0, "d");
    ram_put(&t->ram, d, "f", "contents");
    ram_put(&t->ram, 0, "wait", "late");
    struct ninep_tree tree = ram_tree(&t->ram, true);
    tree.files.uid = 7;
    tree.files.gid = 8;
    t->s = fuse_server_new(&tree.files);
}

/* Files that the kernel knows, with the root. */
static inline int known(const struct talk *t)
{
    int n = 1;
    for (size_t i = 0; i < RAM_FILES; i++)
        n += t->ram.file[i].held > 0;
    return n;
}

/* What the kernel knows at the end it does not give back; all that was open is closed. */
static inline void end(struct talk *t)
{
    fuse_server_free(t->s);
    for (size_t i = 0; i < RAM_FILES; i++)
        CHECK_INT(t->ram.file[i].open, 0);
    ram_release(&t->ram);
    buf_release(&t->out);
}

static inline void look_at_replies(struct talk *t)
{
    size_t n;
    t->replies = 0;
    for (size_t at = 0; (n = fuse_reply_length(&t->out, at)) != 0; at += n, t->replies++) {
        memcpy(&t->error, t->out.data + at + 4, sizeof t->error);
        t->body = (const uint8_t *)t->out.data + at + FUSE_HEAD_OUT;
        t->len = n - FUSE_HEAD_OUT;
    }
}

static inline void ask(struct talk *t, uint32_t op, uint64_t node, const void *body, size_t len)
{
    uint8_t request[512] = {0};
    uint32_t whole = (uint32_t)(FUSE_HEAD_IN + len);
    memcpy(request, &whole, sizeof whole);
    memcpy(request + 4, &op, sizeof op);
    t->unique++;
    memcpy(request + 8, &t->unique, sizeof t->unique);
    memcpy(request + 16, &node, sizeof node);
    if (len)
        memcpy(request + FUSE_HEAD_IN, body, len);
    buf_clear(&t->out);
    t->error = 0;
    CHECK_INT(fuse_server_serve(t->s, request, whole, &t->out, NULL), 0);
    look_at_replies(t);
}

static inline uint64_t body_u64(const struct talk *t, size_t at)
{
    uint64_t v = 0;
    if (at + sizeof v <= t->len)
        memcpy(&v, t->body + at, sizeof v);
    return v;
}

static inline uint64_t look(struct talk *t, uint64_t node, const char *name)
{
    ask(t, FUSE_OP_LOOKUP, node, name, strlen(name) + 1);
    return t->error ? 0 : body_u64(t, 0);
}

static inline uint64_t open_node(struct talk *t, uint32_t op, uint64_t node, uint32_t flags)
{
    uint32_t body[2] = {flags, 0};
    ask(t, op, node, body, sizeof body);
    return t->error ? 0 : body_u64(t, 0);
}

struct io {
    uint64_t fh, offset;
    uint32_t size, how;
    uint64_t owner;
    uint32_t flags, padding;
    char data[64];
};

static inline void read_at(struct talk *t, uint32_t op, uint64_t fh, uint64_t offset, uint32_t size,
                           uint32_t flags)
{
    struct io io = {.fh = fh, .offset = offset, .size = size, .flags = flags};
    ask(t, op, 1, &io, 40);
}

static inline void forget(struct talk *t, uint64_t node, uint64_t lookups)
{
    ask(t, FUSE_OP_FORGET, node, &lookups, sizeof lookups);
}

static inline void close_it(struct talk *t, uint32_t op, uint64_t fh)
{
    uint64_t body[3] = {fh, 0, 0};
    ask(t, op, 1, body, sizeof body);
}
