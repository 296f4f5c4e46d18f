#include "core/coverage/report.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <string.h>

static bool is_file(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

/* A line ends a name, and lcov takes names as they are linked. */
static void add_text(const char *text, struct buf *out)
{
    buf_add(out, text, strcspn(text, "\n"));
}

static void add_functions(const struct covered *c, const char *file, struct buf *out)
{
    size_t found = 0, called = 0;
    for (size_t i = 0; i < c->functions; i++) {
        const struct covered_function *f = &c->function[i];
        if (!f->name || !is_file(f->file, file))
            continue;
        buf_printf(out, "FN:%u,", f->line);
        add_text(f->name, out);
        buf_printf(out, "\nFNDA:%" PRIu64 ",", f->calls);
        add_text(f->name, out);
        buf_adds(out, "\n");
        found++;
        called += f->calls > 0;
    }
    buf_printf(out, "FNF:%zu\nFNH:%zu\n", found, called);
}

/* The lines of one file, from the first on; behind the last. */
static size_t add_lines(const struct covered *c, size_t first, struct buf *out)
{
    const char *file = c->line[first].file;
    size_t i = first, executed = 0;
    for (; i < c->lines && is_file(c->line[i].file, file); i++) {
        buf_printf(out, "DA:%u,%" PRIu64 "\n", c->line[i].line, c->line[i].count);
        executed += c->line[i].count > 0;
    }
    buf_printf(out, "LF:%zu\nLH:%zu\n", i - first, executed);
    return i;
}

void coverage_lcov(const struct coverage_view *v, struct buf *out)
{
    const struct covered *c = v->covered;
    for (size_t i = 0; i < c->lines;) {
        buf_adds(out, "TN:\nSF:");
        add_text(c->line[i].file, out);
        buf_adds(out, "\n");
        add_functions(c, c->line[i].file, out);
        i = add_lines(c, i, out);
        buf_adds(out, "end_of_record\n");
    }
}
