/* stats: graphs of files of rows: values of two snapshots of a machine (tests/data/stats/m3), a
 * second apart; counters that wrap, rows that come and go, texts that are none; whether it is well.
 */
#include "unit.h"

#include "../../src/core/stats/health.h"
#include "core/stats/meter.h"

#include <math.h>
#include <stdlib.h>

#define S 1000000000ull

static void take_snapshot(struct stats_meter *m, int which, uint64_t ns)
{
    static const char *const names[] = {"cpustat", "diskstat", "netstat", "memstat", "pressure"};
    char path[64];
    size_t len;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "data/stats/m3/%d/dev/%s", which, names[i]);
        char *text = unit_file(path, &len);
        stats_meter_add(m, (enum stats_file)(STATS_CPUSTAT + i), text, len, ns);
        free(text);
    }
}

static void take_text(struct stats_meter *m, enum stats_file file, const char *text, uint64_t ns)
{
    stats_meter_add(m, file, text, strlen(text), ns);
}

static struct stats_value value_of(struct stats_meter *m, enum stats_graph graph)
{
    struct stats_value v;
    stats_meter_value(m, graph, 1, &v);
    return v;
}

/* As text: "27.5% (cpu0 100%, cpu1 0%)", or why not. */
static const char *text_of(struct stats_meter *m, enum stats_graph graph)
{
    static char text[160];
    struct stats_value v = value_of(m, graph);
    struct buf parts = BUF_INIT;
    char value[STATS_TEXT];
    stats_value_text(&v, value);
    stats_parts_text(&v, 0, &parts);
    snprintf(text, sizeof text, "%s%s%s%s%s", v.why ? v.why : value, v.parts ? " (" : "",
             v.parts ? buf_str(&parts) : "", v.parts ? ")" : "", "");
    buf_release(&parts);
    return text;
}

TEST(stats_rows_give_rates_shares_and_levels_with_their_parts)
{
    struct stats_meter m = {.cpu = NULL};
    take_snapshot(&m, 0, S);
    CHECK_STR(text_of(&m, STATS_CPU_BUSY), "first reading: no rate yet");
    CHECK_STR(text_of(&m, STATS_NET_IN), "first reading: no rate yet");
    CHECK_STR(text_of(&m, STATS_MEM_PRESSURE), "first reading: no rate yet");
    CHECK_STR(text_of(&m, STATS_MEM_AVAILABLE), "537MB");
    stats_meter_next(&m);
    take_snapshot(&m, 1, 2 * S);
    CHECK_STR(text_of(&m, STATS_CPU_BUSY), "74.7% (cpu0 100%, cpu1 46.7%)");
    CHECK_STR(text_of(&m, STATS_CPU_USER), "52.6% (cpu0 88%, cpu1 13.3%)");
    CHECK_STR(text_of(&m, STATS_CPU_SYSTEM), "15.8% (cpu0 10%, cpu1 22.2%)");
    CHECK_STR(text_of(&m, STATS_CPU_IOWAIT), "2.11% (cpu0 0%, cpu1 4.44%)");
    CHECK_STR(text_of(&m, STATS_CPU_IRQ), "5.26% (cpu0 0%, cpu1 11.1%)");
    CHECK_STR(text_of(&m, STATS_CPU_STEAL), "1.05% (cpu0 2%, cpu1 0%)");
    CHECK_STR(text_of(&m, STATS_DISK_READ), "10.5MB/s (sda 10.5MB/s, mmcblk0 0B/s)");
    CHECK_STR(text_of(&m, STATS_DISK_OPS), "404/s (sda 400/s, mmcblk0 4/s)");
    CHECK_STR(text_of(&m, STATS_NET_IN), "2.50MB/s (eth0 2.50MB/s, wlan0 0B/s)");
    CHECK_STR(text_of(&m, STATS_NET_OUT), "15kB/s (eth0 10kB/s, wlan0 5kB/s)");
    CHECK_STR(text_of(&m, STATS_MEM_PROGRAMS), "268MB");
    CHECK_STR(text_of(&m, STATS_MEM_CACHED), "403MB");
    CHECK_STR(text_of(&m, STATS_MEM_KERNEL), "67.1MB");
    CHECK_STR(text_of(&m, STATS_MEM_FREE), "268MB");
    CHECK_STR(text_of(&m, STATS_CPU_PRESSURE), "65%");
    CHECK_STR(text_of(&m, STATS_MEM_PRESSURE), "1%");
    CHECK_STR(text_of(&m, STATS_MEM_STALL), "0.50%");
    CHECK_STR(text_of(&m, STATS_IO_PRESSURE), "40%");
    CHECK_STR(text_of(&m, STATS_IO_STALL), "20%");
    stats_meter_release(&m);
}

