#include "core/base/zstd/unzstd.h"

#include <errno.h>
#include <zstd.h>

struct unzstd; /* a ZSTD_DStream by another name */

static ZSTD_DStream *as_zstd_stream(struct unzstd *z)
{
    return (ZSTD_DStream *)z;
}

bool unzstd_available(void)
{
    return true;
}

struct unzstd *unzstd_new(void)
{
    ZSTD_DStream *s = ZSTD_createDStream();
    if (s && ZSTD_isError(ZSTD_DCtx_setParameter(s, ZSTD_d_windowLogMax, UNZSTD_WINDOW_LOG))) {
        ZSTD_freeDStream(s);
        return NULL;
    }
    return (struct unzstd *)s;
}

void unzstd_free(struct unzstd *z)
{
    ZSTD_freeDStream(as_zstd_stream(z));
}

int unzstd_some(struct unzstd *z, struct unzstd_in *in, uint8_t *out, size_t cap, size_t *produced)
{
    ZSTD_inBuffer from = {in->at, in->len, 0};
    ZSTD_outBuffer to = {out, cap, 0};
    size_t result = ZSTD_decompressStream(as_zstd_stream(z), &to, &from);
    in->at += from.pos;
    in->len -= from.pos;
    *produced = to.pos;
    return ZSTD_isError(result) ? -EBADMSG : 0;
}
