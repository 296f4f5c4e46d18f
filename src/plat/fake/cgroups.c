#include "plat/cgroups.h"

/* Samples of the scripts have no groups. */
bool cgroups_each(void (*emit)(void *arg, uint64_t number, const char *path), void *arg)
{
    return false;
}
