/* /proc/PID/maps as text. */
#include "fuzz.h"

#include "core/sample/mapped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mapped d;
    char *text = fuzz_text(data, len);
    mapped_init(&d, 1);
    mapped_maps(&d, 1, "/bin/x", text);
    mapped_release(&d);
    free(text);
    return 0;
}
