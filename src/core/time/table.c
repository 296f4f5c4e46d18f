#include "core/time/table.h"

#include "core/base/buf.h"
#include "core/text/shell_words.h"
#include "measures.h"
#include "summary.h"

#include <string.h>

/* --- Markdown --- */

/* As many as the text has one after the other. */
static size_t count_backticks(const char *text)
{
    size_t max = 0;
    for (size_t n; *text; text += n ? n : 1) {
        n = strspn(text, "`");
        max = n > max ? n : max;
    }
    return max;
}

/* More backticks than the text has; blanks keep them off those of the text. */
static void add_fence(size_t inside, bool opens, struct buf *out)
{
    if (inside && !opens)
        buf_addc(out, ' ');
    for (size_t i = 0; i <= inside; i++)
        buf_addc(out, '`');
    if (inside && opens)
        buf_addc(out, ' ');
}

/* A bar would end the column. */
static void markdown_command(const struct time_command *c, struct buf *out)
{
    SCOPED_BUF words = BUF_INIT;
    shell_words_add(&words, c->argv);
    size_t backticks = count_backticks(buf_str(&words));
    buf_adds(out, "| ");
    add_fence(backticks, true, out);
    for (const char *at = buf_str(&words); *at; at++)
        buf_printf(out, *at == '|' ? "\\%c" : "%c", *at);
    add_fence(backticks, false, out);
    buf_adds(out, " |");
    if (buf_error(&words))
        out->err = out->err ? out->err : buf_error(&words);
}

static void markdown_row(const struct time_report *r, const struct time_command *c,
                         const struct time_unit *u, struct buf *out)
{
    struct summary s;
    if (time_summary(c, TIME_REAL, &s) < 0 || s.n == 0)
        return;
    struct time_ratio k = time_compare(&r->command[0], c, TIME_REAL);
    markdown_command(c, out);
    buf_printf(out, " %.*f | %.*f ± %.*f | %.*f | %.*f |", u->decimals, s.median / u->size,
               u->decimals, s.mean / u->size, u->decimals, s.sd / u->size, u->decimals,
               s.min / u->size, u->decimals, s.max / u->size);
    buf_addc(out, ' ');
    if (c == &r->command[0])
        buf_addc(out, '1');
    else if (k.rounds < PAIRED_MIN)
        buf_printf(out, "%.3f", k.of_medians);
    else
        verdict_ratio(&k.estimate, out);
    buf_adds(out, " |\n");
}

void time_markdown(const struct time_report *r, struct buf *out)
{
    struct summary s = {0};
    if (time_summary(&r->command[0], TIME_REAL, &s) < 0)
        return;
    struct time_unit u = time_unit_of(KIND_TIME, s.median);
    buf_printf(out,
               "| command | median [%s] | mean ± sd [%s] | min [%s] | max [%s] | ratio ± 95%% |\n",
               u.name, u.name, u.name, u.name);
    buf_adds(out, "|:--|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < r->commands; i++)
        markdown_row(r, &r->command[i], &u, out);
}

/* --- CSV --- */

static void csv_text(const char *text, struct buf *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        buf_adds(out, text);
        return;
    }
    buf_addc(out, '"');
    for (; *text; text++)
        buf_printf(out, *text == '"' ? "\"%c" : "%c", *text);
    buf_addc(out, '"');
}

static void csv_row(const struct time_report *r, size_t command, struct buf *out)
{
    const struct time_command *c = &r->command[command];
    struct summary real, user, system;
    SCOPED_BUF words = BUF_INIT;
    if (time_summary(c, TIME_REAL, &real) < 0 || time_summary(c, TIME_USER, &user) < 0 ||
        time_summary(c, TIME_SYSTEM, &system) < 0 || real.n == 0)
        return;
    shell_words_add(&words, c->argv);
    csv_text(buf_str(&words), out);
    const double shown[] = {real.mean,   real.sd,  real.median, user.mean,
                            system.mean, real.min, real.max};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        buf_printf(out, ",%.9f", shown[i] / 1e9);
    for (size_t i = 0; i < r->parameters; i++) {
        buf_addc(out, ',');
        csv_text(time_parameter_value(r->parameter, r->parameters, i, command / r->each), out);
    }
    buf_addc(out, '\n');
}

void time_csv(const struct time_report *r, struct buf *out)
{
    buf_adds(out, "command,mean,stddev,median,user,system,min,max");
    for (size_t i = 0; i < r->parameters; i++) {
        buf_adds(out, ",parameter_");
        csv_text(r->parameter[i].name, out);
    }
    buf_addc(out, '\n');
    for (size_t i = 0; i < r->commands; i++)
        csv_row(r, i, out);
}
