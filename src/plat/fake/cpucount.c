/*
 * cpucount EVENT STEP[,STEP...]: the event can be counted; each reading of the nth CPU finds the
 * nth STEP more than the one before. Events without a line are -EACCES.
 */
#include "plat/cpucount.h"

#include "scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CPUS = 16 };

struct cpucount {
    size_t cpus;
    uint64_t step[MAX_CPUS], read[MAX_CPUS];
};

int cpucount_open(const char *event, struct cpucount *leader, struct cpucount **out, struct fail *f)
{
    const char *s = scenario_named("cpucount", event, strlen(event));
    if (!s) {
        fail_set(f, EACCES, "counting %s on all CPUs", event);
        fail_hint(f, "run as root");
        return -EACCES;
    }
    struct cpucount *c = calloc(1, sizeof *c);
    if (!c)
        return fail_set(f, ENOMEM, "%s", event);
    for (char *end; c->cpus < MAX_CPUS; s = end + 1) {
        c->step[c->cpus++] = strtoull(s, &end, 10);
        if (*end != ',')
            break;
    }
    *out = c;
    return 0;
}

void cpucount_close(struct cpucount *c)
{
    free(c);
}

bool cpucount_read(struct cpucount *c, uint32_t cpu, uint64_t *count)
{
    if (cpu >= c->cpus)
        return false;
    *count = c->read[cpu] += c->step[cpu];
    return true;
}
