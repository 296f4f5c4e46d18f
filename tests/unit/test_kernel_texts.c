/* Short texts of the kernel's: /proc and /sys. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/procfs/counters.h"
#include "core/procfs/meminfo.h"
#include "core/procfs/net_dev.h"
#include "core/procfs/pid_status.h"
#include "core/procfs/power_supply.h"

#include <errno.h>
#include <stdlib.h>

TEST(memory_of_a_machine)
{
    struct meminfo m;
    CHECK(meminfo_parse("MemTotal:        1000 kB\nMemFree:    100 kB\nMemAvailable:   600 kB\n"
                        "Slab:  90 kB\nSUnreclaim:   50 kB\nKernelStack:  3 kB\nPageTables: 2 kB\n"
                        "Percpu: 1 kB\nSwapTotal:  400 kB\nSwapFree: 300 kB\n",
                        &m));
    CHECK_INT(m.total_kb, 1000);
    CHECK_INT(m.available_kb, 600);
    CHECK_INT(m.kernel_kb, 56);
    CHECK_INT(m.slab_kb, 90);
    CHECK_INT(m.swap_total_kb, 400);
    CHECK_INT(m.swap_free_kb, 300);
}

TEST(memory_for_the_kernels_own_buffers)
{
    struct meminfo m;
    CHECK(meminfo_parse("MemTotal: 46204 kB\nMemAvailable: 29052 kB\nCmaTotal: 16384 kB\n"
                        "CmaFree: 13060 kB\n",
                        &m));
    CHECK(meminfo_free_bytes(&m) == (29052 - 13060) * 1024);
    CHECK(meminfo_parse("MemTotal: 46204 kB\nMemAvailable: 2000 kB\nCmaFree: 2001 kB\n", &m));
    CHECK(meminfo_free_bytes(&m) == 0);
    CHECK(meminfo_parse("MemTotal: 1000 kB\nMemAvailable: 600 kB\n", &m));
    CHECK(meminfo_free_bytes(&m) == 600 * 1024);
}

TEST(memory_of_an_old_kernel)
{
    struct meminfo m;
    CHECK(meminfo_parse("MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 20 kB\nCached: 30 kB\n", &m));
    CHECK_INT(m.available_kb, 150);
    CHECK_INT(m.swap_total_kb, 0);
    CHECK(!meminfo_parse("", &m));
    CHECK(!meminfo_parse("MemTotal: lots\n", &m));
    CHECK(meminfo_parse("MemTotal: 99999999999999999999 kB\n", &m));
    CHECK_INT(m.total_kb, UINT64_MAX >> 12);
}

TEST(kernel_count_finds_a_number_by_its_whole_name)
{
    uint64_t n;
    int64_t v;
    CHECK(kernel_count("nr_x 5\npgfault 77\npgfault_more 1\n", "pgfault", &n));
    CHECK_INT(n, 77);
    CHECK(!kernel_count("pgfault_more 1\n", "pgfault", &n));
    CHECK(!kernel_count("pgfault x\n", "pgfault", &n));
    CHECK(kernel_load("7.05 8.57 4.70 3/104 3504\n", &n));
    CHECK_INT(n, 7050);
    CHECK(kernel_load("0.5", &n));
    CHECK_INT(n, 500);
    CHECK(!kernel_load("7", &n));
    CHECK(!kernel_load("", &n));
    CHECK(kernel_number("-40000\n", &v));
    CHECK_INT(v, -40000);
    CHECK(!kernel_number("12 apples\n", &v));
    CHECK(!kernel_number("\n", &v));
}

TEST(a_battery_that_tells_power)
{
    struct power_supply p;
    CHECK(power_supply_parse("POWER_SUPPLY_NAME=BAT0\nPOWER_SUPPLY_TYPE=Battery\n"
                             "POWER_SUPPLY_STATUS=Discharging\nPOWER_SUPPLY_PRESENT=1\n"
                             "POWER_SUPPLY_POWER_NOW=10000000\nPOWER_SUPPLY_ENERGY_FULL=50000000\n"
                             "POWER_SUPPLY_ENERGY_NOW=20000000\nPOWER_SUPPLY_CAPACITY=40\n",
                             &p));
    CHECK_INT(p.left_pct, 40);
    CHECK_INT(p.left_s, 7200);
}

TEST(a_battery_that_tells_charge)
{
    struct power_supply p;
    CHECK(power_supply_parse("POWER_SUPPLY_TYPE=Battery\nPOWER_SUPPLY_STATUS=Discharging\n"
                             "POWER_SUPPLY_CHARGE_NOW=1500\nPOWER_SUPPLY_CHARGE_FULL=2000\n"
                             "POWER_SUPPLY_CURRENT_NOW=-500\n",
                             &p));
    CHECK_INT(p.left_pct, 75);
    CHECK_INT(p.left_s, 10800);
    CHECK(power_supply_parse("POWER_SUPPLY_TYPE=Battery\nPOWER_SUPPLY_STATUS=Charging\n"
                             "POWER_SUPPLY_CAPACITY=101\nPOWER_SUPPLY_TIME_TO_EMPTY_NOW=5\n",
                             &p));
    CHECK_INT(p.left_pct, 100);
    CHECK_INT(p.left_s, -1);
}

TEST(what_is_no_battery_of_the_machine)
{
    struct power_supply p;
    CHECK(!power_supply_parse("POWER_SUPPLY_TYPE=Mains\nPOWER_SUPPLY_CAPACITY=5\n", &p));
    CHECK(!power_supply_parse("POWER_SUPPLY_TYPE=Battery\n", &p));
    CHECK(!power_supply_parse("POWER_SUPPLY_TYPE=Battery\nPOWER_SUPPLY_CAPACITY=5\n"
                              "POWER_SUPPLY_SCOPE=Device\n", /* a mouse's */
                              &p));
    CHECK(!power_supply_parse("POWER_SUPPLY_TYPE=Battery\nPOWER_SUPPLY_CAPACITY=5\n"
                              "POWER_SUPPLY_PRESENT=0\n",
                              &p));
}

