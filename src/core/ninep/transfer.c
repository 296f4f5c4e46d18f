#include "transfer.h"

#include <errno.h>

static void finish_transfer(struct ninep_transfer *t, long result, const struct fail *failure)
{
    t->in_flight = false;
    t->ended = true;
    t->result = result;
    t->failure = *failure;
}

/* A server that tells more than was asked for is not believed. */
static void on_reply(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_transfer *t = arg;
    struct fail none = {.err = ENOMEM};
    if (!reply) {
        finish_transfer(t, f->err ? -f->err : -EINVAL, f);
        return;
    }
    uint32_t count = reply->count < t->count ? reply->count : t->count;
    if (reply->type == NINEP_RREAD)
        buf_add(&t->data, reply->data, count);
    finish_transfer(t, buf_error(&t->data) ? -ENOMEM : (long)count, &none);
}

long ninep_transfer_start(struct ninep_client *c, struct ninep_transfer *t,
                          const struct ninep_msg *m, struct fail *f)
{
    buf_clear(&t->data);
    t->offset = m->offset;
    t->count = m->count;
    t->tag = ninep_client_request(c, m, on_reply, t, f);
    t->in_flight = t->tag >= 0;
    return t->in_flight ? fail_set(f, EINPROGRESS, "9P") : t->tag;
}

bool ninep_transfer_is_active(const struct ninep_transfer *t)
{
    return t->in_flight || t->ended;
}

long ninep_transfer_result(struct ninep_transfer *t, void *bytes, size_t len, struct fail *f)
{
    if (!t->ended)
        return fail_set(f, EINPROGRESS, "9P");
    t->ended = false;
    if (t->result < 0 && f)
        *f = t->failure;
    long n = t->result > (long)len ? (long)len : t->result;
    if (bytes && n > 0)
        memcpy(bytes, t->data.data, (size_t)n);
    return n;
}

void ninep_transfer_cancel(struct ninep_client *c, struct ninep_transfer *t)
{
    if (t->in_flight)
        ninep_client_flush(c, t->tag);
    t->in_flight = t->ended = false;
}
