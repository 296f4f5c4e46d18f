/* /proc/PID/maps as text. */
#include "fuzz.h"

#include "core/sampled.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sampled s;
    char *text = malloc(len + 1);
    if (!text)
        return 0;
    memcpy(text, data, len);
    text[len] = '\0';
    sampled_init(&s, &(struct sampled_want){.pid = 1, .hz = 997});
    sampled_maps(&s, 1, "/bin/x", text);
    sampled_release(&s);
    free(text);
    return 0;
}
