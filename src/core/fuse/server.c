#include "core/fuse/server.h"

#include "server_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fuse_server *fuse_server_new(const struct fuse_tree *tree)
{
    struct fuse_server *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->tree = *tree;
    if (fs_held_init(s))
        return s;
    free(s);
    return NULL;
}

static void drop_kept(struct fuse_server *s, size_t i)
{
    fs_node_forget(s, s->kept[i].found, 1);
    free(s->kept[i].bytes);
    s->kept[i] = s->kept[--s->waiting];
}

void fuse_server_free(struct fuse_server *s)
{
    if (!s)
        return;
    while (s->waiting)
        drop_kept(s, 0);
    fs_held_release(s);
    free(s);
}

size_t fuse_server_waiting(const struct fuse_server *s)
{
    return s->waiting;
}

size_t fuse_server_nodes(const struct fuse_server *s)
{
    return s->known;
}

size_t fuse_server_opens(const struct fuse_server *s)
{
    return s->open_now;
}

size_t fuse_reply_length(const struct buf *out, size_t at)
{
    uint32_t len;
    if (out->len - at < FUSE_HEAD_OUT)
        return 0;
    memcpy(&len, out->data + at, sizeof len);
    return len;
}

/* --- replies --- */

static void reply_error(struct buf *out, uint64_t unique, int error)
{
    uint8_t head[FUSE_HEAD_OUT];
    fuse_reply_head(head, unique, error, 0);
    buf_add(out, head, sizeof head);
}

/* Whoever opened the file O_NONBLOCK does not. */
static bool may_wait(const struct fuse_ask *ask)
{
    enum { O_NO_WAIT = 04000 };
    return (ask->op != FUSE_OP_READ && ask->op != FUSE_OP_WRITE) || !(ask->flags & O_NO_WAIT);
}

/* Appends the whole reply: 0; 1, it waits, and nothing is appended; -ENOMEM. */
static int reply(struct fuse_server *s, const struct fuse_ask *ask, uint64_t *found,
                 struct buf *out, struct fail *f)
{
    static const uint8_t room[FUSE_HEAD_OUT];
    size_t start = out->len;
    buf_add(out, room, sizeof room);
    int r = buf_error(out) ? -ENOMEM : fs_answer(s, ask, found, out, f);
    if (buf_error(out))
        return fail_set(f, ENOMEM, "FUSE");
    if (r < 0)
        out->len = start;
    if (r == -EINPROGRESS || (r == -EAGAIN && may_wait(ask)))
        return 1;
    if (r < 0)
        reply_error(out, ask->unique, r);
    else
        fuse_reply_head(out->data + start, ask->unique, 0, out->len - start - FUSE_HEAD_OUT);
    return buf_error(out) ? fail_set(f, ENOMEM, "FUSE") : 0;
}

/* --- those that wait --- */

static bool keep(struct fuse_server *s, uint64_t unique, uint64_t found, const void *request,
                 size_t len)
{
    uint8_t *copy = s->waiting < FUSE_SERVER_WAITING ? malloc(len) : NULL;
    if (!copy)
        return false;
    memcpy(copy, request, len);
    s->kept[s->waiting++] = (struct fs_kept){unique, found, len, copy};
    return true;
}

static void interrupt(struct fuse_server *s, uint64_t unique, struct buf *out)
{
    for (size_t i = 0; i < s->waiting; i++)
        if (s->kept[i].unique == unique) {
            drop_kept(s, i);
            reply_error(out, unique, -EINTR);
            return;
        }
}

int fuse_server_retry(struct fuse_server *s, struct buf *out, struct fail *f)
{
    struct fuse_ask ask;
    for (size_t i = 0; i < s->waiting;) {
        int r = fuse_ask_decode(s->kept[i].bytes, s->kept[i].len, &ask);
        r = r < 0 ? r : reply(s, &ask, &s->kept[i].found, out, f);
        if (r < 0)
            return r;
        if (r > 0)
            i++;
        else
            drop_kept(s, i);
    }
    return 0;
}

void fuse_server_refuse(struct fuse_server *s, int error, struct buf *out)
{
    for (; s->waiting; drop_kept(s, 0))
        reply_error(out, s->kept[0].unique, error);
}

static int handle_of(const struct fuse_server *s, const struct fs_kept *k)
{
    const struct ns_server *files = &s->tree.files;
    struct fuse_ask ask;
    if (!files->calls->handle || fuse_ask_decode(k->bytes, k->len, &ask) < 0 ||
        (ask.op != FUSE_OP_READ && ask.op != FUSE_OP_WRITE))
        return -1;
    const struct fs_open *o = fs_open_at(s, ask.fh);
    return o && !o->directory ? files->calls->handle(files->state, o->file, s->node[o->node].path)
                              : -1;
}

size_t fuse_server_handles(const struct fuse_server *s, int *handle, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < s->waiting && n < room; i++) {
        handle[n] = handle_of(s, &s->kept[i]);
        n += handle[n] >= 0;
    }
    return n;
}

/* --- a request --- */

/* Those that are answered by nothing. */
static bool take_silently(struct fuse_server *s, const struct fuse_ask *ask, struct buf *out)
{
    uint64_t node, lookups;
    switch (ask->op) {
    case FUSE_OP_FORGET:
        fs_node_forget(s, ask->node, ask->size);
        return true;
    case FUSE_OP_BATCH_FORGET:
        for (size_t i = 0; fuse_ask_forget(ask, i, &node, &lookups); i++)
            fs_node_forget(s, node, lookups);
        return true;
    case FUSE_OP_INTERRUPT:
        interrupt(s, ask->stopped, out);
        return true;
    default:
        return false;
    }
}

static int answer(struct fuse_server *s, const struct fuse_ask *ask, const void *request,
                  size_t len, struct buf *out, struct fail *f)
{
    uint64_t found = 0;
    int r = reply(s, ask, &found, out, f);
    if (r == 1 && !keep(s, ask->unique, found, request, len)) {
        fs_node_forget(s, found, 1);
        reply_error(out, ask->unique, -EAGAIN);
    }
    return r < 0 ? r : 0;
}

int fuse_server_take(struct fuse_server *s, const void *request, size_t len, struct buf *out,
                     struct fail *f)
{
    struct fuse_ask ask;
    if (len < FUSE_HEAD_IN)
        return fail_set(f, EPROTO, "FUSE: a request of %zu bytes", len);
    int r = fuse_ask_decode(request, len, &ask);
    if (r < 0)
        reply_error(out, ask.unique, r);
    else if (!take_silently(s, &ask, out) && (r = answer(s, &ask, request, len, out, f)) < 0)
        return r;
    return buf_error(out) ? fail_set(f, ENOMEM, "FUSE") : 0;
}
