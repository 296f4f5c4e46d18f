#include "unit.h"

#include "core/base/buf.h"
#include "core/base/sort.h"

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

TEST(nothing_is_sorted_without_an_array)
{
    int some[] = {3, 1, 2};
    sort_array(NULL, 0, sizeof some[0], by_value); /* UBSan looks */
    sort_array(some, 3, sizeof some[0], by_value);
    CHECK(some[0] == 1 && some[1] == 2 && some[2] == 3);
}

TEST(bytes_are_taken_from_the_front)
{
    struct buf b = BUF_INIT;
    buf_drop(&b, 0);
    buf_adds(&b, "abc");
    buf_drop(&b, 2);
    CHECK_STR(buf_str(&b), "c");
    buf_drop(&b, 1);
    CHECK_STR(buf_str(&b), "");
    CHECK_INT(b.len, 0);
    buf_release(&b);
}
