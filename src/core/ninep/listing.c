#include "listing.h"

#include "core/ninep/files.h"

#include <errno.h>

static bool is_linux(const struct ninep_client *c)
{
    return ninep_client_dialect(c) == NINEP_L;
}

static bool is_dots(struct ninep_text t)
{
    return ninep_text_equals(t, ".") || ninep_text_equals(t, "..");
}

bool ninep_is_name(struct ninep_text t)
{
    return t.len && t.len <= NS_NAME_MAX && !memchr(t.at, '/', t.len) &&
           !memchr(t.at, '\0', t.len) && !is_dots(t);
}

/* --- parts --- */

static long request_part(struct ninep_listing *l, struct ninep_client *c, uint32_t fid,
                         struct fail *f)
{
    uint32_t max = ninep_transfer_max(c);
    struct ninep_msg m = {.type = is_linux(c) ? NINEP_TREADDIR : NINEP_TREAD,
                          .fid = fid,
                          .offset = l->next,
                          .count = max < NINEP_LISTING_PART ? max : NINEP_LISTING_PART};
    return ninep_transfer_start(c, &l->read, &m, f);
}

/* Of .L the last entry has the offset of the next part. -EPROTO: an entry cannot be read. */
static int find_next(struct ninep_listing *l, size_t len, bool by_linux)
{
    struct ninep_entry e = {.offset = l->next};
    if (!by_linux) {
        l->next += len;
        return 0;
    }
    for (size_t at = l->part.len - len; at < l->part.len;) {
        long n = ninep_entry_read(l->part.data + at, l->part.len - at, &e);
        if (n <= 0)
            return -EPROTO;
        at += (size_t)n;
    }
    l->next = e.offset;
    return 0;
}

static int fail_records(struct fail *f)
{
    return fail_set(f, EPROTO, "9P: a directory");
}

/* The part that was asked for: its length. */
static long take_part(struct ninep_listing *l, struct fail *f)
{
    if (!l->whole) {
        long n = ninep_transfer_swap(&l->read, &l->part, f);
        l->at = n < 0 ? l->at : 0;
        return n;
    }
    char *to = buf_reserve(&l->part, NINEP_LISTING_PART);
    if (!to || l->part.len > NINEP_LIST_MAX)
        return fail_set(f, to ? EFBIG : ENOMEM, "directory");
    long n = ninep_transfer_result(&l->read, to, NINEP_LISTING_PART, f);
    if (n > 0)
        buf_commit(&l->part, (size_t)n);
    return n;
}

/* 1: a part is there; 0: there is none behind the last. The one after it is asked for. */
static int next_part(struct ninep_listing *l, struct ninep_client *c, uint32_t fid, struct fail *f)
{
    if (l->ended)
        return 0;
    if (!ninep_transfer_is_active(&l->read))
        return (int)request_part(l, c, fid, f);
    long n = take_part(l, f);
    if (n < 0)
        return (int)n;
    l->ended = n == 0;
    if (find_next(l, (size_t)n, is_linux(c)) < 0)
        return fail_records(f);
    if (!l->ended)
        request_part(l, c, fid, NULL); /* if it cannot be now, then when it is needed */
    return !l->ended;
}

/* --- records --- */

static long read_entry(const void *bytes, size_t len, struct ninep_stat *out)
{
    struct ninep_entry e;
    long n = ninep_entry_read(bytes, len, &e);
    if (n > 0)
        *out = (struct ninep_stat){
            .qid = e.qid, .mode = e.qid.type & NINEP_DIR ? NINEP_DMDIR : 0, .name = e.name};
    return n;
}

/* The record that is next: its length; 0 at the end. */
static long peek_record(struct ninep_listing *l, struct ninep_client *c, uint32_t fid,
                        struct ninep_stat *out, struct fail *f)
{
    int r = 1;
    while (r > 0 && l->at >= l->part.len)
        r = next_part(l, c, fid, f);
    if (r <= 0)
        return r;
    const char *bytes = l->part.data + l->at;
    size_t len = l->part.len - l->at;
    long n =
        is_linux(c) ? read_entry(bytes, len, out) : ninep_stat_read(bytes, len, NINEP_PLAIN, out);
    return n > 0 ? n : fail_records(f);
}

static void rewind_listing(struct ninep_listing *l, struct ninep_client *c)
{
    l->at = 0;
    l->index = 0;
    if (l->whole)
        return;
    ninep_transfer_cancel(c, &l->read);
    buf_clear(&l->part);
    l->next = 0;
    l->ended = false;
}

int ninep_listing_at(struct ninep_listing *l, struct ninep_client *c, uint32_t fid, uint64_t index,
                     struct ninep_stat *out, struct fail *f)
{
    if (index < l->index)
        rewind_listing(l, c);
    while (l->whole && !l->ended) {
        int r = next_part(l, c, fid, f);
        if (r < 0)
            return r;
    }
    for (;;) {
        long n = peek_record(l, c, fid, out, f);
        if (n <= 0)
            return (int)n;
        bool dots = is_linux(c) && is_dots(out->name);
        if (!dots && !ninep_is_name(out->name))
            return fail_records(f);
        if (!dots && l->index == index)
            return 1;
        l->at += (size_t)n;
        l->index += !dots;
    }
}

void ninep_listing_release(struct ninep_listing *l, struct ninep_client *c)
{
    if (c)
        ninep_transfer_cancel(c, &l->read);
    buf_release(&l->read.data);
    buf_release(&l->part);
}
