/* The sections .gnu_debuglink and .gnu_debugaltlink. */
#include "fuzz.h"

#include "core/elf/debuglink.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct debuglink link;
    struct debugaltlink alt;
    uint8_t sum = 0;
    if (debuglink_parse(data, len, len & 1, &link) && strchr(link.name, '/'))
        abort();
    if (debugaltlink_parse(data, len, &alt)) {
        if (!strlen(alt.path))
            abort();
        for (size_t i = 0; i < alt.id_len; i++)
            sum ^= alt.id[i];
    }
    __asm__ volatile("" : : "r"(sum));
    return 0;
}
