/* ninep_pair: a client and a server of core/ninep that talk when they are let, and what a server
 * says that lies. */
#pragma once

#include "../../src/core/ninep/files_private.h"
#include "ninep_talk.h"

struct pair {
    struct talk t;
    struct ninep_client *client;
    struct ninep_files *files;
    struct ns_server ns;
};

/* All that is to be said, in pieces of so many bytes. */
static inline long deliver(struct pair *p, size_t piece)
{
    struct buf *out = ninep_client_out(p->client), *back = &p->t.out;
    long r = 0;
    buf_clear(back);
    size_t used = 0;
    for (size_t to = 0; to < out->len;) {
        to = to + piece < out->len ? to + piece : out->len;
        long n = ninep_server_serve(p->t.server, out->data + used, to - used, back, NULL);
        used += n > 0 ? (size_t)n : 0;
    }
    buf_clear(out);
    used = 0;
    for (size_t to = 0; r >= 0 && to < back->len;) {
        to = to + piece < back->len ? to + piece : back->len;
        r = ninep_client_receive(p->client, back->data + used, to - used, NULL);
        used += r > 0 ? (size_t)r : 0;
    }
    return r;
}

static inline void settle(struct pair *p)
{
    for (int i = 0; i < 100 && ninep_client_out(p->client)->len; i++)
        deliver(p, 1 << 20);
}

static inline void pair_begin(struct pair *p)
{
    talk_begin(&p->t, false, "9P2000");
    p->client = ninep_client_new(0, "glenda", "");
    p->files = ninep_files_new(p->client, 42);
    p->ns = ninep_files_server(p->files);
    settle(p);
}

static inline void pair_end(struct pair *p)
{
    ninep_files_free(p->files);
    settle(p);
    CHECK_INT(ninep_client_pending(p->client), 0);
    CHECK_INT(ninep_server_fids(p->t.server), 1);
    ninep_client_free(p->client);
    CHECK_INT(talk_end(&p->t), 0);
}

/* A call that is -EINPROGRESS until its answer has come. */
#define SOON(p, call)                                                                              \
    ({                                                                                             \
        long r_;                                                                                   \
        int tries_ = 0;                                                                            \
        while ((r_ = (call)) == -EINPROGRESS && tries_++ < 20)                                     \
            settle(p);                                                                             \
        r_;                                                                                        \
    })

static inline uint64_t walk(struct pair *p, const char *path)
{
    uint64_t at = 0;
    while (*path) {
        char name[64] = "";
        size_t len = strcspn(path, "/");
        memcpy(name, path, len);
        CHECK_INT(SOON(p, p->ns.calls->walk(p->ns.state, at, name, &at, NULL)), 0);
        path += len + (path[len] == '/');
    }
    return at;
}

static inline void *open_at(struct pair *p, uint64_t path, unsigned how)
{
    void *file = NULL;
    CHECK_INT(SOON(p, p->ns.calls->open(p->ns.state, path, how, &file, NULL)), 0);
    return file;
}

static inline long say(struct ninep_client *c, struct ninep_msg m)
{
    struct buf b = BUF_INIT;
    struct fail f;
    ninep_write(&m, NINEP_PLAIN, &b);
    long r = ninep_client_receive(c, b.data, b.len, &f);
    buf_release(&b);
    return r;
}

static inline struct ninep_client *attached(void)
{
    struct ninep_client *c = ninep_client_new(0, "u", "");
    say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                              .tag = NINEP_NOTAG,
                              .session.msize = 4096,
                              .session.version = ninep_text("9P2000")});
    say(c, (struct ninep_msg){.type = NINEP_RATTACH, .tag = NINEP_NOTAG});
    CHECK_INT(ninep_client_ready(c, NULL), 1);
    return c;
}

/* A server that speaks 9P2000.L alone: as if ours had refused the plain version. */
static inline void pair_begin_linux(struct pair *p)
{
    talk_begin(&p->t, false, "9P2000.L");
    p->client = ninep_client_new(0, "glenda", "");
    ninep_client_set_uid(p->client, 1000);
    buf_clear(ninep_client_out(p->client));
    say(p->client, (struct ninep_msg){.type = NINEP_RVERSION,
                                      .tag = NINEP_NOTAG,
                                      .session.msize = 8192,
                                      .session.version = ninep_text("unknown")});
    p->files = ninep_files_new(p->client, 42);
    p->ns = ninep_files_server(p->files);
    settle(p);
    CHECK_INT(ninep_client_ready(p->client, NULL), 1);
    CHECK_INT(ninep_client_dialect(p->client), NINEP_L);
}