static const char wireless[] =
    "Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE\n"
    " face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22\n"
    " wlan0: 0000   54.  -56.  -256        0      0      0      0     67        0\n"
    "wlp3s0: 0000   70   200.  161.        0      0      0      0      0        0\n";

TEST(wireless_link_signal_and_noise)
{
    struct net_wireless w;
    CHECK(net_wireless_parse(wireless, "wlan0", &w));
    CHECK_INT(w.link, 54);
    CHECK_INT(w.signal_dbm, -56);
    CHECK_INT(w.noise_dbm, 0); /* -256: not told */
    CHECK(net_wireless_parse(wireless, "wlp3s0", &w));
    CHECK_INT(w.signal_dbm, -56);
    CHECK_INT(w.noise_dbm, -95);
    CHECK(!net_wireless_parse(wireless, "wlan", &w));
    CHECK(!net_wireless_parse(wireless, "eth0", &w));
    CHECK(!net_wireless_parse("wlan0: 0000 54.\n", "wlan0", &w));
}

TEST(net_default_route_finds_the_interface)
{
    char name[NET_NAME_MAX + 1];
    CHECK(net_default_route("Iface\tDestination\tGateway\neth1\t0000A8C0\t00000000\n"
                            "wlp3s0\t00000000\t0100A8C0\neth0\t00000000\t0100A8C0\n",
                            name));
    CHECK_STR(name, "wlp3s0");
    CHECK(!net_default_route("Iface\tDestination\n", name));
    CHECK(!net_default_route("Iface\na_name_that_is_too_long\t00000000\t0\n", name));
    CHECK(!net_default_route("", name));
}

TEST(a_process_with_an_odd_name)
{
    struct pid_status p;
    CHECK(pid_status_parse("12 (a) b (c) R 1 12 12 0 -1 4194304 90 0 0 0 70 8 5 6 25 5 1 0 4444 "
                           "9000000 321 18446744073709551615 1 1 0 0\n",
                           &p));
    CHECK_STR(p.name, "a) b (c");
    CHECK_INT(p.state, 'R');
    CHECK_INT(p.user_ticks, 70);
    CHECK_INT(p.sys_ticks, 8);
    CHECK_INT(p.child_user, 5);
    CHECK_INT(p.child_sys, 6);
    CHECK_INT(p.priority, 25);
    CHECK_INT(p.nice, 5);
    CHECK_INT(p.start_ticks, 4444);
    CHECK_INT(p.resident_pages, 321);
    CHECK_STR(pid_status_state_name(p.state), "Running");
    CHECK_STR(pid_status_state_name('?'), "Unknown");
    CHECK(!pid_status_parse("12 (a) R 1 2 3\n", &p));
    CHECK(!pid_status_parse("12 a R 1 2 3\n", &p));
    CHECK(!pid_status_parse(")(", &p));
    CHECK(!pid_status_parse("", &p));
}

