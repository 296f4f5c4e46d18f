/* A workload as a process of its own. */
#include "plat/workload.h"

#include "private.h"
#include "process/descriptors.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char workload_program[] = "/proc/self/exe";

static const struct workload *find_workload(const char *name)
{
    for (const struct workload *w = workloads; w->name; w++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}

/* Once, within the time limit: the kernel's alarm ends what takes longer. */
static int run_limited(const struct workload *w, uint64_t amount, uint64_t *number)
{
    alarm(WORKLOAD_MAX_SECONDS);
    int n = w->run(amount, number);
    alarm(0);
    return n;
}

static int answer(const struct workload *w, uint64_t amount)
{
    uint64_t number[WORKLOAD_NUMBERS] = {0};
    char line[128];
    int n = run_limited(w, amount, number), len = 0;
    if (n < 0)
        len = snprintf(line, sizeof line, "failed %d", -n);
    else
        len = snprintf(line, sizeof line, "done");
    for (int i = 0; i < n; i++)
        len += snprintf(line + len, sizeof line - (size_t)len, " %" PRIu64, number[i]);
    line[len++] = '\n';
    descriptor_write(STDOUT_FILENO, line, (size_t)len);
    return n;
}

/* A line of a few digits. False at the end of input. */
static bool read_amount(uint64_t *amount)
{
    char line[24], c;
    size_t len = 0;
    ssize_t n;
    while ((n = read(STDIN_FILENO, &c, 1)) == 1 && c != '\n')
        if (len < sizeof line - 1)
            line[len++] = c;
    line[len] = '\0';
    *amount = strtoull(line, NULL, 10);
    return n == 1;
}

static int serve(const struct workload *w)
{
    char line[32];
    uint64_t amount;
    int len = snprintf(line, sizeof line, "ready %d\n", (int)getpid()), n = 0;
    descriptor_write(STDOUT_FILENO, line, (size_t)len);
    while (n >= 0 && read_amount(&amount))
        n = answer(w, amount);
    return n < 0;
}

static int pin_to(const char *cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(strtoul(cpu, NULL, 10) % CPU_SETSIZE, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

int workload_main(int argc, char **argv)
{
    uint64_t number[WORKLOAD_NUMBERS];
    const struct workload *w = argc < 2 || argc > 3 ? NULL : find_workload(argv[0]);
    if (!w)
        return 2;
    if (argc > 2 && pin_to(argv[2]) < 0)
        return 3;
    if (strcmp(argv[1], "-") == 0)
        return serve(w);
    return run_limited(w, strtoull(argv[1], NULL, 10), number) < 0;
}
