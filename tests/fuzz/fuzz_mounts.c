/* A table of mounts: each text ends. */
#include "fuzz.h"

#include "core/procfs/mounts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct mount_line line;
    char *text = fuzz_text(data, len);
    size_t lines = 0;
    for (const char *at = text; mounts_next(&at, &line); lines++)
        if (strlen(line.root) >= MOUNTS_TEXT || strlen(line.mount_point) >= MOUNTS_TEXT ||
            strlen(line.source) >= MOUNTS_TEXT || strlen(line.fs_type) >= sizeof line.fs_type)
            abort();
    if (lines > len)
        abort();
    free(text);
    return 0;
}