TEST(pid_status_uid_and_passwd_give_the_owner)
{
    static const char passwd[] = "root:x:0:0:root:/root:/bin/sh\nbad line\n:x:5:\nglenda:x:1000:\n";
    char name[8];
    uint32_t uid;
    CHECK(pid_status_uid("Name:\tx\nUid:\t1000\t0\t0\t0\n", &uid));
    CHECK_INT(uid, 1000);
    CHECK(!pid_status_uid("Name:\tx\n", &uid));
    CHECK(pid_status_user(passwd, 1000, name, sizeof name));
    CHECK_STR(name, "glenda");
    CHECK(!pid_status_user(passwd, 5, name, sizeof name));
    CHECK(!pid_status_user(passwd, 1000, name, 6)); /* no room */
}

TEST(which_group_a_user_has)
{
    static const char passwd[] = "root:x:0:0:root:/root:/bin/sh\nglenda:x:1000:100:\nbad:x:7\n";
    static const char group[] = "root:x:0:\nadm:x:4:glenda\nbad\ntwo:x:5:rob,glenda,ken\n"
                                "other:x:6:glendas,xglenda\nlast:x:7:rob,glenda";
    uint32_t gid, to[2] = {0, 0};
    CHECK(pid_status_gid(passwd, 1000, &gid));
    CHECK_INT(gid, 100);
    CHECK(!pid_status_gid(passwd, 7, &gid) && !pid_status_gid(passwd, 8, &gid));
    CHECK_INT((int64_t)pid_status_member(group, "glenda", to, 2), 3); /* counted, not written */
    CHECK(to[0] == 4 && to[1] == 5);
    CHECK_INT((int64_t)pid_status_member(group, "nobody", to, 2), 0);
    CHECK_INT((int64_t)pid_status_member(group, "", to, 2), 0);
}

/* As many as the kernel allows, and the text cut anywhere: all of them, or none yet. */
TEST(all_groups_of_a_process)
{
    enum { MANY = 65536, SOME = 2000 };
    static uint32_t got[MANY];
    struct buf b = BUF_INIT;
    buf_adds(&b, "Name:\tx\nUid:\t5\t5\t5\t5\nGroups:\t");
    for (uint32_t i = 0; i < MANY; i++)
        buf_printf(&b, "%u ", 4294900000u + i);
    buf_adds(&b, "\nNStgid:\t1\n");
    CHECK_INT(pid_status_groups(buf_str(&b), got, MANY), MANY);
    for (uint32_t i = 0; i < MANY; i++)
        if (got[i] != 4294900000u + i)
            CHECK_INT(got[i], 4294900000u + i);
    for (size_t len = 0; len < SOME; len++) {
        char end = b.data[len];
        b.data[len] = '\0';
        CHECK_INT(pid_status_groups(b.data, got, MANY), -EAGAIN);
        b.data[len] = end;
    }
    CHECK_INT(pid_status_groups("Groups:\t\n", got, MANY), 0);
    CHECK_INT(pid_status_groups("Groups:\t7 x 8\n", got, MANY), 1);
    buf_release(&b);
}

TEST(pid_status_args_quotes_words)
{
    struct buf out = BUF_INIT;
    static const char line[] = "ls\0-l\0a b\0it's\0";
    pid_status_args(line, sizeof line, &out); /* with one more NUL: an empty word */
    CHECK_STR(buf_str(&out), "ls -l 'a b' 'it''s' ''");
    buf_clear(&out);
    pid_status_args("cut", 3, &out);
    CHECK_STR(buf_str(&out), "cut");
    buf_clear(&out);
    pid_status_args("", 0, &out);
    CHECK_INT(out.len, 0);
    buf_release(&out);
}

TEST(proc_fdinfo_gives_offset_access_and_inode)
{
    struct proc_fdinfo d;
    CHECK(proc_fdinfo_parse("pos:\t533\nflags:\t02100001\nmnt_id:\t25\nino:\t99\n", &d));
    CHECK_INT(d.offset, 533);
    CHECK_INT(d.access, 1);
    CHECK_INT(d.inode, 99);
    CHECK(proc_fdinfo_parse("pos:\t0\nflags:\t02\n", &d));
    CHECK_INT(d.inode, 0);
    CHECK(!proc_fdinfo_parse("pos:\t0\n", &d));
}

TEST(net_counts_of_one_interface)
{
    struct net_counts c;
    static const char text[] =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
        "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
        "  eth0:900 55 2 3 4 5 6 7 800 44 9 0 0 0 0 0\n"
        "  eth1: 1 2 3\n";
    CHECK(net_counts_parse(text, "eth0", &c));
    CHECK(c.in == 55 && c.out == 44 && c.out_bad == 9);
    CHECK(c.in_bad[0] == 2 && c.in_bad[1] == 3 && c.in_bad[2] == 4 && c.in_bad[3] == 5);
    CHECK(!net_counts_parse(text, "eth1", &c));
    CHECK(!net_counts_parse(text, "eth", &c));
}
