/* counter HZ RESOLUTION_NS COST_NS STEADY NAME...: what clock_counter_probe finds. Default
 * 1000000000 1 20 1 fake counter. */
#include "plat/clock.h"

#include "scenario.h"

#include <stdio.h>

void clock_counter_probe(struct clock_counter *out)
{
    static char name[64];
    unsigned long long hz = 1000000000;
    int steady = 1;
    *out = (struct clock_counter){.name = "fake counter", .resolution_ns = 1, .cost_ns = 20};
    const char *rest = scenario_get("counter");
    if (rest && sscanf(rest, "%llu %lf %lf %d %63[^\n]", &hz, &out->resolution_ns, &out->cost_ns,
                       &steady, name) == 5)
        out->name = name;
    out->hz = hz;
    out->steady = steady;
}
