#include "unit.h"

#include "core/base/varint.h"

/* Each number of 1 to 64 bits with few bits set, and each with few that are not. */
static uint64_t number(unsigned i)
{
    uint64_t bit = (uint64_t)1 << i % 64;
    return i < 64 ? bit : i < 128 ? bit - 1 : i < 192 ? bit | bit >> 9 : ~bit;
}

TEST(numbers_are_read_as_they_are_written)
{
    struct buf b = BUF_INIT;
    for (unsigned i = 0; i < 256; i++)
        put_varint(&b, number(i));
    struct varints c = {(const uint8_t *)b.data, (const uint8_t *)b.data + b.len, false};
    for (unsigned i = 0; i < 256; i++)
        CHECK(get_varint(&c) == number(i));
    CHECK(!c.bad && c.at == c.end);
    buf_release(&b);
}

/* Behind it there is nothing, or enough to read several bytes at once. */
TEST(a_number_that_does_not_end_is_bad)
{
    static const uint8_t endless[16] = {0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88,
                                        0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90};
    for (size_t len = 0; len <= sizeof endless; len++) {
        struct varints c = {endless, endless + len, false};
        CHECK(get_varint(&c) == 0 && c.bad && c.at == c.end);
    }
}

TEST(bits_above_the_64th_are_dropped)
{
    static const uint8_t wide[12] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    struct varints c = {wide, wide + sizeof wide, false};
    CHECK(get_varint(&c) == UINT64_MAX && !c.bad && c.at == c.end);
}
