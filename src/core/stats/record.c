#include "core/stats/record.h"

#include <inttypes.h>

void stats_record_head(double interval, struct buf *out)
{
    buf_printf(out, "psuite stats 1 %.3f\n", interval);
}

/* Text that came from elsewhere stays on its line. */
static void one_line(struct buf *out, const char *s)
{
    for (; *s; s++)
        buf_addc(out, (unsigned char)*s < ' ' ? ' ' : *s);
    buf_addc(out, '\n');
}

static void print_value(struct buf *out, const struct stats_value *v)
{
    const char *name = stats_graph_info(v->graph)->name;
    if (v->why) {
        buf_printf(out, "%s - %.10g ", name, v->full);
        one_line(out, v->why);
    } else {
        buf_printf(out, "%s %.10g %.10g %.10g %" PRIu64 "\n", name, v->value, v->full, v->natural,
                   v->total);
        for (size_t i = 0; i < v->parts; i++) {
            buf_printf(out, "part %.10g %" PRIu64 " ", v->part[i].natural, v->part[i].total);
            one_line(out, v->part[i].name);
        }
    }
}

void stats_record_sample(const struct stats_sample *s, struct buf *out)
{
    buf_printf(out, "at %" PRIu64 "\n", s->time_ms);
    for (size_t i = 0; i < s->sources; i++) {
        const struct stats_source_sample *m = &s->source[i];
        buf_printf(out, "source %" PRIu32 " %" PRIu64 " ", m->cpus, m->age_ms);
        one_line(out, m->name);
        for (size_t k = 0; k < m->count; k++)
            print_value(out, &m->value[k]);
    }
    buf_adds(out, "end\n");
}
