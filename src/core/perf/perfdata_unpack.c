#include "perfdata_unpack.h"

#include "core/base/bytes.h"

#include <errno.h>

enum {
    PIECE_BYTES = 1 << 18,
    /* A stream that grows more than that is made to exhaust its reader: copies of a zeroed stack
     * shrink to some hundredths of that. */
    MAX_GROWTH = 4096,
    GROWTH_FREE_BYTES = 1 << 20,
};

void perfdata_unpack_release(struct perfdata_unpack *u)
{
    unzstd_free(u->stream);
    buf_release(&u->bytes);
    *u = (struct perfdata_unpack){0};
}

/* The later kind tells its size, because it is padded. */
struct unzstd_in perfdata_packed(const struct perfdata_record *r)
{
    const uint8_t *at = r->bytes + PERFREC_HEADER_BYTES;
    size_t len = r->len - PERFREC_HEADER_BYTES;
    if (r->type != PERFDATA_COMPRESSED2)
        return (struct unzstd_in){at, len};
    uint64_t stated_len = len >= 8 ? get_le64(at) : 0;
    return (struct unzstd_in){at + 8, stated_len <= len - 8 ? (size_t)stated_len : len - 8};
}

int perfdata_unpack_begin(struct perfdata_unpack *u, const struct unzstd_in *in)
{
    if (!u->stream)
        u->stream = unzstd_new();
    u->packed += in->len;
    return u->stream ? 0 : -ENOMEM;
}

int perfdata_unpack_more(struct perfdata_unpack *u, struct unzstd_in *in)
{
    size_t produced, before = in->len;
    uint8_t *dst = buf_reserve(&u->bytes, PIECE_BYTES);
    if (!dst)
        return -ENOMEM;
    int err = unzstd_some(u->stream, in, dst, PIECE_BYTES, &produced);
    buf_commit(&u->bytes, produced);
    u->unpacked += produced;
    if (err || u->unpacked > GROWTH_FREE_BYTES + MAX_GROWTH * u->packed)
        return -EBADMSG;
    if (produced == 0 && before == in->len)
        return in->len ? -EBADMSG : 0;
    return in->len || produced == PIECE_BYTES;
}

bool perfdata_unpack_next(struct perfdata_unpack *u, struct perfdata_record *out)
{
    const uint8_t *at = (const uint8_t *)u->bytes.data + u->done;
    size_t size = u->bytes.len ? perfrec_size(at, u->bytes.len - u->done) : 0;
    if (size == 0)
        return false;
    *out = (struct perfdata_record){at, size, get_le32(at)};
    u->done += size;
    return true;
}

bool perfdata_unpack_damaged(const struct perfdata_unpack *u)
{
    return u->bytes.len - u->done >= PERFREC_HEADER_BYTES &&
           get_le16(u->bytes.data + u->done + 6) < PERFREC_HEADER_BYTES;
}

int perfdata_unpack_trim(struct perfdata_unpack *u, struct perfdata_runs *q)
{
    struct buf kept = BUF_INIT;
    for (size_t i = 0; i < q->count; i++) {
        struct perfdata_run *run = &q->run[i];
        const char *records = u->bytes.data + run->at;
        size_t len = (size_t)(run->end - run->at);
        if (!run->unpacked)
            continue;
        run->at = kept.len;
        run->end = kept.len + len;
        buf_add(&kept, records, len);
    }
    size_t records = kept.len;
    buf_add(&kept, u->bytes.data + u->done, u->bytes.len - u->done);
    buf_release(&u->bytes);
    u->bytes = kept;
    u->done = records;
    return buf_error(&u->bytes);
}
