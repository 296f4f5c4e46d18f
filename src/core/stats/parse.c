#include "core/stats/parse.h"

#include "core/base/line.h"
#include "digits.h"

#include <errno.h>
#include <string.h>

enum { MAX_NUMBERS = 10, ETHER_NUMBERS = 8, ETHER_FIRST_ERROR = 3, INT_BOUND = 1000000 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* --- sysstat --- */

/* A number, -1 or `-', with nothing but blanks or the end behind it. */
static bool read_column(const char **at, const char *end, unsigned i, struct stats_sysstat_row *row)
{
    while (*at < end && is_blank(**at))
        (*at)++;
    if (*at == end)
        return false;
    if (**at == '-') {
        (*at)++;
        read_digits(at, end);
        row->absent |= 1u << i;
    } else if (is_digit(**at)) {
        row->column[i] = read_digits(at, end);
    } else {
        return false;
    }
    return *at == end || is_blank(**at);
}

int stats_sysstat_row(const char **at, const char *end, struct stats_sysstat_row *out)
{
    struct stats_sysstat_row row = {.absent = 0};
    while (*at < end && (is_blank(**at) || **at == '\n'))
        (*at)++;
    if (*at == end)
        return 0;
    const char *stop = line_end(*at, end), *s = *at;
    for (unsigned i = 0; i < SYSSTAT_COLUMNS; i++)
        if (!read_column(&s, stop, i, &row))
            return -EINVAL;
    *at = stop;
    *out = row;
    return row.absent & 1u << SYSSTAT_CPU ? -EINVAL : 1;
}

/* The column of a line of #c/absent, which moves behind its colon. */
static bool absent_column(const char **at, const char *end, enum dev_sysstat_column *out)
{
    static const char start[] = "sysstat ";
    size_t len = sizeof start - 1;
    if ((size_t)(end - *at) < len || memcmp(*at, start, len) != 0)
        return false;
    *at += len;
    uint64_t col = read_digits(at, end); /* from 1 */
    const char *colon = memchr(*at, ':', (size_t)(end - *at));
    if (!colon || col < 1 || col > SYSSTAT_COLUMNS)
        return false;
    *at = colon + 1;
    while (*at < end && is_blank(**at))
        (*at)++;
    *out = (enum dev_sysstat_column)(col - 1);
    return true;
}

void stats_absent_parse(const char *text, size_t len,
                        void (*reason)(void *arg, enum dev_sysstat_column col, const char *why,
                                       size_t why_len),
                        void *arg)
{
    struct lines rest = lines_of(text, len);
    struct line line;
    enum dev_sysstat_column col;
    while (line_next(&rest, &line))
        if (absent_column(&line.at, line.end, &col))
            reason(arg, col, line.at, line_len(line));
}

/* --- numbers anywhere in a line --- */

static size_t read_numbers(const char *at, const char *end, uint64_t *out, size_t max)
{
    size_t n = 0;
    while (n < max) {
        while (at < end && !is_digit(*at))
            at++;
        if (at == end)
            break;
        out[n++] = read_digits(&at, end);
    }
    return n;
}

/* Whether the line's last word is this one. */
static bool ends_in(const char *line, const char *end, const char *word)
{
    size_t len = strlen(word);
    while (end > line && is_blank(end[-1]))
        end--;
    return (size_t)(end - line) > len && !memcmp(end - len, word, len) &&
           end[-1 - (long)len] == ' ';
}

/* One line of the new form. Which pairs it had are bits of *had. */
static void swap_line(const char *line, const char *end, struct stats_swap *s, unsigned *had)
{
    uint64_t n[2];
    size_t count = read_numbers(line, end, n, 2);
    if (count && ends_in(line, end, "pagesize"))
        s->page_bytes = n[0];
    if (count < 2)
        return;
    if (ends_in(line, end, "user")) {
        s->used = n[0];
        s->total = n[1];
        *had |= 1;
    } else if (ends_in(line, end, "swap")) {
        s->swap_used = n[0];
        s->swap_total = n[1];
        *had |= 2;
    }
}

bool stats_swap_parse(const char *text, size_t len, struct stats_swap *out)
{
    struct lines rest = lines_of(text, len);
    struct line line;
    struct stats_swap s = {0};
    uint64_t old[4];
    unsigned had = 0;
    if (read_numbers(text, line_end(text, text + len), old, 4) == 4) {
        *out = (struct stats_swap){old[0], old[1], old[2], old[3], 0};
        return true;
    }
    while (line_next(&rest, &line))
        swap_line(line.at, line.end, &s, &had);
    if (had == 3)
        *out = s;
    return had == 3;
}

bool stats_ether_parse(const char *text, size_t len, struct stats_ether *out)
{
    uint64_t n[ETHER_NUMBERS], errors = 0;
    if (read_numbers(text, text + len, n, ETHER_NUMBERS) < ETHER_NUMBERS)
        return false;
    for (size_t i = ETHER_FIRST_ERROR; i < ETHER_NUMBERS; i++)
        errors = errors + n[i] < errors ? UINT64_MAX : errors + n[i];
    *out = (struct stats_ether){.in = n[0], .out = n[2], .errors = errors};
    return true;
}

static bool small_number(const char *at, const char *end, int *out)
{
    while (at < end && is_blank(*at))
        at++;
    bool minus = at < end && *at == '-';
    at += minus;
    if (at == end || !is_digit(*at))
        return false;
    uint64_t v = read_digits(&at, end);
    if (v > INT_BOUND)
        return false;
    *out = minus ? -(int)v : (int)v;
    return true;
}

bool stats_signal_parse(const char *text, size_t len, int *dbm)
{
    static const char word[] = "Signal:";
    const char *at = memmem(text, len, word, sizeof word - 1);
    return at && small_number(at + sizeof word - 1, text + len, dbm);
}

bool stats_battery_parse(const char *text, size_t len, bool apm, uint64_t *percent)
{
    uint64_t n[2];
    if (read_numbers(text, text + len, n, 2) < (apm ? 2u : 1u))
        return false;
    *percent = n[0];
    return true;
}

bool stats_temp_parse(const char *text, size_t len, int *celsius)
{
    const char *end = line_end(text, text + len);
    uint64_t n[2];
    return read_numbers(text, end, n, 2) == 2 && small_number(text, end, celsius);
}
