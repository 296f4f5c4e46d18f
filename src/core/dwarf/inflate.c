#include "packed.h"

#include "core/base/zstd/unzstd.h"
#include "core/dwarf/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

size_t dwarf_inflate_limit(size_t len)
{
    size_t limit;
    if (__builtin_mul_overflow(len, DWARF_INFLATE_RATIO, &limit) || limit > DWARF_INFLATE_MAX)
        return DWARF_INFLATE_MAX;
    return limit < DWARF_INFLATE_MIN ? DWARF_INFLATE_MIN : limit;
}

bool dwarf_unpacks(uint32_t type)
{
    return type == DWARF_ZLIB || (type == DWARF_ZSTD && unzstd_available());
}

/* Who claims more than a stream of that length can have lies, and gets no memory for it. Deflate
 * makes at most 1032 bytes of one (zlib's technical notes). zstd's shortest block has four bytes,
 * and makes at most 128 KB (RFC 8878, 3.1.1.2). */
static bool is_plausible(const struct dwarf_packed *p)
{
    uint64_t most = p->type == DWARF_ZSTD ? (128 << 10) / 4 : 1032;
    return p->unpacked_len && p->unpacked_len < (uint64_t)1 << 32 && p->unpacked_len < SIZE_MAX &&
           p->unpacked_len / most <= p->len;
}

static int unpack_zlib(const struct dwarf_packed *p, uint8_t *out)
{
    uLongf got = (uLongf)p->unpacked_len;
    int r = uncompress(out, &got, p->stream, (uLong)p->len);
    if (r == Z_MEM_ERROR)
        return -ENOMEM;
    return r == Z_OK && got == p->unpacked_len ? 0 : -EBADMSG;
}

int dwarf_unpack(const struct dwarf_packed *p, uint8_t **out)
{
    if (!is_plausible(p))
        return -EBADMSG;
    uint8_t *to = malloc((size_t)p->unpacked_len);
    if (!to)
        return -ENOMEM;
    int err = p->type == DWARF_ZSTD
                  ? unzstd_whole((struct unzstd_in){p->stream, p->len}, to, (size_t)p->unpacked_len)
                  : unpack_zlib(p, to);
    if (err)
        free(to);
    else
        *out = to;
    return err;
}
