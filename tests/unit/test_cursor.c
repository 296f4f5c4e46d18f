/* Records read from front to back: what is there, and what is not. */
#include "unit.h"

#include "core/base/cursor.h"

TEST(cursor_reads_numbers_and_stops_at_the_end)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    struct cursor c = cursor_of(bytes, sizeof bytes);
    CHECK_INT(cursor_u8(&c), 1);
    CHECK_INT(cursor_u16(&c), 0x0302);
    CHECK_INT(cursor_u32(&c), 0x07060504);
    CHECK(cursor_u64(&c) == UINT64_C(0x0f0e0d0c0b0a0908));
    CHECK(!c.bad);
    CHECK_INT(cursor_left(&c), 2);
    CHECK_INT(cursor_u32(&c), 0);
    CHECK(c.bad);
    CHECK_INT(cursor_u8(&c), 0); /* although there are two more */
    CHECK(cursor_bytes(&c, 0) == NULL);
}

TEST(cursor_arrays_do_not_overflow)
{
    static const uint8_t bytes[32];
    struct cursor c = cursor_of(bytes, sizeof bytes);
    CHECK(cursor_array(&c, 3, 8) == bytes);
    CHECK_INT(cursor_left(&c), 8);
    CHECK(cursor_array(&c, UINT64_MAX / 8 + 2, 8) == NULL);
    CHECK(c.bad);
}

TEST(cursor_strings_end_with_a_nul)
{
    struct cursor c = cursor_of("ab\0\0cd", 6);
    CHECK_STR(cursor_string(&c), "ab");
    CHECK_STR(cursor_string(&c), "");
    CHECK(!c.bad);
    CHECK_STR(cursor_string(&c), "");
    CHECK(c.bad);
}
