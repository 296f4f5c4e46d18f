#include "plat/cgroups.h"

#include "returns.h"

/* Samples of the scripts have no groups. */
RETURNS(false, bool, cgroups_each, void (*emit)(void *arg, uint64_t number, const char *path),
        void *arg)
