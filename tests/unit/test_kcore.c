/* Where memory is in /proc/kcore. */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/symbol/kcore.h"

#include <errno.h>

/* A file of 64 bits with a note and a range. */
static size_t make_file(uint8_t out[512], uint64_t start, uint64_t bytes)
{
    memset(out, 0, 512);
    memcpy(out, "\177ELF\2\1\1", 7);
    put_le64(out + 32, 64);
    out[54] = 56;
    out[56] = 2;
    put_le32(out + 64, 4);
    put_le32(out + 120, 1);
    put_le64(out + 128, 0x7fff81003000);
    put_le64(out + 136, start);
    put_le64(out + 152, bytes);
    return 176;
}

TEST(a_range_is_found)
{
    uint8_t file[512];
    struct kcore k;
    uint64_t offset = 0;
    size_t len = make_file(file, 0xffffffff81000000, 0x2000);
    CHECK_INT(kcore_read(file, len, &k), 0);
    CHECK_INT(k.ranges, 1);
    CHECK_INT(kcore_find(&k, 0xffffffff81000100, 0x1f00, &offset), true);
    CHECK_INT(offset, 0x7fff81003100);
    CHECK_INT(kcore_find(&k, 0xffffffff81000100, 0x1f01, &offset), false);
    CHECK_INT(kcore_find(&k, 0xffffffff80ffffff, 1, &offset), false);
    CHECK_INT(kcore_find(&k, 0xffffffff81002000, 0, &offset), false);
    CHECK_INT(kcore_find(&k, 0xffffffff81001000, UINT64_MAX, &offset), false);
}

TEST(ranges_that_wrap_are_none)
{
    uint8_t file[512];
    struct kcore k;
    size_t len = make_file(file, UINT64_MAX - 0xff, 0x101);
    CHECK_INT(kcore_read(file, len, &k), 0);
    CHECK_INT(k.ranges, 0);
    len = make_file(file, UINT64_MAX - 0xff, 0x100);
    CHECK_INT(kcore_read(file, len, &k), 0);
    CHECK_INT(k.ranges, 1);
}

TEST(what_is_no_such_file)
{
    uint8_t file[512];
    struct kcore k;
    size_t len = make_file(file, 0x1000, 0x1000);
    CHECK_INT(kcore_read(file, 63, &k), -ENOEXEC);
    CHECK_INT(kcore_read(file, 0, &k), -ENOEXEC);
    CHECK_INT(kcore_read(file, len - 1, &k), 0); /* the last segment is cut off */
    CHECK_INT(k.ranges, 0);
    file[54] = 55;
    CHECK_INT(kcore_read(file, len, &k), -ENOEXEC);
    file[5] = 2;
    CHECK_INT(kcore_read(file, len, &k), -ENOEXEC);
}
