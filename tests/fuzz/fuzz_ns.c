/* Names into elements. */
#include "fuzz.h"

#include "core/ns/ns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    struct ns_elements e;
    if (ns_split(text, &e, NULL) == 0)
        for (size_t i = 0; i < e.count; i++)
            if (!e.at[i][0] || strchr(e.at[i], '/') || strlen(e.at[i]) > NS_NAME_MAX)
                abort();
    free(text);
    return 0;
}
