/* One run in detail: its measures and its counters. */
#include "core/time/report.h"

#include "core/base/buf.h"
#include "core/text/table.h"
#include "measures.h"

#include <stdio.h>
#include <string.h>

static const char *unit_word(size_t measure, enum time_kind kind)
{
    if (measure == TIME_BLOCKS_IN || measure == TIME_BLOCKS_OUT)
        return "of 512 bytes";
    return kind == KIND_TIME ? "ns" : kind == KIND_BYTES ? "bytes" : "";
}

/* `ns       500.1 ms': the exact unit, then the same to be read. */
static void unit_cell(struct table *t, size_t measure, enum time_kind kind, double value)
{
    struct time_unit u = time_unit_of(kind, value);
    const char *word = unit_word(measure, kind);
    if (kind == KIND_COUNT || u.size == 1)
        table_cell(t, "%s", word);
    else
        table_cell(t, "%-5s = %.*f %s", word, u.decimals, value / u.size, u.name);
}

void time_details(const struct time_run *run, struct buf *out)
{
    static const struct time_report none;
    struct table t;
    table_init(&t, "<measure >amount <unit");
    for (size_t m = 0; m < TIME_BASIC; m++) {
        bool floor = m == TIME_PEAK_RSS && run->rss_at_floor;
        table_cell(&t, "%s", time_label(&none, m));
        table_cell(&t, "%s%.0f", floor ? "<= " : "", run->value[m]);
        unit_cell(&t, m, time_kind_of(&none, m), run->value[m]);
    }
    table_print(&t, out, 80);
}

/* The counter that gives another its meaning, what their quotient is multiplied by, and the words
 * behind it. task-clock counts ns. */
static const struct relation {
    const char *counter, *base, *words;
    double scale;
    int decimals;
} relations[] = {
    {"context-switches", "task-clock", " per second of CPU time", 1e9, 0},
    {"cpu-migrations", "task-clock", " per second of CPU time", 1e9, 0},
    {"page-faults", "task-clock", " per second of CPU time", 1e9, 0},
    {"minor-faults", "task-clock", " per second of CPU time", 1e9, 0},
    {"major-faults", "task-clock", " per second of CPU time", 1e9, 0},
    {"cycles", "task-clock", " GHz", 1, 2},
    {"instructions", "cycles", " a cycle (IPC)", 1, 2},
    {"stalled-cycles-frontend", "cycles", "% of the cycles", 100, 2},
    {"stalled-cycles-backend", "cycles", "% of the cycles", 100, 2},
    {"branch-misses", "branches", "% of the branches", 100, 2},
    {"cache-misses", "cache-references", "% of the cache references", 100, 2},
    {"L1-dcache-load-misses", "L1-dcache-loads", "% of the L1 data loads", 100, 2},
    {"LLC-load-misses", "LLC-loads", "% of the last-level loads", 100, 2},
    {"dTLB-load-misses", "dTLB-loads", "% of the data TLB loads", 100, 2},
    {NULL, NULL, NULL, 0, 0},
};

static double value_named(const struct time_report *r, const struct time_run *run, const char *name)
{
    size_t i = time_counter_named(r, name);
    bool known = i < r->counters && time_counted(r, TIME_BASIC + i) && run->share[i] > 0;
    return known ? run->value[TIME_BASIC + i] : 0;
}

/* A CPU's clock goes on when it is idle: the machine's counters are related to real time. */
static bool is_by_real_time(const struct time_report *r, const struct relation *k)
{
    return r->machine && strcmp(k->base, "task-clock") == 0;
}

static double base_of(const struct time_report *r, const struct time_run *run,
                      const struct relation *k)
{
    return is_by_real_time(r, k) ? run->value[TIME_REAL] : value_named(r, run, k->base);
}

static const char *words_of(const struct time_report *r, const struct relation *k)
{
    return !is_by_real_time(r, k)         ? k->words
           : strcmp(k->counter, "cycles") ? " per second"
                                          : " GHz, all CPUs together";
}

/* A few a second have a decimal, so that they do not read as none. */
static int decimals_of(const struct relation *k, double quotient)
{
    return k->decimals == 0 && quotient < 10 ? 1 : k->decimals;
}

static void add_words(struct buf *note, const char *words)
{
    buf_printf(note, "%s%s", note->len ? "; " : "", words);
}

void time_relations(const struct time_report *r, const struct time_run *run, size_t i,
                    struct buf *note)
{
    const char *name = r->counter[i].name;
    double value = run->value[TIME_BASIC + i];
    char words[80];
    if (r->machine && time_kind_of(r, TIME_BASIC + i) == KIND_TIME)
        add_words(note, "idle time included");
    else if (strcmp(name, "task-clock") == 0 && run->value[TIME_REAL] > 0) {
        snprintf(words, sizeof words, "%.2f CPUs in use", value / run->value[TIME_REAL]);
        add_words(note, words);
    }
    for (const struct relation *k = relations; k->counter; k++) {
        double base = strcmp(name, k->counter) == 0 ? base_of(r, run, k) : 0;
        if (base <= 0 || value <= 0)
            continue;
        snprintf(words, sizeof words, "%.*f%s", decimals_of(k, value / base * k->scale),
                 value / base * k->scale, words_of(r, k));
        add_words(note, words);
    }
}

void time_counter_note(const struct time_report *r, const struct time_run *run, size_t i,
                       struct buf *note)
{
    char words[80];
    if (time_kind_of(r, TIME_BASIC + i) == KIND_TIME)
        buf_adds(note, "ns");
    if (time_dead_counter(r, i, run))
        add_words(note, "supported here, but it does not count");
    else
        time_relations(r, run, i, note);
    if (run->share[i] < 1) {
        snprintf(words, sizeof words, "scaled: counted %.1f%% of the time", 100 * run->share[i]);
        add_words(note, words);
    }
    if (r->counter[i].state == COUNTER_USER_ONLY)
        add_words(note, "user mode only");
}

const char *time_counter_reason(const struct time_report *r, const struct time_run *run, size_t i)
{
    const char *reason = counter_reason(r->counter[i].state);
    return reason || run->share[i] > 0 ? reason : "not counted: no hardware counter was free";
}

static void counter_row(struct table *t, const struct time_report *r, const struct time_run *run,
                        size_t i)
{
    SCOPED_BUF note = BUF_INIT;
    const char *reason = time_counter_reason(r, run, i);
    if (!reason)
        time_counter_note(r, run, i, &note);
    table_cells(t, r->counter[i].name,
                reason ? text_value_text(NULL) : text_value_double(run->value[TIME_BASIC + i]),
                reason ? reason : buf_str(&note));
}

void time_counters(const struct time_report *r, const struct time_run *run, struct buf *out)
{
    struct table t;
    table_init(&t, "<counter >count <note");
    for (size_t i = 0; i < r->counters; i++)
        counter_row(&t, r, run, i);
    table_print(&t, out, 80);
}
