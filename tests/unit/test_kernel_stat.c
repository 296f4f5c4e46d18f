/* Texts of the kernel that stats reads: /proc/diskstats, /proc/net/dev, /proc/pressure/NAME and the
 * split of /proc/meminfo. */
#include "unit.h"

#include "core/procfs/disk_stat.h"
#include "core/procfs/meminfo.h"
#include "core/procfs/net_dev.h"
#include "core/procfs/pressure.h"

TEST(disks_are_read_line_by_line)
{
    const char *at = "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
                     "   8       1 sda1 1 2 3 4\n" /* of Linux 2.6.24 and before */
                     "none\n"
                     " 179       0 mmcblk0 10 0 80 0 20 0 4294967295 0 0 99999999999999999999\n";
    struct disk_stat d;
    CHECK(disk_stat_next(&at, &d));
    CHECK_STR(d.name, "sda");
    CHECK(d.reads == 1 && d.read_sectors == 3 && d.writes == 5 && d.written_sectors == 7);
    CHECK_INT(d.busy_ms, 10);
    CHECK(disk_stat_next(&at, &d));
    CHECK_STR(d.name, "mmcblk0");
    CHECK(d.written_sectors == UINT32_MAX && d.busy_ms == UINT64_MAX);
    CHECK(!disk_stat_next(&at, &d));
    CHECK(!disk_stat_next(&at, &d));
}

TEST(a_name_of_a_disk_is_bounded)
{
    const char *at = "8 0 a123456789a123456789a123456789ab 1 2 3 4 5 6 7 8 9 10\n";
    struct disk_stat d;
    CHECK(!disk_stat_next(&at, &d));
    at = "8 0 a123456789a123456789a123456789a 1 2 3 4 5 6 7 8 9 10\n";
    CHECK(disk_stat_next(&at, &d));
    CHECK_INT(strlen(d.name), DISK_NAME_MAX);
}

TEST(bytes_of_interfaces_are_read_line_by_line)
{
    const char *at =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
        "    lo:  100 1 0 0 0 0 0 0   100 1 0 0 0 0 0 0\n"
        "  eth0:4294967296 2 0 0 0 0 0 0 7 3 0 0 0 0 0 0\n"
        "  bad: 1 2\n";
    struct net_bytes n;
    CHECK(net_bytes_next(&at, &n));
    CHECK_STR(n.name, "lo");
    CHECK(net_bytes_next(&at, &n));
    CHECK_STR(n.name, "eth0");
    CHECK(n.in == 1ull << 32 && n.out == 7);
    CHECK(!net_bytes_next(&at, &n));
}

TEST(pressure_has_two_totals_of_which_one_may_lack)
{
    struct pressure p;
    CHECK(pressure_parse("some avg10=93.93 avg60=94.60 avg300=65.73 total=389287064\n"
                         "full avg10=0.00 avg60=0.00 avg300=0.00 total=12\n",
                         &p));
    CHECK(p.some_us == 389287064 && p.full_us == 12);
    CHECK(pressure_parse("some avg10=0.00 total=5\n", &p));
    CHECK(p.some_us == 5 && p.full_us == 0);
    CHECK(!pressure_parse("some avg10=0.00\nfull total=5\n", &p));
    CHECK(!pressure_parse("some total=x\n", &p));
    CHECK(!pressure_parse("", &p));
}

TEST(memory_is_split_by_what_it_is_used_for)
{
    struct meminfo m;
    CHECK(meminfo_parse("MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\nBuffers: 50 kB\n"
                        "Cached: 300 kB\nShmem: 60 kB\nAnonPages: 200 kB\nSReclaimable: 30 kB\n",
                        &m));
    CHECK_INT(m.programs_kb, 260);
    CHECK_INT(m.cached_kb, 320);
    CHECK_INT(m.free_kb, 100);
    CHECK(meminfo_parse("MemTotal: 10 kB\nCached: 5 kB\nShmem: 6 kB\n", &m));
    CHECK_INT(m.cached_kb, 0);
}
