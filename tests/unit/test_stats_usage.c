#include "unit.h"

#include "core/base/buf.h"
#include "core/stats/usage.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(const struct usage_processes *u)
{
    static struct buf out;
    buf_clear(&out);
    usage_openmetrics(u, &out);
    return buf_str(&out);
}

static void add(struct usage_processes *u, int pid, const char *name, uint64_t started,
                uint64_t cpu_ms)
{
    usage_add(u, &(struct usage_process){.pid = pid,
                                         .name = name,
                                         .started = started,
                                         .cpu_ns = cpu_ms * 1000000,
                                         .threads = 2,
                                         .resident_bytes = 4096});
}

TEST(processes_of_a_name_are_added)
{
    struct usage_processes u = {0};
    usage_begin(&u);
    add(&u, 1, "sh", 5, 1000);
    add(&u, 2, "sh", 6, 500);
    usage_end(&u);
    const char *text = text_of(&u);
    CHECK(strstr(text, "psuite_processes{name=\"sh\"} 2\n"));
    CHECK(strstr(text, "psuite_process_threads{name=\"sh\"} 4\n"));
    CHECK(strstr(text, "psuite_process_resident_bytes{name=\"sh\"} 8192\n"));
    CHECK(strstr(text, "psuite_process_cpu_seconds_total{name=\"sh\"} 0.000\n"));
    CHECK(!strstr(text, "(other)\"} 1"));
    usage_release(&u);
}

TEST(cpu_time_of_processes_is_a_counter)
{
    struct usage_processes u = {0};
    usage_begin(&u);
    add(&u, 1, "sh", 5, 1000);
    usage_end(&u);
    usage_begin(&u);
    add(&u, 1, "sh", 5, 1250);
    add(&u, 2, "sh", 7, 100); /* new */
    usage_end(&u);
    CHECK(strstr(text_of(&u), "psuite_process_cpu_seconds_total{name=\"sh\"} 0.350\n"));
    usage_begin(&u);
    add(&u, 2, "sh", 9, 40); /* another one, with the id of one that has ended */
    usage_end(&u);
    CHECK(strstr(text_of(&u), "psuite_process_cpu_seconds_total{name=\"sh\"} 0.390\n"));
    usage_begin(&u);
    usage_end(&u);
    CHECK(strstr(text_of(&u), "psuite_processes{name=\"sh\"} 0\n"));
    CHECK(strstr(text_of(&u), "psuite_process_cpu_seconds_total{name=\"sh\"} 0.390\n"));
    CHECK_INT(u.times.count, 0);
    usage_release(&u);
}

TEST(a_process_that_executes_another_program_counts_there)
{
    struct usage_processes u = {0};
    usage_begin(&u);
    add(&u, 1, "sh", 5, 1000);
    usage_end(&u);
    usage_begin(&u);
    add(&u, 1, "cc", 5, 1100);
    usage_end(&u);
    CHECK(strstr(text_of(&u), "psuite_process_cpu_seconds_total{name=\"cc\"} 0.100\n"));
    usage_release(&u);
}

TEST(names_over_the_limit_are_one)
{
    struct usage_processes u = {0};
    char name[16];
    usage_begin(&u);
    for (int i = 0; i < USAGE_NAMES + 100; i++) {
        snprintf(name, sizeof name, "p%d", i);
        add(&u, i + 1, name, 1, 1);
    }
    add(&u, 10000, "p0", 1, 1);
    usage_end(&u);
    const char *text = text_of(&u);
    CHECK(strstr(text, "psuite_processes{name=\"(other)\"} 100\n"));
    CHECK(strstr(text, "psuite_processes{name=\"p0\"} 2\n"));
    CHECK_INT(u.names.count, USAGE_NAMES + 1);
    usage_release(&u);
}

TEST(hostile_names_stay_labels)
{
    struct usage_processes u = {0};
    usage_begin(&u);
    add(&u, 1, "a\"b\\c\nd\x1b\xff", 1, 1);
    usage_end(&u);
    CHECK(strstr(text_of(&u), "psuite_processes{name=\"a\\\"b\\\\c?d??\"} 1\n"));
    usage_release(&u);
}

TEST(a_control_group_in_numbers)
{
    struct usage_cgroup g = {.path = (char[]){"/a.slice"}};
    struct buf out = BUF_INIT;
    usage_cgroup_read(
        &(struct usage_cgroup_texts){
            .cpu_stat = "usage_usec 1500000\nuser_usec 1\nthrottled_usec 250000\n",
            .memory_current = "4096\n",
            .pids_current = "3\n",
            .io_stat = "8:0 rbytes=10 wbytes=20 rios=1 wios=1 dbytes=5 dios=0\n"
                       "8:16 rbytes=1 wbytes=2 rios=1 wios=1 dbytes=5 dios=0\n",
            .memory_events = "low 0\noom 2\noom_kill 7\noom_group_kill 1\n"},
        &g);
    usage_cgroups_openmetrics(&g, 1, &out);
    const char *text = buf_str(&out);
    CHECK(strstr(text, "psuite_cgroup_cpu_seconds_total{cgroup=\"/a.slice\"} 1.500000\n"));
    CHECK(strstr(text, "psuite_cgroup_throttled_seconds_total{cgroup=\"/a.slice\"} 0.250000\n"));
    CHECK(strstr(text, "psuite_cgroup_memory_bytes{cgroup=\"/a.slice\"} 4096\n"));
    CHECK(strstr(text, "psuite_cgroup_processes{cgroup=\"/a.slice\"} 3\n"));
    CHECK(strstr(text, "psuite_cgroup_read_bytes_total{cgroup=\"/a.slice\"} 11\n"));
    CHECK(strstr(text, "psuite_cgroup_written_bytes_total{cgroup=\"/a.slice\"} 22\n"));
    CHECK(strstr(text, "psuite_cgroup_oom_kills_total{cgroup=\"/a.slice\"} 7\n"));
    buf_clear(&out);
    usage_cgroup_read(&(struct usage_cgroup_texts){.memory_current = "max\n", .io_stat = ""}, &g);
    usage_cgroups_openmetrics(&g, 1, &out);
    CHECK(!strstr(buf_str(&out), "memory_bytes{"));
    CHECK(!strstr(buf_str(&out), "cpu_seconds_total{"));
    CHECK(strstr(buf_str(&out), "psuite_cgroup_read_bytes_total{cgroup=\"/a.slice\"} 0\n"));
    buf_release(&out);
}
