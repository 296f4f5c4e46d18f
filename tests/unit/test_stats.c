/* stats: values, scales, labels and headings as Plan 9's own program has them (tests/data/stats);
 * counters that wrap, fall, come and go. */
#include "unit.h"

#include "core/stats/meter.h"
#include "core/stats/view.h"

#include <math.h>
#include <stdlib.h>

#define S 1000000000ull

static void take_file(struct stats_meter *m, enum stats_file file, const char *name, uint64_t ns)
{
    size_t len;
    char path[192];
    snprintf(path, sizeof path, "data/stats/%s", name);
    char *text = unit_file(path, &len);
    stats_meter_add(m, file, text, len, ns);
    free(text);
}

static void take_text(struct stats_meter *m, enum stats_file file, const char *text, uint64_t ns)
{
    stats_meter_add(m, file, text, strlen(text), ns);
}

/* One of the two snapshots of a machine with two processors. */
static void take_snapshot(struct stats_meter *m, int which, uint64_t ns)
{
    static const struct {
        enum stats_file file;
        const char *name;
    } files[] = {{STATS_SYSSTAT, "dev/sysstat"},          {STATS_SWAP, "dev/swap"},
                 {STATS_ETHER_STATS, "net/ether0/stats"}, {STATS_IFSTATS, "net/ether0/ifstats"},
                 {STATS_BATTERY, "dev/battery"},          {STATS_CPUTEMP, "dev/cputemp"}};
    char name[128];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(name, sizeof name, "m2/%d/%s", which, files[i].name);
        take_file(m, files[i].file, name, ns);
    }
}

static struct stats_value value_of(struct stats_meter *m, enum stats_graph graph)
{
    struct stats_value v;
    stats_meter_value(m, graph, 1, &v);
    return v;
}

/* The row of a hundred where Plan 9 draws a point two rows high. */
static int row_of(double height)
{
    int row = isnan(height) ? 98 : (int)(100 - 100 * height - 2);
    return row < 0 ? 0 : row > 98 ? 98 : row;
}

struct golden {
    double interval, scale, full;
    char graph[16], value[24], labels[64], log_labels[64], over[24], log_over[24];
    int row, log_row;
};

static bool golden_line(const char *line, struct golden *g)
{
    return sscanf(
               line,
               "T=%lf S=%lf\t%15[^\t]\t%23[^\t]\t%lf\t%63[^\t]\t%63[^\t]\t%d\t%d\t%23[^\t]\t%23s",
               &g->interval, &g->scale, g->graph, g->value, &g->full, g->labels, g->log_labels,
               &g->row, &g->log_row, g->over, g->log_over) == 11;
}

static void check_labels(const struct stats_value *v, double scale, bool log, const char *want)
{
    struct statsview_label label[3];
    char got[64] = "";
    size_t n = statsview_labels(v, 2, scale, log, label), at = 0;
    for (size_t i = 0; i < n; i++) {
        double rounded = label[i].value;
        char text[24];
        snprintf(text, sizeof text, "%g", rounded);
        at += (size_t)snprintf(got + at, sizeof got - at, "%s%s", i ? " " : "",
                               text[0] == '0' && text[1] ? text + 1 : text);
    }
    CHECK_STR(got, want);
}

static bool is_over(const struct stats_value *v, const struct golden *g, bool log)
{
    return stats_height(v->value, v->full, g->scale, log) > 1;
}

