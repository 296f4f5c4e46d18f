#include "core/kconfig.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

enum { STEP = 16384 };

static int inflate_some(z_stream *z, struct buf *out)
{
    unsigned char *room = buf_room(out, STEP);
    if (!room)
        return -ENOMEM;
    z->next_out = room;
    z->avail_out = STEP;
    int r = inflate(z, Z_NO_FLUSH);
    size_t made = STEP - z->avail_out;
    buf_grew(out, made);
    if (out->len > KCONFIG_MOST)
        return -EFBIG;
    if (r == Z_STREAM_END)
        return 1;
    return r == Z_OK && (made || z->avail_in) ? 0 : -EBADMSG;
}

static int inflate_all(const void *bytes, size_t len, struct buf *out)
{
    if (len > KCONFIG_MOST)
        return -EFBIG;
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)bytes, .avail_in = (uInt)len};
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return -ENOMEM;
    int r;
    while ((r = inflate_some(&z, out)) == 0)
        ;
    inflateEnd(&z);
    return r < 0 ? r : 0;
}

static bool gzipped(const unsigned char *b, size_t len)
{
    return len >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

int kconfig_init(struct kconfig *k, const void *bytes, size_t len)
{
    buf_init(&k->text);
    int r = 0;
    if (gzipped(bytes, len))
        r = inflate_all(bytes, len, &k->text);
    else if (len > KCONFIG_MOST)
        r = -EFBIG;
    else
        buf_add(&k->text, bytes, len);
    if (r == 0)
        r = buf_error(&k->text);
    if (r == 0 && !strstr(buf_str(&k->text), "CONFIG_"))
        r = -EBADMSG;
    if (r < 0)
        buf_release(&k->text);
    return r;
}

void kconfig_release(struct kconfig *k)
{
    buf_release(&k->text);
}

/* The value behind `CONFIG_NAME=' at the start of a line, NULL when there is none. */
static const char *value_of(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *s = text; (s = strstr(s, name)); s += len) {
        const char *line = s - 7;
        if (s - text < 7 || strncmp(line, "CONFIG_", 7) != 0 || (line > text && line[-1] != '\n'))
            continue;
        if (s[len] == '=')
            return s + len + 1;
    }
    return NULL;
}

char kconfig_get(const struct kconfig *k, const char *name)
{
    if (!k->text.len)
        return '?';
    const char *v = value_of(buf_str(&k->text), name);
    if (!v || *v == 'n')
        return 'n';
    return *v == 'm' ? 'm' : 'y';
}
