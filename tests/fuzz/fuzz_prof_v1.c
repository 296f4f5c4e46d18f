/* Plan 9's prof.out. */
#include "fuzz.h"
#include "prof_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct prof_tree t;
    if (prof_v1_read(data, len, &t, NULL) == 0)
        prof_check(&t);
    prof_tree_release(&t);
    return 0;
}