static void check_golden(const struct golden *g)
{
    struct stats_meter m = {.cpu = NULL};
    enum stats_graph graph;
    struct stats_value v;
    char value[24];
    take_snapshot(&m, 0, S);
    stats_meter_next(&m);
    take_snapshot(&m, 1, S + (uint64_t)(g->interval * (double)S));
    CHECK(stats_graph_named(g->graph, strlen(g->graph), &graph));
    stats_meter_value(&m, graph, g->interval, &v);
    CHECK(!v.why);
    snprintf(value, sizeof value, "%.0f", floor(v.value));
    CHECK_STR(value, g->value);
    stats_meter_release(&m);
    /* Plan 9 counts whole seconds there, ours does not: FORMATS 9 */
    if ((graph == STATS_ETHER_ERR || graph == STATS_TLB_MISS || graph == STATS_TLB_PURGE) &&
        g->interval != floor(g->interval))
        return;
    v.value = floor(v.value);
    CHECK_INT(v.full, g->full);
    check_labels(&v, g->scale, false, g->labels);
    check_labels(&v, g->scale, true, g->log_labels);
    CHECK_INT(row_of(stats_height(v.value, v.full, g->scale, false)), g->row);
    CHECK_INT(row_of(stats_height(v.value, v.full, g->scale, true)), g->log_row);
    CHECK_INT(is_over(&v, g, false), strcmp(g->over, "-") != 0);
    CHECK_INT(is_over(&v, g, true), strcmp(g->log_over, "-") != 0);
}

TEST(stats_values_match_the_golden)
{
    size_t len, lines = 0;
    char *text = unit_file("data/stats/values.tsv", &len);
    struct golden g;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (golden_line(line, &g)) {
            check_golden(&g);
            lines++;
        }
    free(text);
    CHECK_INT(lines, 72);
}

TEST(stats_headings_match_the_golden)
{
    size_t len, lines = 0;
    char *text = unit_file("data/stats/headings.tsv", &len);
    char name[64], want[64], got[STATSVIEW_NAME];
    unsigned cpus;
    int columns;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (sscanf(line, "%63s %u %d %63s", name, &cpus, &columns, want) == 4) {
            statsview_heading(name, cpus, columns, got);
            CHECK_STR(got, want);
            lines++;
        }
    free(text);
    CHECK_INT(lines, 8);
    statsview_heading("../board", 1, 20, got);
    CHECK_STR(got, "board");
    statsview_heading("/n/board.1/", 2, 20, got);
    CHECK_STR(got, "board(2)");
    statsview_heading("/n/fernvale.example.com", 2, 20, got);
    CHECK_STR(got, "fernvale(2)");
    statsview_heading("./.hidden", 1, 20, got);
    CHECK_STR(got, ".hidden");
}

TEST(stats_parses_new_and_old_device_texts)
{
    struct stats_swap s;
    struct stats_ether e;
    uint64_t percent;
    int c;
    static const char new_swap[] =
        "536870912 memory\n4096 pagesize\n20000 kernel\n1/2 user\n3/4 swap\n1000/2000 kernel "
        "malloc\n3/4 kernel draw\n";
    CHECK(stats_swap_parse(new_swap, strlen(new_swap), &s));
    CHECK(s.used == 1 && s.total == 2 && s.swap_used == 3 && s.swap_total == 4);
    CHECK_INT(s.page_bytes, 4096);
    CHECK(stats_swap_parse("12/34 memory 56/78 swap\n", 24, &s));
    CHECK(s.used == 12 && s.total == 34 && s.swap_used == 56 && s.swap_total == 78);
    CHECK(!stats_swap_parse("12/34 memory\n", 13, &s));
    CHECK(stats_battery_parse("87 3600 1\n", 10, true, &percent));
    CHECK_INT(percent, 87);
    CHECK(!stats_battery_parse("87\n", 3, true, &percent));
    CHECK(!stats_temp_parse("45\n", 3, &c));
    static const char seven[] =
        "in: 1\nlink: 0\nout: 2\ncrc errs: 0\noverflows: 0\nsoft overflows: 0\nframing errs: 0\n";
    CHECK(!stats_ether_parse(seven, strlen(seven), &e));
}

TEST(no_numbers_beyond_the_text)
{
    struct stats_ether e;
    CHECK(!stats_ether_parse("1 2 3 4 5 6 7 8", 13, &e));
    CHECK(stats_ether_parse("1 2 3 4 5 6 7 8", 15, &e));
    CHECK_INT(e.errors, 4 + 5 + 6 + 7 + 8);
    uint64_t percent;
    CHECK(stats_battery_parse("99999999999999999999999", 23, false, &percent));
    CHECK(percent == UINT64_MAX);
}

