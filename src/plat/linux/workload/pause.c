#include "private.h"

#include "core/base/time_ns.h"

#include <errno.h>
#include <time.h>

void workload_sleep_ns(uint64_t ns)
{
    struct timespec left = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        ;
}
