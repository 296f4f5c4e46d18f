/* Workloads do not run here: what would measure them plays the scenario.
 * cluster CPUS PMU: CPUs of one kind (plat/cluster.h). None: one of two CPUs. */
#include "plat/workload.h"

#include "plat/cluster.h"
#include "returns.h"
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>

const char workload_program[] = "psuite";

RETURNS(2, int, workload_main, int argc, char **argv)
RETURNS(false, bool, workload_code, enum workload_code which, struct workload_range *out)

size_t cluster_list(struct cluster *out, size_t max)
{
    const char *line;
    size_t n = 0;
    for (; n < max && (line = scenario_nth("cluster", n)); n++) {
        out[n] = (struct cluster){.type = 0};
        sscanf(line, "%31s %u %31s", out[n].cpus, &out[n].type, out[n].pmu);
        out[n].cpu = (uint32_t)strtoul(out[n].cpus, NULL, 10);
    }
    if (n == 0 && max > 0)
        out[n++] = (struct cluster){.cpus = "0-1"};
    return n;
}
