#include "core/fuse/server.h"

#include "server_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fuse_server *fuse_server_new(const struct ns_served *tree)
{
    struct fuse_server *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->tree = *tree;
    if (ns_waiting_init(&s->waiting, FUSE_SERVER_WAITING))
        return s;
    free(s);
    return NULL;
}

static void drop_kept(struct fuse_server *s, struct ns_kept *k)
{
    fs_forget(s, k->object, 1);
    ns_waiting_drop(&s->waiting, k);
}

void fuse_server_set_caller_fn(struct fuse_server *s, fuse_caller_fn *caller_fn)
{
    s->caller_fn = caller_fn;
}

void fuse_server_free(struct fuse_server *s)
{
    if (!s)
        return;
    while (s->waiting.count)
        drop_kept(s, s->waiting.kept);
    ns_waiting_release(&s->waiting);
    fs_open_close_all(s);
    free(s);
}

size_t fuse_server_waiting(const struct fuse_server *s)
{
    return s->waiting.count;
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
static bool may_wait(const struct fuse_request *req)
{
    enum { O_NO_WAIT = 04000 };
    return (req->op != FUSE_OP_READ && req->op != FUSE_OP_WRITE) || !(req->flags & O_NO_WAIT);
}

/* Appends the complete reply. 0; 1: the request waits, nothing is appended; -ENOMEM. */
static int append_reply(struct fuse_server *s, const struct fuse_request *req, uint64_t *found,
                        struct buf *out, struct fail *f)
{
    static const uint8_t zero_head[FUSE_HEAD_OUT];
    size_t start = out->len;
    buf_add(out, zero_head, sizeof zero_head);
    int r = buf_error(out) ? -ENOMEM : fs_answer(s, req, found, out, f);
    if (buf_error(out))
        return fail_set(f, ENOMEM, "FUSE");
    if (r < 0)
        out->len = start;
    if (r == -EINPROGRESS || (r == -EAGAIN && may_wait(req)))
        return 1;
    if (r < 0)
        reply_error(out, req->unique, r);
    else
        fuse_reply_head(out->data + start, req->unique, 0, out->len - start - FUSE_HEAD_OUT);
    return buf_error(out) ? fail_set(f, ENOMEM, "FUSE") : 0;
}

/* --- those that wait --- */

static void interrupt_request(struct fuse_server *s, uint64_t unique, struct buf *out)
{
    struct ns_kept *k = ns_waiting_find(&s->waiting, unique);
    if (!k)
        return;
    drop_kept(s, k);
    reply_error(out, unique, -EINTR);
}

struct retry {
    struct fuse_server *s;
    struct buf *out;
    struct fail *f;
};

static int retry_one(void *arg, struct ns_kept *k)
{
    const struct retry *r = arg;
    struct fuse_request req;
    int e = fuse_request_decode(k->bytes, k->len, &req);
    return e < 0 ? e : append_reply(r->s, &req, &k->object, r->out, r->f);
}

int fuse_server_retry(struct fuse_server *s, struct buf *out, struct fail *f)
{
    return ns_waiting_retry(&s->waiting, retry_one, &(struct retry){s, out, f});
}

void fuse_server_refuse(struct fuse_server *s, int error, struct buf *out)
{
    for (; s->waiting.count; drop_kept(s, s->waiting.kept))
        reply_error(out, s->waiting.kept[0].id, error);
}

static int handle_of(const void *server, const struct ns_kept *k)
{
    struct fuse_request req;
    if (fuse_request_decode(k->bytes, k->len, &req) < 0 ||
        (req.op != FUSE_OP_READ && req.op != FUSE_OP_WRITE))
        return -1;
    struct fs_open *o = fs_open_at(server, req.fh);
    return o ? ns_handle(&o->file) : -1;
}

size_t fuse_server_handles(const struct fuse_server *s, int *handle, size_t cap)
{
    return ns_waiting_handles(&s->waiting, handle_of, s, handle, cap);
}

/* --- a request --- */

/* Those that are answered by nothing. */
static bool handle_silently(struct fuse_server *s, const struct fuse_request *req, struct buf *out)
{
    uint64_t node, lookups;
    switch (req->op) {
    case FUSE_OP_FORGET:
    case FUSE_OP_BATCH_FORGET:
        for (size_t i = 0; fuse_request_forget(req, i, &node, &lookups); i++)
            fs_forget(s, node, lookups);
        return true;
    case FUSE_OP_INTERRUPT:
        interrupt_request(s, req->interrupted, out);
        return true;
    default:
        return false;
    }
}

static int answer_request(struct fuse_server *s, const struct fuse_request *req,
                          const void *request, size_t len, struct buf *out, struct fail *f)
{
    uint64_t found = 0;
    int r = append_reply(s, req, &found, out, f);
    if (r == 1 && !ns_waiting_keep(&s->waiting, req->unique, found, request, len)) {
        fs_forget(s, found, 1);
        reply_error(out, req->unique, -EAGAIN);
    }
    return r < 0 ? r : 0;
}

int fuse_server_serve(struct fuse_server *s, const void *request, size_t len, struct buf *out,
                      struct fail *f)
{
    struct fuse_request req;
    if (len < FUSE_HEAD_IN)
        return fail_set(f, EPROTO, "FUSE: a request of %zu bytes", len);
    int r = fuse_request_decode(request, len, &req);
    if (r < 0)
        reply_error(out, req.unique, r);
    else if (!handle_silently(s, &req, out) &&
             (r = answer_request(s, &req, request, len, out, f)) < 0)
        return r;
    return buf_error(out) ? fail_set(f, ENOMEM, "FUSE") : 0;
}
