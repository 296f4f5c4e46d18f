#include "transfer.h"

#include <errno.h>

static void finish_transfer(struct ninep_transfer *t, long result, const struct fail *failure)
{
    t->in_flight = false;
    t->ended = true;
    t->result = result;
    t->failure = *failure;
}

uint32_t ninep_transfer_max(const struct ninep_client *c)
{
    return ninep_client_msize(c) - NINEP_IO_HEAD;
}

static void on_reply(void *arg, const struct ninep_msg *reply, const struct fail *f);

/* What follows the bytes that are there. */
static int request_rest(struct ninep_transfer *t, struct fail *f)
{
    uint32_t rest = t->wanted - (uint32_t)t->data.len, max = ninep_transfer_max(t->client);
    struct ninep_msg m = {
        .type = t->type, .fid = t->fid, .offset = t->offset + t->data.len, .count = rest};
    t->asked = m.count = rest < max ? rest : max;
    t->tag = ninep_client_request(t->client, &m, on_reply, t, f);
    return t->tag;
}

/* A failure behind bytes that were read is the next read's. */
static void on_failure(struct ninep_transfer *t, const struct fail *f)
{
    if (t->data.len)
        finish_transfer(t, (long)t->data.len, f);
    else
        finish_transfer(t, f->err ? -f->err : -EINVAL, f);
}

/* Of what a server sends beyond what was asked for nothing is used. */
static void on_data(struct ninep_transfer *t, const void *data, uint32_t count)
{
    struct fail f = {.err = ENOMEM};
    count = count < t->asked ? count : t->asked;
    buf_add(&t->data, data, count);
    if (buf_error(&t->data))
        finish_transfer(t, -ENOMEM, &f);
    else if (count < t->asked || t->data.len >= t->wanted)
        finish_transfer(t, (long)t->data.len, &f);
    else if (request_rest(t, &f) < 0)
        on_failure(t, &f);
}

static void on_reply(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_transfer *t = arg;
    struct fail none = {.err = 0};
    if (!reply)
        on_failure(t, f);
    else if (reply->type == NINEP_RWRITE)
        finish_transfer(t, reply->count < t->asked ? reply->count : t->asked, &none);
    else
        on_data(t, reply->data, reply->count);
}

long ninep_transfer_start(struct ninep_client *c, struct ninep_transfer *t,
                          const struct ninep_msg *m, struct fail *f)
{
    buf_clear(&t->data);
    t->client = c;
    t->type = m->type;
    t->fid = m->fid;
    t->offset = m->offset;
    t->wanted = t->asked = m->count;
    t->tag =
        m->type == NINEP_TWRITE ? ninep_client_request(c, m, on_reply, t, f) : request_rest(t, f);
    t->in_flight = t->tag >= 0;
    return t->in_flight ? fail_set(f, EINPROGRESS, "9P") : t->tag;
}

bool ninep_transfer_is_active(const struct ninep_transfer *t)
{
    return t->in_flight || t->ended;
}

static long take_result(struct ninep_transfer *t, struct fail *f)
{
    if (!t->ended)
        return fail_set(f, EINPROGRESS, "9P");
    t->ended = false;
    if (t->result < 0 && f)
        *f = t->failure;
    return t->result;
}

long ninep_transfer_result(struct ninep_transfer *t, void *bytes, size_t len, struct fail *f)
{
    long n = take_result(t, f);
    n = n > (long)len ? (long)len : n;
    if (bytes && n > 0)
        memcpy(bytes, t->data.data, (size_t)n);
    return n;
}

long ninep_transfer_swap(struct ninep_transfer *t, struct buf *data, struct fail *f)
{
    long n = take_result(t, f);
    if (n < 0)
        return n;
    struct buf read = t->data;
    t->data = *data;
    *data = read;
    buf_clear(&t->data);
    return n;
}

void ninep_transfer_cancel(struct ninep_client *c, struct ninep_transfer *t)
{
    if (t->in_flight)
        ninep_client_flush(c, t->tag);
    t->in_flight = t->ended = false;
}
