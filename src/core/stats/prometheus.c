#include "core/stats/prometheus.h"

#include "core/base/buf.h"

#include <stdbool.h>
#include <string.h>

static const char type[] = "# TYPE ", help[] = "# HELP ", counter[] = " counter", total[] = "_total";

static bool begins(const char *line, size_t len, const char *with)
{
    return len >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static bool ends(const char *line, size_t len, const char *with)
{
    size_t tail = strlen(with);
    return len >= tail && memcmp(line + len - tail, with, tail) == 0;
}

/* TYPE or HELP of a counter: its name is the second word after the #. */
static void add_counter_line(const char *line, size_t len, struct buf *out)
{
    const char *name = line + strlen(type);
    const char *blank = memchr(name, ' ', len - strlen(type));
    size_t head = blank ? (size_t)(blank - line) : len;
    buf_add(out, line, head);
    buf_adds(out, total);
    buf_add(out, line + head, len - head);
}

void stats_prometheus_text(const char *text, size_t len, struct buf *out)
{
    bool is_counter = false;
    while (len) {
        const char *newline = memchr(text, '\n', len);
        size_t line = newline ? (size_t)(newline - text) : len;
        size_t whole = newline ? line + 1 : line;
        bool is_type = begins(text, line, type);
        if (is_type)
            is_counter = ends(text, line, counter);
        if (is_counter && (is_type || begins(text, line, help)))
            add_counter_line(text, whole, out);
        else
            buf_add(out, text, whole);
        text += whole;
        len -= whole;
    }
}
