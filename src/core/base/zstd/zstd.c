#include "core/base/zstd/unzstd.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

/*
 * A static libzstd decodes the formats of before version 0.8 (2016), too, which neither perf nor a
 * compiler has ever written. These functions take the place of its 90 KB: such a frame is damaged.
 * They are weak, as other versions of libzstd may have other ones, and are in this file because the
 * linker takes its object before it looks into libzstd.
 */
#define NOT_DECODED(type, name, result)                                                            \
    __attribute__((weak)) type name(void);                                                         \
    type name(void)                                                                                \
    {                                                                                              \
        return (type)(result);                                                                     \
    }
#define NO_VERSION(v)                                                                              \
    NOT_DECODED(void *, ZSTDv##v##_createDCtx, 0)                                                  \
    NOT_DECODED(size_t, ZSTDv##v##_freeDCtx, 0)                                                    \
    NOT_DECODED(size_t, ZSTDv##v##_decompress_usingDict, -1)                                       \
    NOT_DECODED(size_t, ZSTDv##v##_getFrameParams, -1)                                             \
    NOT_DECODED(void *, ZBUFFv##v##_createDCtx, 0)                                                 \
    NOT_DECODED(size_t, ZBUFFv##v##_freeDCtx, 0)                                                   \
    NOT_DECODED(size_t, ZBUFFv##v##_decompressInitDictionary, -1)                                  \
    NOT_DECODED(size_t, ZBUFFv##v##_decompressContinue, -1)                                        \
    __attribute__((weak)) void ZSTDv##v##_findFrameSizeInfoLegacy(                                 \
        const void *src, size_t len, size_t *size, unsigned long long *bound);                     \
    void ZSTDv##v##_findFrameSizeInfoLegacy(const void *src, size_t len, size_t *size,             \
                                            unsigned long long *bound)                             \
    {                                                                                              \
        (void)src;                                                                                 \
        (void)len;                                                                                 \
        *size = (size_t)-1;                                                                        \
        *bound = ZSTD_CONTENTSIZE_ERROR;                                                           \
    }
NO_VERSION(05)
NO_VERSION(06)
NO_VERSION(07)

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

int unzstd_whole(struct unzstd_in in, uint8_t *out, size_t len)
{
    size_t made = ZSTD_decompress(out, len, in.at, in.len);
    if (ZSTD_isError(made))
        return ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation ? -ENOMEM : -EBADMSG;
    return made == len ? 0 : -EBADMSG;
}
