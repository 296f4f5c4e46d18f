#include "cpu.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char cpu_clock_name[] = "cntvct";

uint64_t cpu_ticks_hz(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(v));
    return v & 0xffffffff;
}

bool cpu_ticks_usable(void)
{
    return true;
}

/* --- perf's counters --- */

enum { CYCLE_COUNTER = 31, LINE = 32, PATH = 80 };

static bool read_line(const char *path, char line[LINE])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, line, LINE - 1);
    if (fd >= 0)
        close(fd);
    line[n > 0 ? n : 0] = 0;
    return n > 0;
}

static bool is_cpu(unsigned n, char path[PATH])
{
    snprintf(path, PATH, "/sys/devices/system/cpu/cpu%u", n);
    return access(path, F_OK) == 0;
}

/* The counters of one kind of CPU do not go on on another. */
static bool is_one_kind(void)
{
    char path[PATH], line[LINE], first[LINE] = "";
    for (unsigned i = 0; is_cpu(i, path); i++) {
        strcat(path, "/regs/identification/midr_el1");
        if (!read_line(path, line)) /* it is off */
            continue;
        if (*first && strcmp(first, line) != 0)
            return false;
        strcpy(first, line);
    }
    return *first;
}

bool cpu_user_counters(void)
{
    char line[LINE];
    return read_line("/proc/sys/kernel/perf_user_access", line) && line[0] == '1' && is_one_kind();
}

#define READ(n)                                                                                    \
    case n:                                                                                        \
        __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(v));                                  \
        break
#define READ_4(a, b, c, d)                                                                         \
    READ(a);                                                                                       \
    READ(b);                                                                                       \
    READ(c);                                                                                       \
    READ(d)

/* The number of a counter is a part of its instruction. */
uint64_t cpu_user_counter(uint32_t n)
{
    uint64_t v = 0;
    switch (n) {
        READ_4(0, 1, 2, 3);
        READ_4(4, 5, 6, 7);
        READ_4(8, 9, 10, 11);
        READ_4(12, 13, 14, 15);
        READ_4(16, 17, 18, 19);
        READ_4(20, 21, 22, 23);
        READ_4(24, 25, 26, 27);
        READ(28);
        READ(29);
        READ(30);
    case CYCLE_COUNTER:
        __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(v));
        break;
    }
    return v;
}
