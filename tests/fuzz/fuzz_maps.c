/* /proc/PID/maps as text. */
#include "fuzz.h"

#include "core/mapped.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mapped d;
    char *text = malloc(len + 1);
    if (!text)
        return 0;
    memcpy(text, data, len);
    text[len] = '\0';
    mapped_init(&d, 1);
    mapped_maps(&d, 1, "/bin/x", text);
    mapped_release(&d);
    free(text);
    return 0;
}
