/* Plan 9's monitoring files: the first byte says which, a NUL parts two readings; all graphs of
 * them, as the forms of a sample. Psuite's own files of rows are among them. */
#include "fuzz.h"

#include "core/stats/meter.h"

#include <math.h>

static void check_value(const struct stats_value *v)
{
    char text[STATS_TEXT];
    if (!v->why && (!isfinite(v->value) || v->value < 0 || !isfinite(v->natural)))
        abort();
    if (!(v->full > 0))
        abort();
    for (size_t i = 0; i < v->parts; i++)
        if (!isfinite(v->part[i].natural) || v->part[i].natural < 0 || !v->part[i].name[0])
            abort();
    stats_value_text(v, text);
}

static void check_sample(struct stats_meter *m)
{
    struct stats_value value[STATS_GRAPHS];
    struct buf out = BUF_INIT;
    for (int i = 0; i < STATS_GRAPHS; i++) {
        stats_meter_value(m, (enum stats_graph)i, 0.5, &value[i]);
        check_value(&value[i]);
    }
    struct stats_source_sample source = {.name = "x", .value = value, .count = STATS_GRAPHS};
    struct stats_sample sample = {.interval = 0.5, .source = &source, .sources = 1};
    stats_sample_json(&sample, &out);
    stats_sample_csv(&sample, &out);
    stats_sample_openmetrics(&sample, &out);
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct stats_meter m = {.cpu = NULL};
    if (len < 1 || len > 65536)
        return 0;
    size_t kind = data[0] % (STATS_FILES + 1); /* the one before the rows is #c/absent */
    bool is_absent = kind == STATS_CPUSTAT;
    enum stats_file file = (enum stats_file)(kind - (kind > STATS_CPUSTAT));
    char *text = fuzz_text(data + 1, len - 1);
    char *second = memchr(text, '\0', len - 1);
    size_t first_len = second ? (size_t)(second - text) : len - 1;
    if (is_absent) {
        stats_meter_absent(&m, text, first_len);
    } else {
        stats_meter_add(&m, file, text, first_len, 1000000000);
        check_sample(&m);
        stats_meter_next(&m);
        if (second)
            stats_meter_add(&m, file, second + 1, len - 2 - first_len, 1500000000);
    }
    check_sample(&m);
    stats_meter_release(&m);
    free(text);
    return 0;
}
