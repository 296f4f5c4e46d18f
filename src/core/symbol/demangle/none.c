#include "core/symbol/demangle.h"

bool demangle_able(void)
{
    return false;
}

bool demangle_add(const char *name, struct buf *out)
{
    return false;
}
