#include "core/base/buf.h"
#include "core/text/name_fit.h"
#include "core/text/shell_words.h"
#include "core/time/plan.h"
#include "measures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_DIFFERENCE 1.01 /* which would be worth to know */

/* As many decimals as make two digits of the uncertainty, 2 to 4. */
static int decimals_for(double half)
{
    return half >= 0.05 ? 2 : half >= 0.005 ? 3 : 4;
}

static void add_ratio(double ratio, double low, double high, struct buf *out)
{
    double half = (high - low) / 2;
    int decimals = decimals_for(half);
    buf_printf(out, "%.*f ± %.*f", decimals, ratio, decimals, half);
}

void verdict_ratio(const struct paired_estimate *e, struct buf *out)
{
    add_ratio(e->ratio, e->low, e->high, out);
}

/* than: the words of the first command; empty: they are not shown. */
static void difference(const struct paired_estimate *e, const char *than, struct buf *out)
{
    bool faster = e->ratio < 1;
    if (faster)
        add_ratio(1 / e->ratio, 1 / e->high, 1 / e->low, out);
    else
        verdict_ratio(e, out);
    buf_adds(out, faster ? " times faster" : " times as long");
    if (*than)
        buf_printf(out, faster ? " than `%s'" : " as `%s'", than);
}

/* Two digits of it: no more are known. */
static double rounded(double n)
{
    double unit = 1;
    while (n / unit >= 100)
        unit *= 10;
    return ceil(n / unit) * unit;
}

static void no_difference(const struct time_ratio *k, struct buf *out)
{
    double spread = k->estimate.spread;
    double n = spread > 0 ? paired_needed(spread, SHOWN_DIFFERENCE) : 0;
    buf_adds(out, "no difference shown");
    if (n <= (double)k->rounds)
        buf_adds(out, ", as 1% would be");
    else if (n > TIME_MAX_RUNS)
        buf_printf(out, "; over %d runs would show 1%%", TIME_MAX_RUNS);
    else
        buf_printf(out, "; about %.0f runs would show 1%%", rounded(n));
}

/* Whether it has a p. */
static bool write_verdict(const struct time_ratio *real, const char *than, struct buf *out)
{
    if (real->rounds < PAIRED_MIN) {
        buf_printf(out, "too few rounds to show a difference: %d are needed\n", PAIRED_MIN);
        return false;
    }
    if (real->estimate.p < PAIRED_LEVEL)
        difference(&real->estimate, than, out);
    else
        no_difference(real, out);
    if (real->estimate.p < 0.001)
        buf_adds(out, " (p < 0.001");
    else
        buf_printf(out, " (p = %.3f", real->estimate.p);
    buf_printf(out, ", %zu rounds)\n", real->rounds);
    return true;
}

/* --- which command --- */

static bool have_same_words(const struct time_command *a, const struct time_command *b)
{
    size_t i = 0;
    while (a->argv[i] && b->argv[i] && strcmp(a->argv[i], b->argv[i]) == 0)
        i++;
    return !a->argv[i] && !b->argv[i];
}

static bool is_unique(const struct time_report *r, size_t command)
{
    for (size_t i = 0; i < command; i++)
        if (have_same_words(&r->command[i], &r->command[command]))
            return false;
    return true;
}

static void write_name(const struct time_report *r, size_t command, bool by_words, struct buf *out)
{
    if (!by_words) {
        buf_printf(out, "command %zu: ", command + 1);
        return;
    }
    buf_addc(out, '`');
    shell_words_add(out, r->command[command].argv);
    buf_adds(out, "': ");
}

/* How commands are called, from the longest on. */
enum names { WORDS_OF_BOTH, WORDS, NUMBERS };

static bool write_all(const struct time_report *r, const struct time_ratio *ratio, enum names names,
                      struct buf *out)
{
    bool has_p = false;
    SCOPED_BUF first = BUF_INIT;
    if (names == WORDS_OF_BOTH)
        shell_words_add(&first, r->command[0].argv);
    for (size_t i = 1; i < r->commands; i++)
        if (r->command[0].runs && r->command[i].runs) {
            write_name(r, i, names != NUMBERS, out);
            has_p |= write_verdict(&ratio[i], buf_str(&first), out);
        }
    return has_p;
}

static bool is_each_line_within(const char *text, size_t width)
{
    for (size_t len; *text; text += len + (text[len] == '\n')) {
        len = strcspn(text, "\n");
        if (text_columns(text, len) > width)
            return false;
    }
    return true;
}

static bool are_words_unique(const struct time_report *r)
{
    bool unique = true;
    for (size_t i = 1; i < r->commands && unique; i++)
        unique = is_unique(r, i);
    return unique;
}

static enum names choose_names(const struct time_report *r, const struct time_ratio *ratio,
                               size_t width)
{
    SCOPED_BUF lines = BUF_INIT;
    enum names names = are_words_unique(r) ? WORDS_OF_BOTH : NUMBERS;
    for (bool fits = false; names < NUMBERS && !fits; names += !fits) {
        buf_clear(&lines);
        write_all(r, ratio, names, &lines);
        fits = is_each_line_within(buf_str(&lines), width);
    }
    return names;
}

void verdicts_write(const struct time_report *r, size_t width, struct buf *out)
{
    SCOPED_FREE struct time_ratio *ratio = calloc(r->commands, sizeof *ratio);
    for (size_t i = 1; ratio && i < r->commands; i++)
        ratio[i] = time_compare(&r->command[0], &r->command[i], TIME_REAL);
    if (!ratio)
        out->err = out->err ? out->err : -ENOMEM;
    else if (write_all(r, ratio, choose_names(r, ratio, width), out))
        buf_adds(out, "±: half of the 95% interval; p: the probability of it without a "
                      "difference;\nboth by the signed ranks of the rounds\n");
}
