/* prof.PID of version 2: the bytes as they are, and, that most of them are not the head's zeros, a
 * short form: a head's first 256 bytes, then the slots. */
#include "fuzz.h"
#include "prof_check.h"

#include "core/prof/v2.h"
#include "runtime/psprof_file.h"

#include <string.h>

enum { SHORT_HEAD = 256 };

static void read_one(const uint8_t *data, size_t len)
{
    struct prof_tree t;
    if (prof_v2_read(data, len, &t, NULL) == 0)
        prof_check(&t);
    prof_tree_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    read_one(data, len);
    if (len < SHORT_HEAD || (len > PSPROF_HEADER_BYTES && !data[SHORT_HEAD]))
        return 0;
    uint8_t *whole = calloc(1, PSPROF_HEADER_BYTES + len);
    if (!whole)
        return 0;
    memcpy(whole, data, SHORT_HEAD);
    memcpy(whole + PSPROF_HEADER_BYTES, data + SHORT_HEAD, len - SHORT_HEAD);
    read_one(whole, PSPROF_HEADER_BYTES + len - SHORT_HEAD);
    free(whole);
    return 0;
}
