/* A line a mount. */
#include "unit.h"

#include "core/procfs/mounts.h"

TEST(mounts_next_reads_mountinfo_and_skips_damaged_lines)
{
    static struct mount_line m;
    const char *at = "22 1 0:21 / / rw shared:1 - ext4 /dev/root rw\n"
                     "cut off\n"
                     "23 22 0:22 / /x rw shared:1 ext4\n"
                     "24 22 5:300 /kp\\134ctl /a\\040b\\9 rw - fuse.psuite \\043K rw";
    CHECK(mounts_next(&at, &m));
    CHECK_STR(m.mount_point, "/");
    CHECK_STR(m.fs_type, "ext4");
    CHECK_STR(m.source, "/dev/root");
    CHECK(mounts_next(&at, &m));
    CHECK_STR(m.root, "/kp\\ctl");
    CHECK_STR(m.mount_point, "/a b\\9");
    CHECK_STR(m.fs_type, "fuse.psuite");
    CHECK_STR(m.source, "#K");
    CHECK_INT(m.device, (int64_t)5 << 32 | 300);
    CHECK(!mounts_next(&at, &m));
}

TEST(texts_that_are_too_long_are_passed_over)
{
    static struct mount_line m;
    static char line[6000];
    memset(line, 'x', sizeof line - 1);
    memcpy(line, "1 1 0:1 /", 9);
    memcpy(line + 5000, " /y rw - a b\n2 1 0:2 / /z rw - c d\n", 36);
    const char *at = line;
    CHECK(mounts_next(&at, &m));
    CHECK_STR(m.mount_point, "/z");
}
