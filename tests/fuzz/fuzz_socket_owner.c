/* /proc/net/tcp. */
#include "fuzz.h"

#include "core/procfs/socket_owner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    struct socket_end here = {{[10] = 0xff, [11] = 0xff, 127, 0, 0, 1}, 5640}, there = here;
    struct socket_owner o = {0, 0, 0};
    there.port = 43210;
    if (socket_owner_find(text, &there, &here, &o) && socket_owner_is_known(&o) && !o.inode)
        abort();
    free(text);
    return 0;
}
