#include "unit.h"

#include "core/base/bytes.h"

static const uint8_t bytes[9] = {0xff, 0x01, 0x02, 0x83, 0x04, 0x05, 0x06, 0x07, 0x88};

TEST(bytes_are_read_in_their_order_wherever_they_are)
{
    const uint8_t *odd = bytes + 1;
    CHECK(get_le16(odd) == 0x0201 && get_be16(odd) == 0x0102);
    CHECK(get_le32(odd) == 0x04830201 && get_be32(odd) == 0x01028304);
    CHECK(get_le64(odd) == 0x8807060504830201 && get_be64(odd) == 0x0102830405060788);
}

TEST(bytes_are_read_in_the_order_asked_for)
{
    CHECK(get_u16(bytes, true) == 0xff01 && get_u16(bytes, false) == 0x01ff);
    CHECK(get_u32(bytes, true) == 0xff010283 && get_u32(bytes, false) == 0x830201ff);
    CHECK(get_u64(bytes, true) == 0xff01028304050607 &&
          get_u64(bytes, false) == 0x07060504830201ff);
}

TEST(bytes_are_written_as_they_are_read)
{
    uint8_t out[9];
    put_le16(out + 1, 0x8102);
    CHECK(out[1] == 0x02 && out[2] == 0x81);
    put_be16(out + 1, 0x8102);
    CHECK(out[1] == 0x81 && out[2] == 0x02);
    put_be32(out + 1, 0x81020304);
    CHECK(get_be32(out + 1) == 0x81020304 && out[1] == 0x81);
    put_le64(out + 1, 0x8102030405060708);
    CHECK(get_le64(out + 1) == 0x8102030405060708 && out[8] == 0x81);
}
