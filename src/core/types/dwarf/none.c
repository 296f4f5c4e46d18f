#include "core/types/dwarf.h"

#include <errno.h>

bool types_dwarf_able(void)
{
    return false;
}

int types_dwarf(const uint8_t *image, size_t len, const struct types_query *query, size_t queries,
                struct buf *packed, struct fail *f)
{
    return fail_set(f, ENOTSUP, "types");
}
