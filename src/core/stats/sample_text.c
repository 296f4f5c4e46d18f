/* Values for people. */
#include "core/stats/sample.h"

#include "core/base/sort.h"
#include "core/text/shown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stats_number_text(double v, char out[STATS_TEXT])
{
    static const char factors[] = " kMGTPE";
    size_t i = 0;
    for (; fabs(v) >= 999.5 && i + 2 < sizeof factors; i++)
        v /= 1000;
    double size = fabs(v);
    int decimals = size >= 99.95 || v == floor(v) ? 0 : size >= 9.995 ? 1 : 2;
    int n = snprintf(out, STATS_TEXT, "%.*f", decimals, v);
    if (i && n > 0 && n + 1 < STATS_TEXT)
        snprintf(out + n, STATS_TEXT - (size_t)n, "%c", factors[i]);
}

/* What stands behind a value in units of daily life. */
static const char *unit_text(enum stats_graph graph)
{
    static const char *const own[STATS_GRAPHS] = {
        [STATS_MEM] = "B",
        [STATS_SWAP_USED] = "B",
        [STATS_TEMP] = " C",
        [STATS_SIGNAL] = " dBm",
    };
    const struct stats_graph_info *info = stats_graph_info(graph);
    if (own[graph])
        return own[graph];
    return strcmp(info->unit, "bytes/s") == 0 ? "B/s"
           : info->rate                       ? "/s"
           : strcmp(info->unit, "bytes") == 0 ? "B"
           : strcmp(info->unit, "%") == 0     ? "%"
                                              : "";
}

static void natural_text(enum stats_graph graph, double natural, char out[STATS_TEXT])
{
    char number[STATS_TEXT];
    stats_number_text(natural, number);
    snprintf(out, STATS_TEXT, "%.12s%s", number, unit_text(graph));
}

void stats_value_text(const struct stats_value *v, char out[STATS_TEXT])
{
    if (v->why)
        snprintf(out, STATS_TEXT, "-");
    else
        natural_text(v->graph, v->natural, out);
}

static int by_size(const void *a, const void *b)
{
    const struct stats_part *one = a, *two = b;
    return ORDER(two->natural, one->natural);
}

/* CPUs are numbers: cpu0. */
static void part_text(const struct stats_value *v, const struct stats_part *p, struct buf *out)
{
    char text[STATS_TEXT];
    natural_text(v->graph, p->natural, text);
    bool is_number = p->name[0] >= '0' && p->name[0] <= '9';
    shown_printf(out, "%s%s %s", is_number ? stats_graph_info(v->graph)->part : "", p->name, text);
}

/* How many parts fit columns with what is said of the others. */
static size_t count_fitting(const struct stats_value *v, const struct stats_part *part,
                            size_t columns)
{
    enum { MORE = sizeof ", 1000 more" - 1 };
    SCOPED_BUF text = BUF_INIT;
    size_t fitting = 0;
    for (size_t i = 0; i < v->parts; i++) {
        buf_adds(&text, i ? ", " : "");
        part_text(v, &part[i], &text);
        if (text.len + (i + 1 < v->parts ? MORE : 0) <= columns)
            fitting = i + 1;
    }
    if (!columns || text.len <= columns)
        fitting = v->parts;
    return fitting;
}

void stats_parts_text(const struct stats_value *v, size_t columns, struct buf *out)
{
    SCOPED_FREE struct stats_part *sorted = NULL;
    const struct stats_part *part = v->part;
    size_t fitting = v->why ? 0 : count_fitting(v, part, columns);
    if (fitting < v->parts && !v->why && (sorted = malloc(v->parts * sizeof *sorted))) {
        memcpy(sorted, v->part, v->parts * sizeof *sorted);
        sort_array(sorted, v->parts, sizeof *sorted, by_size);
        part = sorted;
        fitting = count_fitting(v, part, columns);
    }
    for (size_t i = 0; i < fitting; i++) {
        buf_adds(out, i ? ", " : "");
        part_text(v, &part[i], out);
    }
    if (fitting && fitting < v->parts)
        buf_printf(out, ", %zu more", v->parts - fitting);
}