TEST(stats_rows_of_32_bits_pass_their_end)
{
    struct stats_meter m = {.cpu = NULL};
    take_snapshot(&m, 0, S);
    stats_meter_next(&m);
    take_snapshot(&m, 1, 2 * S);
    /* 96 + 3904 sectors; 296 + 204 ms */
    CHECK_STR(text_of(&m, STATS_DISK_WRITE), "2.25MB/s (sda 2.05MB/s, mmcblk0 205kB/s)");
    CHECK_STR(text_of(&m, STATS_DISK_BUSY), "80% (sda 80%, mmcblk0 50%)");
    struct stats_value v = value_of(&m, STATS_DISK_WRITE);
    CHECK_INT(v.total, 4400 * 512);
    CHECK_INT(v.part[0].total, 4000 * 512);
    stats_meter_release(&m);
}

TEST(stats_rows_that_come_go_or_fall_add_nothing)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_NETSTAT, "a 1000 0\n", S);
    stats_meter_next(&m);
    take_text(&m, STATS_NETSTAT, "b 5000000 0\na 1300 0\n", 2 * S);
    CHECK_STR(text_of(&m, STATS_NET_IN), "300B/s (a 300B/s)");
    stats_meter_next(&m);
    take_text(&m, STATS_NETSTAT, "b 5000100 0\na 7 0\n", 3 * S);
    CHECK_STR(text_of(&m, STATS_NET_IN), "100B/s (b 100B/s)");
    stats_meter_next(&m);
    take_text(&m, STATS_NETSTAT, "b 5000300 0\n", 4 * S);
    CHECK_STR(text_of(&m, STATS_NET_IN), "200B/s (b 200B/s)");
    CHECK_INT(value_of(&m, STATS_NET_IN).total, 600);
    stats_meter_next(&m);
    CHECK_STR(text_of(&m, STATS_NET_IN), "0B/s"); /* it did not answer */
    stats_meter_release(&m);
}

/* iowait goes backwards by design (proc(5)). */
TEST(stats_cpu_time_that_falls_counts_as_none)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_CPUSTAT, "all 100 0 0 1000 50 0 0 0\n", S);
    stats_meter_next(&m);
    take_text(&m, STATS_CPUSTAT, "all 150 0 0 1050 40 0 0 0\n", 2 * S);
    CHECK_STR(text_of(&m, STATS_CPU_BUSY), "50%");
    CHECK_STR(text_of(&m, STATS_CPU_IOWAIT), "0%");
    stats_meter_release(&m);
}

TEST(stats_rows_are_bounded_and_say_what_they_are_not)
{
    struct stats_rows r = {.row = NULL};
    struct buf text = BUF_INIT;
    CHECK_STR(stats_rows_add(&r, "", 0), "no row of a name and numbers");
    CHECK_STR(stats_rows_add(&r, "x\n y 1\n\nz -1\n", 12), "no row of a name and numbers");
    CHECK(!stats_rows_add(&r, "x 1 2 3 4 5 6 7 8 9\n", 11)); /* to the 5 */
    CHECK(r.count == 1 && r.row[0].columns == 5 && r.row[0].now[4] == 5);
    CHECK(!stats_rows_add(&r, "x 99999999999999999999\nx 1\n", 27));
    CHECK(r.count == 1 && r.row[0].now[0] == UINT64_MAX);
    for (int i = 0; i < 2 * STATS_ROWS_MAX; i++)
        buf_printf(&text, "r%d 1\n", i);
    CHECK(!stats_rows_add(&r, buf_str(&text), text.len));
    CHECK(r.count <= STATS_ROWS_MAX);
    CHECK(!stats_rows_add(&r, "r1 1\n", 5));
    CHECK(r.count == 1);
    buf_release(&text);
    stats_rows_release(&r);
}

