/* ninep_talk: a scripted client of core/ninep/server: one message, its answer. */
#pragma once

#include "core/ninep/server.h"
#include "ninep_ram.h"

struct talk {
    struct ram ram;
    struct ninep_server *server;
    enum ninep_dialect dialect;
    struct buf in, out;
    struct ninep_msg reply; /* points into out */
};

static inline void talk_send(struct talk *t, struct ninep_msg m)
{
    ninep_write(&m, m.type == NINEP_TVERSION ? NINEP_PLAIN : t->dialect, &t->in);
    long used = ninep_server_serve(t->server, t->in.data, t->in.len, &t->out, NULL);
    if (used > 0)
        memmove(t->in.data, t->in.data + used, t->in.len -= (size_t)used);
}

/* The next answer: its type, 0: none. reply holds until then. */
static inline int talk_next(struct talk *t, size_t *at)
{
    long n = ninep_message_size(t->out.data ? t->out.data + *at : "", t->out.len - *at, UINT32_MAX);
    if (n <= 0)
        return 0;
    if (ninep_read(t->out.data + *at, (size_t)n, t->dialect, &t->reply) < 0)
        return -1;
    *at += (size_t)n;
    return t->reply.type;
}

static inline int talk(struct talk *t, struct ninep_msg m)
{
    size_t at = 0;
    buf_clear(&t->out);
    talk_send(t, m);
    int type = talk_next(t, &at);
    return at == t->out.len ? type : -1;
}

static inline int talk_version(struct talk *t, const char *version, uint32_t msize)
{
    t->dialect = NINEP_PLAIN;
    int type = talk(t, (struct ninep_msg){.type = NINEP_TVERSION,
                                          .tag = NINEP_NOTAG,
                                          .session.msize = msize,
                                          .session.version = ninep_text(version)});
    ninep_dialect(t->reply.session.version, &t->dialect);
    return type;
}

static inline int talk_attach(struct talk *t, uint32_t fid)
{
    return talk(t, (struct ninep_msg){.type = NINEP_TATTACH,
                                      .newfid = fid,
                                      .fid = NINEP_NOFID,
                                      .session.uname = ninep_text("u"),
                                      .session.aname = ninep_text("")});
}

/* A path of elements with slashes between; "" for a clone. */
static inline struct ninep_msg talk_walk(uint32_t fid, uint32_t newfid, const char *path)
{
    struct ninep_msg m = {.type = NINEP_TWALK, .fid = fid, .newfid = newfid};
    while (*path) {
        size_t len = strcspn(path, "/");
        m.walk.name[m.walk.count++] = (struct ninep_text){path, (uint16_t)len};
        path += len + (path[len] == '/');
    }
    return m;
}

static inline void talk_begin(struct talk *t, bool host, const char *version)
{
    memset(t, 0, sizeof *t);
    ram_init(&t->ram);
    uint64_t lib = (uint64_t)ram_dir(&t->ram, 0, "lib"),
             ndb = (uint64_t)ram_dir(&t->ram, lib, "ndb");
    ram_put(&t->ram, ndb, "local", "sys=gnot\n");
    ram_put(&t->ram, 0, "wait", "now");
    ram_put(&t->ram, 0, "ctl", "");
    struct ninep_tree tree = ram_tree(&t->ram, host);
    t->server = ninep_server_new(&tree, &(struct ninep_limits){.fids = 16, .waiting = 3});
    talk_version(t, version, 8192);
    talk_attach(t, 0);
}

/* How many files stayed held or open. */
static inline int talk_end(struct talk *t)
{
    ninep_server_free(t->server);
    int held = ram_held(&t->ram);
    ram_release(&t->ram);
    buf_release(&t->in);
    buf_release(&t->out);
    return held;
}

/* Whether the reply is an error in these words. */
static inline bool talk_failed(const struct talk *t, const char *words)
{
    return t->reply.type == NINEP_RERROR && ninep_text_equals(t->reply.failure.text, words);
}
