#include "core/elf/debuglink.h"

#include "core/base/bytes.h"

#include <string.h>

enum { MAX_NAME = 4096 };

static const char *text_at(const uint8_t *bytes, size_t len, size_t *end)
{
    const uint8_t *nul = len ? memchr(bytes, '\0', len < MAX_NAME ? len : MAX_NAME) : NULL;
    if (!nul || nul == bytes)
        return NULL;
    *end = (size_t)(nul - bytes) + 1;
    return (const char *)bytes;
}

bool debuglink_parse(const uint8_t *bytes, size_t len, bool big_endian, struct debuglink *out)
{
    size_t end;
    const char *name = text_at(bytes, len, &end);
    if (!name || strchr(name, '/') || strcmp(name, "..") == 0 || strcmp(name, ".") == 0)
        return false;
    size_t at = (end + 3) & ~(size_t)3;
    if (at > len || len - at < 4)
        return false;
    *out = (struct debuglink){name, get_u32(bytes + at, big_endian)};
    return true;
}

bool debugaltlink_parse(const uint8_t *bytes, size_t len, struct debugaltlink *out)
{
    size_t end;
    const char *path = text_at(bytes, len, &end);
    if (!path)
        return false;
    *out = (struct debugaltlink){path, bytes + end, len - end};
    return true;
}