TEST(stats_parts_that_do_not_fit_are_counted_the_largest_first)
{
    static const struct stats_part part[] = {
        {"0", 1, 0}, {"1", 90, 0}, {"2", 5, 0}, {"3", 50, 0}, {"4", 2, 0}};
    struct stats_value v = {.graph = STATS_CPU_BUSY, .part = part, .parts = 5};
    struct buf text = BUF_INIT;
    stats_parts_text(&v, 46, &text);
    CHECK_STR(buf_str(&text), "cpu0 1%, cpu1 90%, cpu2 5%, cpu3 50%, cpu4 2%");
    buf_clear(&text);
    stats_parts_text(&v, 40, &text);
    CHECK_STR(buf_str(&text), "cpu1 90%, cpu3 50%, cpu2 5%, 2 more");
    buf_clear(&text);
    stats_parts_text(&v, 4, &text);
    CHECK_STR(buf_str(&text), "");
    v.why = "none";
    stats_parts_text(&v, 0, &text);
    CHECK_STR(buf_str(&text), "");
    buf_release(&text);
}

/* --- health --- */

static const char *health_of(struct stats_meter *m)
{
    static char line[512];
    struct stats_choice overview = {.count = 0};
    struct stats_value value[STATS_GRAPHS];
    struct stats_health h;
    struct buf text = BUF_INIT;
    stats_choose_overview(&overview);
    for (size_t i = 0; i < overview.count; i++)
        value[i] = value_of(m, overview.graph[i]);
    CHECK(!stats_health(value, overview.count - 1, 2, &h));
    CHECK(stats_health(value, overview.count, 2, &h));
    stats_health_line(&h, &text);
    snprintf(line, sizeof line, "%s", buf_str(&text));
    buf_release(&text);
    return line;
}

static void take_levels(struct stats_meter *m, const char *load, const char *swap)
{
    char text[128];
    snprintf(text, sizeof text, "0 0 0 0 0 0 0 %s 0 0\n1 0 0 0 0 0 0 0 0 0\n", load);
    take_text(m, STATS_SYSSTAT, text, S);
    snprintf(text, sizeof text,
             "0 memory\n4096 pagesize\n0 kernel\n1/2 user\n%s swap\n0/0 x\n0/0 y\n", swap);
    take_text(m, STATS_SWAP, text, S);
}

TEST(stats_health_says_what_is_beyond_its_limit)
{
    struct stats_meter m = {.cpu = NULL};
    CHECK_STR(health_of(&m), "not known yet");
    take_snapshot(&m, 0, S);
    stats_meter_next(&m);
    take_snapshot(&m, 1, 2 * S);
    CHECK_STR(health_of(&m), "not well: tasks wait for a CPU 65%, tasks wait for disks 40% "
                             "(8 of 10 checks)");
    take_text(&m, STATS_PRESSURE, "cpu 1650000 0\nmemory 510000 0\nio 1200000 0\n", 3 * S);
    take_levels(&m, "1500", "1/100");
    CHECK_STR(health_of(&m), "well: 10 of 10 checks");
    take_levels(&m, "4500", "60/100");
    CHECK_STR(health_of(&m), "not well: load 4.50, swap used 246kB");
    take_text(&m, STATS_MEMSTAT, "total 1000000\navailable 99999\n", 3 * S);
    CHECK_STR(health_of(&m),
              "not well: load 4.50, only 100kB of memory available, swap used 246kB");
    stats_meter_release(&m);
}