TEST(stats_counter_difference_wraps_and_resets)
{
    uint64_t since;
    CHECK(stats_counter_since(10, 25, &since) && since == 15);
    CHECK(stats_counter_since(UINT32_MAX - 4, 5, &since) && since == 10);
    CHECK(stats_counter_since(UINT64_MAX - 4, 5, &since) && since == 10);
    CHECK(!stats_counter_since(1000, 5, &since));
    CHECK(!stats_counter_since(1ull << 40, 5, &since));
    CHECK(stats_counter_since(UINT32_MAX, 1ull + UINT32_MAX, &since) && since == 1);
}

#define ROW(cpu, context) #cpu " " #context " 0 0 0 0 0 100 50 1\n"

TEST(cpus_that_come_and_go)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_SYSSTAT, ROW(0, 100) ROW(1, 5000), S);
    CHECK_STR(value_of(&m, STATS_CONTEXT).why, "first reading: no rate yet");
    stats_meter_next(&m);
    take_text(&m, STATS_SYSSTAT, ROW(0, 150), 2 * S);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 50);
    CHECK_INT(value_of(&m, STATS_CONTEXT).full, 1000);
    stats_meter_next(&m);
    take_text(&m, STATS_SYSSTAT, ROW(0, 250) ROW(1, 900000), 3 * S);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 100);
    stats_meter_next(&m);
    take_text(&m, STATS_SYSSTAT, ROW(1, 900010) ROW(0, 250), 4 * S);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 10);
    CHECK_INT(value_of(&m, STATS_CONTEXT).total, 50 + 100 + 10);
    CHECK_INT(m.cpus, 2);
    stats_meter_release(&m);
}

TEST(a_counter_that_goes_backwards)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_SYSSTAT, ROW(0, 100000), S);
    take_text(&m, STATS_SYSSTAT, ROW(0, 3), 2 * S);
    CHECK_STR(value_of(&m, STATS_CONTEXT).why, "the counter went backwards");
    take_text(&m, STATS_SYSSTAT, ROW(0, 13), 3 * S);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 10);
    stats_meter_release(&m);
}

TEST(stats_columns_that_are_absent_have_a_reason)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_SYSSTAT, "0 1 2 -1 4 - 6 100 -1 1\n1 1 2 -1 4 - 6 100 60 1\n", S);
    stats_meter_next(&m);
    take_text(&m, STATS_SYSSTAT, "0 1 2 -1 4 - 6 100 -1 1\n1 1 2 -1 4 - 6 100 60 1\n", 2 * S);
    CHECK(m.has_absent);
    CHECK_STR(value_of(&m, STATS_SYSCALL).why, "not available on this machine");
    stats_meter_absent(&m, "x\nsysstat 4 syscall: not permitted; root\nsysstat 99 y: z\n", 57);
    CHECK_STR(value_of(&m, STATS_SYSCALL).why, "not permitted; root");
    CHECK(value_of(&m, STATS_TLB_MISS).why);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 0);
    CHECK(!value_of(&m, STATS_CONTEXT).why);
    CHECK_INT(value_of(&m, STATS_IDLE).value, 60); /* of the CPU that tells */
    stats_meter_release(&m);
}

TEST(rates_are_by_the_time_that_passed)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_SYSSTAT, ROW(0, 0), S);
    take_text(&m, STATS_SYSSTAT, ROW(0, 1100), S + S * 11 / 10);
    CHECK_INT(round(value_of(&m, STATS_CONTEXT).value), 1000);
    stats_meter_next(&m); /* does not answer: rates show 0, levels hold */
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 0);
    CHECK(!value_of(&m, STATS_CONTEXT).why);
    CHECK_INT(value_of(&m, STATS_LOAD).value, 100);
    stats_meter_release(&m);
}

