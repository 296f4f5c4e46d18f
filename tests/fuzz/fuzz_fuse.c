/* A request: all that it points to is inside of it, and names are names. */
#include "fuzz.h"

#include "core/fuse/wire.h"

#include <stdlib.h>
#include <string.h>

static void inside(const uint8_t *data, size_t len, const void *p, size_t bytes)
{
    const uint8_t *at = p;
    if (p && bytes && (at < data || bytes > len || at > data + len - bytes))
        abort();
}

static void a_name(const uint8_t *data, size_t len, const char *name)
{
    if (name && *name)
        inside(data, len, name, strlen(name) + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct fuse_request a;
    uint64_t node, lookups;
    uint8_t *copy = malloc(len + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, len);
    if (len >= 4) { /* the length as it is */
        uint32_t whole = (uint32_t)len;
        memcpy(copy, &whole, sizeof whole);
    }
    if (fuse_request_decode(copy, len, &a) == 0) {
        a_name(copy, len, a.name);
        a_name(copy, len, a.name2);
        inside(copy, len, a.data, a.data_len);
        if (a.name && strchr(a.name, '/') && a.op != FUSE_OP_GETXATTR && a.op != FUSE_OP_SETXATTR &&
            a.op != FUSE_OP_REMOVEXATTR)
            abort();
        if (a.op == FUSE_OP_FORGET || a.op == FUSE_OP_BATCH_FORGET)
            for (size_t i = 0; fuse_request_forget(&a, i, &node, &lookups); i++)
                ;
    }
    free(copy);
    return 0;
}
