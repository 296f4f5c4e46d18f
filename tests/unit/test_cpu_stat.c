#include "unit.h"

#include "core/procfs/cpu_stat.h"

#include <errno.h>

static const char text[] = "cpu  300 20 100 1000 50 7 13 5 100 0\n"
                           "cpu0 100 10 50 500 25 7 3 5 0 0\ncpu2 200 10 50 500 25 0 10 0 0 0\n"
                           "intr 12345 1 2\nctxt 999\ncpufreq 1 2 3 4\nbtime 1\n";

TEST(cpu_stat_of_two_cpus)
{
    struct cpu_stat s;
    CHECK_INT(cpu_stat_parse(text, 100, &s), 0);
    CHECK_INT(s.cpus, 2);
    CHECK_INT(s.total.user_ms, 3000);
    CHECK_INT(s.total.nice_ms, 200);
    CHECK_INT(s.total.idle_ms, 10000);
    CHECK_INT(s.total.steal_ms, 50);
    CHECK_INT(s.cpu[0].irq_ms, 70);
    CHECK_INT(s.cpu[1].cpu, 2);
    CHECK_INT(s.cpu[1].softirq_ms, 100);
    CHECK_INT(cpu_times_total_ms(&s.cpu[1]), 7950);
    cpu_stat_release(&s);
}

TEST(cpu_stat_of_an_old_kernel)
{
    struct cpu_stat s;
    CHECK_INT(cpu_stat_parse("cpu 1 2 3 4\n", 250, &s), 0);
    CHECK_INT(s.total.system_ms, 12);
    CHECK_INT(s.total.steal_ms, 0);
    CHECK_INT(s.cpus, 0);
    cpu_stat_release(&s);
}

TEST(what_is_no_cpu_stat)
{
    struct cpu_stat s;
    CHECK_INT(cpu_stat_parse("", 100, &s), -EINVAL);
    CHECK_INT(cpu_stat_parse("cpu0 1 2 3 4\n", 100, &s), -EINVAL);
    CHECK_INT(cpu_stat_parse("cpu 1 2 3\n", 100, &s), -EINVAL);
    CHECK_INT(cpu_stat_parse("cpu -1 2 3 4\n", 100, &s), -EINVAL);
    CHECK_INT(cpu_stat_parse("cpu 1 2 3 4\n", 0, &s), -EINVAL);
}

TEST(what_passed_between_two_readings)
{
    struct cpu_stat before, now;
    struct cpu_times passed;
    CHECK_INT(cpu_stat_parse("cpu 10 0 0 90 9\ncpu0 5 0 0 45 5\ncpu1 5 0 0 45 4\n", 1000, &before),
              0);
    CHECK_INT(cpu_stat_parse("cpu 30 0 0 95 8\ncpu1 20 0 0 50 3\ncpu2 10 0 0 45 5\n", 1000, &now),
              0);
    cpu_times_since(&before.total, &now.total, &passed);
    CHECK_INT(passed.user_ms, 20);
    CHECK_INT(passed.iowait_ms, 0); /* it ran backwards */
    cpu_times_since(&before.cpu[1], &now.cpu[0], &passed);
    CHECK_INT(passed.cpu, 1);
    CHECK_INT(passed.user_ms, 15);
    cpu_stat_release(&before);
    cpu_stat_release(&now);
}
