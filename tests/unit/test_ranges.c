/* Lists of CPUs. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/base/ranges.h"

#include <errno.h>

static int number[8];

TEST(ranges_and_numbers_in_order_of_the_list_each_once)
{
    CHECK_INT(ranges_parse("5,0,2-4,3", 7, number, 8), 5);
    const int expected[] = {5, 0, 2, 3, 4};
    for (size_t i = 0; i < 5; i++)
        CHECK_INT(number[i], expected[i]);
}

TEST(no_more_than_there_is_place_for)
{
    CHECK_INT(ranges_parse("0-7", 7, number, 3), 3);
}

TEST(what_is_no_list_is_refused)
{
    const char *const bad[] = {"",   ",", "0,", "1-", "-1", "3-2", "8", "0 1", "0-99999999999",
                               "0x1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_INT(ranges_parse(bad[i], 7, number, 8), -EINVAL);
}

TEST(text_of_ascending_numbers)
{
    struct buf out = BUF_INIT;
    ranges_text((const int[]){0, 2, 3, 4, 7}, 5, &out);
    CHECK_STR(buf_str(&out), "0,2-4,7");
    buf_release(&out);
}
