#include "core/symbol/perfmap.h"

#include "core/base/hex.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4000000 };

struct line {
    uint64_t start, end;
    const char *name;
    size_t number;
};

static bool read_line(const char *s, struct line *out)
{
    uint64_t size;
    if (!hex_read(&s, &out->start) || *s++ != ' ' || !hex_read(&s, &size) || *s++ != ' ' || !*s)
        return false;
    out->name = s;
    return size && !__builtin_add_overflow(out->start, size, &out->end);
}

static size_t count_lines(const char *text, size_t len)
{
    size_t n = 1;
    for (const char *p = text; n < MOST_LINES && (p = memchr(p, '\n', len - (size_t)(p - text)));
         p++)
        n++;
    return n;
}

static size_t read_lines(char *text, size_t len, struct line *line, size_t room)
{
    size_t n = 0;
    for (char *s = text, *stop = text + len; s < stop && n < room;) {
        char *end = memchr(s, '\n', (size_t)(stop - s));
        if (!end)
            end = stop;
        *end = '\0';
        if (end > s && end[-1] == '\r')
            end[-1] = '\0';
        line[n].number = n;
        n += read_line(s, &line[n]);
        s = end + 1;
    }
    return n;
}

static int by_start(const void *pa, const void *pb)
{
    const struct line *a = pa, *b = pb;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Those left do not overlap: as soon as a byte of a function is another's, it is gone. */
static size_t drop_stale(struct line *line, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        while (kept && line[kept - 1].end > line[i].start && line[kept - 1].number < line[i].number)
            kept--;
        if (!kept || line[kept - 1].end <= line[i].start)
            line[kept++] = line[i];
    }
    return kept;
}

static struct symtab *table_of(const struct line *line, size_t n)
{
    struct symtab_builder *b = symtab_builder_new();
    for (size_t i = 0; b && i < n; i++) {
        struct symbol_found s = {.addr = line[i].start,
                                 .size = line[i].end - line[i].start,
                                 .name = line[i].name,
                                 .function = true};
        symtab_add(b, &s);
    }
    struct symtab *t = b ? symtab_build(b) : NULL;
    symtab_builder_free(b);
    return t;
}

struct symtab *perfmap_symbols(char *text, size_t len)
{
    size_t n = count_lines(text, len);
    struct line *line = calloc(n, sizeof *line);
    if (!line)
        return NULL;
    n = read_lines(text, len, line, n);
    qsort(line, n, sizeof *line, by_start);
    struct symtab *t = table_of(line, drop_stale(line, n));
    free(line);
    return t;
}
