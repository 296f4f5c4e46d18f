#include "core/base/gzip.h"

#include "core/base/buf.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { STEP = 16384, GZIP = 16 + MAX_WBITS };

struct gzip {
    z_stream z;
    struct buf *out;
};

struct gzip *gzip_new(struct buf *out)
{
    struct gzip *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->out = out;
    if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK)
        return g;
    free(g);
    return NULL;
}

void gzip_free(struct gzip *g)
{
    if (g)
        deflateEnd(&g->z);
    free(g);
}

/* Until all input is consumed and zlib leaves output space unused. */
static int deflate_some(struct gzip *g, int flush)
{
    do {
        unsigned char *dst = buf_reserve(g->out, STEP);
        if (!dst)
            return -ENOMEM;
        g->z.next_out = dst;
        g->z.avail_out = STEP;
        deflate(&g->z, flush);
        buf_commit(g->out, STEP - g->z.avail_out);
    } while (g->z.avail_out == 0);
    return 0;
}

int gzip_add(struct gzip *g, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    int r = 0;
    while (r == 0 && len) {
        uInt some = len > INT_MAX ? INT_MAX : (uInt)len;
        g->z.next_in = (z_const Bytef *)(uintptr_t)at;
        g->z.avail_in = some;
        r = deflate_some(g, Z_NO_FLUSH);
        at += some;
        len -= some;
    }
    return r;
}

int gzip_end(struct gzip *g)
{
    int r = deflate_some(g, Z_FINISH);
    gzip_free(g);
    return r;
}

static int inflate_some(z_stream *z, size_t max_len, struct buf *out)
{
    unsigned char *dst = buf_reserve(out, STEP);
    if (!dst)
        return -ENOMEM;
    z->next_out = dst;
    z->avail_out = STEP;
    int r = inflate(z, Z_NO_FLUSH);
    size_t made = STEP - z->avail_out;
    buf_commit(out, made);
    if (out->len > max_len)
        return -EFBIG;
    if (r == Z_STREAM_END)
        return 1;
    return r == Z_OK && (made || z->avail_in) ? 0 : -EBADMSG;
}

int gunzip(const void *bytes, size_t len, size_t max_len, struct buf *out)
{
    if (len > UINT_MAX)
        return -EFBIG;
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)bytes, .avail_in = (uInt)len};
    if (inflateInit2(&z, GZIP) != Z_OK)
        return -ENOMEM;
    int r;
    while ((r = inflate_some(&z, max_len, out)) == 0)
        ;
    inflateEnd(&z);
    return r < 0 ? r : 0;
}
