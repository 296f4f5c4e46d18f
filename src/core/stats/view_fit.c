/* Full scales that fit what is visible. */
#include "view_private.h"

#include <math.h>
#include <string.h>

static double most_visible(const struct statsview *v, enum stats_graph graph, int columns)
{
    double most = 0;
    for (size_t i = 0; i < v->sources; i++)
        for (int x = 0; x < columns; x++) {
            double value =
                (double)statsview_ago(v, &v->source[i], graph, v->held + (uint64_t)x).value;
            if (value > most)
                most = value;
        }
    return most;
}

static double round_up(double most)
{
    double power = pow(10, floor(log10(most)));
    double times = most / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

double statsview_full(const struct statsview *v, const struct statsview_source *s,
                      enum stats_graph graph, int columns)
{
    double full = s->newest[graph].full;
    if (!v->fit || strcmp(stats_graph_info(graph)->unit, "%") == 0)
        return full;
    double most = most_visible(v, graph, columns);
    return most > 0 && isfinite(most) ? round_up(most) : full;
}
