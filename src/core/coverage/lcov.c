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

/* --- paths --- */

struct part { /* of a path, between two slashes */
    const char *text;
    size_t len;
};

static bool next_part(const char **path, struct part *out)
{
    *path += strspn(*path, "/");
    *out = (struct part){*path, strcspn(*path, "/\n")};
    *path += out->len;
    return out->len > 0;
}

static bool is_part(const struct part *p, const char *text)
{
    return p->len == strlen(text) && memcmp(p->text, text, p->len) == 0;
}

/* Whether a later `..' leads back out of a directory. */
static bool is_left_again(const char *rest)
{
    struct part p;
    size_t deep = 1;
    while (deep && next_part(&rest, &p)) {
        if (is_part(&p, ".."))
            deep--;
        else if (!is_part(&p, "."))
            deep++;
    }
    return deep == 0;
}

/* As geninfo writes it, and genhtml sorts by directories: without `.' and `..'. */
static void add_path(const char *path, struct buf *out)
{
    struct part p;
    if (*path != '/')
        return add_text(path, out);
    while (next_part(&path, &p)) {
        if (is_part(&p, ".") || is_part(&p, "..") || is_left_again(path))
            continue;
        buf_adds(out, "/");
        buf_add(out, p.text, p.len);
    }
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
        add_path(c->line[i].file, out);
        buf_adds(out, "\n");
        add_functions(c, c->line[i].file, out);
        i = add_lines(c, i, out);
        buf_adds(out, "end_of_record\n");
    }
}
