#include "core/stats/prometheus.h"

#include "core/base/buf.h"
#include "core/base/line.h"

#include <string.h>

static const char type[] = "# TYPE ", help[] = "# HELP ", counter[] = " counter",
                  total[] = "_total";

static bool begins(struct line l, const char *with)
{
    return line_len(l) >= strlen(with) && memcmp(l.at, with, strlen(with)) == 0;
}

static bool ends(struct line l, const char *with)
{
    size_t tail = strlen(with);
    return line_len(l) >= tail && memcmp(l.end - tail, with, tail) == 0;
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
    struct lines rest = lines_of(text, len);
    struct line line;
    while (line_next(&rest, &line)) {
        size_t whole = (size_t)(rest.at - line.at);
        bool is_type = begins(line, type);
        if (is_type)
            is_counter = ends(line, counter);
        if (is_counter && (is_type || begins(line, help)))
            add_counter_line(line.at, whole, out);
        else
            buf_add(out, line.at, whole);
    }
}
