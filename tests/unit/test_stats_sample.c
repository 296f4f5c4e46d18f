/* A sample of stats as text, JSON, CSV and OpenMetrics, and recorded. */
#include "unit.h"

#include "core/stats/meter.h"
#include "core/stats/prometheus.h"
#include "core/stats/record.h"

static const struct stats_value told_values[] = {
    {.graph = STATS_CONTEXT, .value = 500, .full = 2000, .natural = 250, .total = 700},
    {.graph = STATS_MEM, .value = 10, .full = 40, .natural = 40960},
    {.graph = STATS_TEMP, .value = 675, .full = 2000, .natural = 45},
    {.graph = STATS_SWAP_USED, .full = 100, .why = "no \"swap\""},
};
static const struct stats_source_sample told_source[] = {
    {.name = "a\"b", .cpus = 1, .age_ms = 5, .value = told_values, .count = 4}};
static const struct stats_sample told = {
    .time_ms = 1700000000042, .interval = 2, .source = told_source, .sources = 1};

TEST(stats_json_has_each_graph_with_its_unit)
{
    struct buf out = BUF_INIT;
    stats_sample_json(&told, &out);
    CHECK_STR(buf_str(&out),
              "{\"psuite\":1,\"applet\":\"stats\",\"time\":1700000000.042,\"interval\":2.000,"
              "\"sources\":[{\"source\":\"a\\\"b\",\"cpus\":1,\"age_ms\":5,\"graphs\":["
              "{\"graph\":\"context\",\"value\":250.000,\"full\":1000.000,\"unit\":\"switches/s\","
              "\"text\":\"250/s\"},"
              "{\"graph\":\"mem\",\"value\":10.000,\"full\":40.000,\"unit\":\"pages\",\"text\":"
              "\"41.0kB\"},"
              "{\"graph\":\"temp\",\"value\":25.000,\"full\":37.037,\"unit\":\"C over 20 C\","
              "\"text\":\"45 C\"},"
              "{\"graph\":\"swap\",\"value\":null,\"full\":100.000,\"unit\":\"pages\",\"why\":\"no "
              "\\\"swap\\\"\"}]}]}\n");
    buf_release(&out);
}

TEST(stats_of_an_unreachable_source_have_the_reason)
{
    struct stats_source_sample away = told_source[0];
    struct stats_sample s = told;
    struct buf out = BUF_INIT;
    away.why = "no route";
    s.source = &away;
    stats_sample_json(&s, &out);
    CHECK(strstr(buf_str(&out), "\"age_ms\":5,\"why\":\"no route\",\"graphs\":["));
    buf_clear(&out);
    stats_sample_text(&s, &(struct stats_text){.scale = 1}, &out);
    CHECK(strstr(buf_str(&out), " s ago: no route\n"));
    buf_release(&out);
}

TEST(stats_csv_quotes_names_and_leaves_absent_values_empty)
{
    struct buf out = BUF_INIT;
    stats_sample_csv_head(&told, &out);
    stats_sample_csv(&told, &out);
    CHECK_STR(buf_str(&out), "time,source,cpus,age_ms,context,mem,temp,swap\n"
                             "1700000000.042,\"a\"\"b\",1,5,250,40960,45,\n");
    buf_release(&out);
}

TEST(stats_openmetrics_has_types_units_and_an_end)
{
    struct buf out = BUF_INIT;
    stats_sample_openmetrics(&told, &out);
    CHECK(strstr(buf_str(&out), "# TYPE psuite_context_switches counter\n"));
    CHECK(strstr(buf_str(&out), "psuite_context_switches_total{source=\"a\\\"b\"} 700\n"));
    CHECK(strstr(buf_str(&out), "psuite_temperature_celsius{source=\"a\\\"b\"} 45\n"));
    CHECK(!strstr(buf_str(&out), "swap"));
    CHECK_STR(buf_str(&out) + out.len - 6, "# EOF\n");
    buf_release(&out);
}

TEST(counters_in_prometheus_text_have_the_names_of_their_samples)
{
    static const char text[] = "# TYPE a counter\n# HELP a what counter.\na_total{x=\"1\"} 1\n"
                               "# TYPE b gauge\n# HELP b what counter.\nb 2\n# EOF\n";
    struct buf out = BUF_INIT;
    stats_prometheus_text(text, strlen(text), &out);
    CHECK_STR(buf_str(&out), "# TYPE a_total counter\n# HELP a_total what counter.\n"
                             "a_total{x=\"1\"} 1\n# TYPE b gauge\n# HELP b what counter.\nb 2\n# EOF\n");
    buf_clear(&out);
    stats_prometheus_text("# TYPE  counter", 15, &out); /* cut off, and without a name */
    CHECK_STR(buf_str(&out), "# TYPE _total counter");
    buf_release(&out);
}

TEST(stats_numbers_have_three_digits_and_a_unit)
{
    static const struct {
        double v;
        const char *text;
    } cases[] = {{0, "0"},     {0.25, "0.25"},   {12, "12"},       {12.3, "12.3"},
                 {999, "999"}, {999.6, "1.00k"}, {2700, "2.70k"},  {99960, "100k"},
                 {-55, "-55"}, {1e6, "1M"},      {27500, "27.5k"}, {1.5e20, "150E"}};
    char text[STATS_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stats_number_text(cases[i].v, text);
        CHECK_STR(text, cases[i].text);
    }
}

/* --- recordings --- */

TEST(a_recording_tells_the_same)
{
    struct buf out = BUF_INIT, before = BUF_INIT, after = BUF_INIT;
    struct stats_replay r;
    struct stats_sample again;
    stats_record_head(told.interval, &out);
    stats_record_sample(&told, &out);
    stats_record_sample(&told, &out);
    size_t whole = out.len;
    stats_record_sample(&told, &out);
    CHECK_INT(stats_replay_open(&r, out.data, out.len - 3, "x", NULL), 0);
    CHECK_INT(r.samples, 2); /* the third was cut off */
    CHECK(whole < out.len);
    stats_replay_sample(&r, 1, &again);
    stats_sample_json(&told, &before);
    stats_sample_json(&again, &after);
    CHECK_STR(buf_str(&after), buf_str(&before));
    struct stats_choice only = {.graph = {STATS_TEMP}, .count = 1};
    r.graph_filter = &only;
    stats_replay_sample(&r, 0, &again);
    CHECK_INT(again.source->count, 1);
    stats_replay_release(&r);
    buf_release(&out);
    buf_release(&before);
    buf_release(&after);
}

TEST(what_is_no_recording)
{
    static const char *const texts[] = {"",
                                        "psuite",
                                        "psuite stats 1 0\n",
                                        "psuite stats 2 1\n",
                                        "psuite stats 1 nan\n",
                                        "time,source\n",
                                        "psuite stats 1 1"};
    struct stats_replay r;
    struct fail f;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(stats_replay_open(&r, texts[i], strlen(texts[i]), "x", &f) < 0);
    CHECK_INT(stats_replay_open(&r, "psuite stats 1 1\n", 17, "x", &f), 0);
    CHECK_INT(r.samples, 0);
    stats_replay_release(&r);
}
