#include "core/procfs/kconfig.h"

#include "core/base/gzip.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool is_gzipped(const unsigned char *b, size_t len)
{
    return len >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

int kconfig_init(struct kconfig *k, const void *bytes, size_t len)
{
    buf_init(&k->text);
    int r = 0;
    if (len > KCONFIG_MAX)
        r = -EFBIG;
    else if (is_gzipped(bytes, len))
        r = gunzip(bytes, len, KCONFIG_MAX, &k->text);
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
