#include "core/base/zstd/unzstd.h"

#include <errno.h>

bool unzstd_available(void)
{
    return false;
}

struct unzstd *unzstd_new(void)
{
    return NULL;
}

void unzstd_free(struct unzstd *z)
{
}

int unzstd_some(struct unzstd *z, struct unzstd_in *in, uint8_t *out, size_t cap, size_t *made)
{
    *made = 0;
    return -EBADMSG;
}

int unzstd_whole(struct unzstd_in in, uint8_t *out, size_t len)
{
    return -ENOSYS;
}
