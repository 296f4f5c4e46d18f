#include "core/base/zstd/unzstd.h"

#include <errno.h>

bool unzstd_able(void)
{
    return false;
}

struct unzstd *unzstd_new(void)
{
    return NULL;
}

void unzstd_free(struct unzstd *z)
{
    (void)z;
}

int unzstd_some(struct unzstd *z, struct unzstd_in *in, uint8_t *out, size_t room, size_t *made)
{
    (void)z;
    (void)in;
    (void)out;
    (void)room;
    *made = 0;
    return -EBADMSG;
}
