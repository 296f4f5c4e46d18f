#include "unit.h"

#include "core/base/time_ns.h"

TEST(ms_until_is_rounded_up)
{
    CHECK_INT(ms_until(5 * NS_PER_S, 5 * NS_PER_S), 0);
    CHECK_INT(ms_until(5 * NS_PER_S, 5 * NS_PER_S + 1), 1);
    CHECK_INT(ms_until(5 * NS_PER_S, 5 * NS_PER_S + NS_PER_MS), 1);
    CHECK_INT(ms_until(5 * NS_PER_S, 5 * NS_PER_S + NS_PER_MS + 1), 2);
}

TEST(ms_until_what_has_passed_is_0)
{
    CHECK_INT(ms_until(5 * NS_PER_S, 0), 0);
}

TEST(ms_until_never_fits_an_int)
{
    CHECK_INT(ms_until(0, UINT64_MAX), INT_MAX);
    CHECK_INT(ms_until(0, (uint64_t)INT_MAX * NS_PER_MS + 1), INT_MAX);
}