TEST(a_file_that_turns_to_garbage)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_SYSSTAT, ROW(0, 0), S);
    take_text(&m, STATS_SYSSTAT, ROW(0, 10) "0 1 2 banana\n", 2 * S);
    CHECK_STR(value_of(&m, STATS_CONTEXT).why, "no line with ten numbers");
    CHECK_STR(value_of(&m, STATS_LOAD).why, "no line with ten numbers");
    take_text(&m, STATS_SYSSTAT, ROW(0, 40), 3 * S);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 20); /* 40 in two seconds */
    take_text(&m, STATS_SYSSTAT, "\n", 4 * S);
    CHECK_STR(value_of(&m, STATS_CONTEXT).why, "no CPUs");
    stats_meter_set_missing(&m, STATS_SYSSTAT, "#c/sysstat: file does not exist");
    CHECK_STR(value_of(&m, STATS_IDLE).why, "#c/sysstat: file does not exist");
    stats_meter_release(&m);
}

/* Rows of so many CPUs whose counters stand at n times their number. */
static char *many_cpus(size_t cpus, unsigned n)
{
    char *text = malloc(cpus * 130 + 1), *at = text;
    for (size_t i = 0; i < cpus; i++)
        at += sprintf(at, "%11zu %11zu %11d %11d %11d %11d %11d %11d %11d %11d \n", i, i * n, 1, 1,
                      1, 1, 1, 10, 40, 2);
    return text;
}

TEST(stats_of_a_thousand_cpus)
{
    struct stats_meter m = {.cpu = NULL};
    char *one = many_cpus(1000, 1), *two = many_cpus(1000, 2), *most = many_cpus(5000, 1);
    take_text(&m, STATS_SYSSTAT, one, S);
    take_text(&m, STATS_SYSSTAT, two, 2 * S);
    CHECK_INT(m.cpus, 1000);
    CHECK_INT(value_of(&m, STATS_CONTEXT).value, 999 * 1000 / 2);
    CHECK_INT(value_of(&m, STATS_CONTEXT).full, 1000000);
    CHECK_INT(value_of(&m, STATS_LOAD).value, 10000);
    CHECK_INT(value_of(&m, STATS_IDLE).value, 40);
    take_text(&m, STATS_SYSSTAT, most, 3 * S);
    CHECK_STR(value_of(&m, STATS_CONTEXT).why, "too many CPUs");
    free(one);
    free(two);
    free(most);
    stats_meter_release(&m);
}

TEST(stats_negative_and_full_levels_are_clamped)
{
    struct stats_meter m = {.cpu = NULL};
    take_text(&m, STATS_CPUTEMP, "-5 1\n", S);
    CHECK_INT(value_of(&m, STATS_TEMP).value, 0);
    CHECK_INT(value_of(&m, STATS_TEMP).natural, -5);
    take_text(&m, STATS_IFSTATS, "Signal: 0\n", S);
    CHECK_INT(value_of(&m, STATS_SIGNAL).value, 0);
    take_text(&m, STATS_APM, "50 100\n", S);
    take_text(&m, STATS_BATTERY, "60\n", S);
    CHECK_INT(value_of(&m, STATS_BATTERY_LEFT).full, 100); /* apm, as it is there */
    stats_meter_release(&m);
}

/* --- letters and choices --- */

TEST(stats_letters_choose_graphs)
{
    enum stats_graph g[STATS_LETTER_MAX];
    struct stats_choice c = {.count = 0};
    for (char letter = ' '; letter <= '~'; letter++)
        for (size_t i = stats_letter_graphs(letter, g); i--;)
            stats_choose(&c, g[i]);
    for (int i = 0; i < STATS_GRAPHS; i++) /* `letters' of src/core/stats/graph.c has each graph */
        CHECK_STR(stats_chosen(&c, (enum stats_graph)i) ? "" : stats_graph_info(i)->name, "");
    CHECK(stats_graph_letter(STATS_LOAD) == 'l' && stats_graph_letter(STATS_IDLE) == ' ');
    CHECK_INT(stats_letter_graphs('n', g), 3);
    CHECK(g[0] == STATS_ETHER_IN && g[1] == STATS_ETHER_OUT && g[2] == STATS_ETHER_ERR);
    CHECK_INT(stats_letter_graphs('x', g), 0);
    while (c.count > 1)
        CHECK(stats_drop(&c, c.graph[0]));
    CHECK(!stats_drop(&c, c.graph[0])); /* the last one stays */
}
