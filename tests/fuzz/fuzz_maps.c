/* /proc/PID/maps as text. */
#include "fuzz.h"

#include "core/sampled.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sampled s;
    char *text = fuzz_text(data, len);
    sampled_init(&s, &(struct sampled_want){.pid = 1, .hz = 997});
    sampled_maps(&s, 1, "/bin/x", text);
    sampled_release(&s);
    free(text);
    return 0;
}
