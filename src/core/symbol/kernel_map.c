#include "core/symbol/kernel_map.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/hex.h"
#include "core/base/line.h"
#include "core/base/sort.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lines of a text that need not end with a NUL --- */

enum { MAX_LINE = 1024 };

/* The next line as a string, cut to fit. False behind the last. A NUL ends a line, too. */
static bool next_line(const char **at, const char *stop, char line[MAX_LINE])
{
    const char *s = *at;
    size_t n = 0;
    if (s == stop)
        return false;
    for (; s < stop && *s != '\n' && *s != '\0'; s++)
        if (n < MAX_LINE - 1)
            line[n++] = *s;
    line[n] = '\0';
    *at = s < stop ? s + 1 : s;
    return true;
}

static bool add_range(struct kernel_map *m, size_t *cap, uint64_t start, uint64_t end,
                      const char *name, size_t len)
{
    if (end <= start || m->ranges == KERNEL_MAP_MAX_RANGES)
        return true;
    if (!grow(&m->range, cap, m->ranges, sizeof *m->range))
        return false;
    struct kernel_range *r = &m->range[m->ranges++];
    *r = (struct kernel_range){.start = start, .end = end};
    snprintf(r->name, sizeof r->name, "[%.*s]", (int)(len < 61 ? len : 61), name);
    return true;
}

/* --- the kernel --- */

struct kernel_text {
    uint64_t text, stext, etext;
    bool hidden; /* listed, but as 0 */
};

static void parse_symbol(const char *line, struct kernel_text *k)
{
    uint64_t address;
    const char *s = line;
    if (!hex_read(&s, &address) || s[0] != ' ' || !s[1] || s[2] != ' ')
        return;
    const char *name = s + 3;
    uint64_t *to = strcmp(name, "_text") == 0    ? &k->text
                   : strcmp(name, "_stext") == 0 ? &k->stext
                   : strcmp(name, "_etext") == 0 ? &k->etext
                                                 : NULL;
    if (!to)
        return;
    *to = address;
    k->hidden |= address == 0;
}

void kernel_map_keep(const char *kallsyms, size_t len, struct buf *out)
{
    static const char end[] = "text";
    struct lines rest = lines_of(kallsyms, len);
    struct line l;
    while (line_next(&rest, &l)) {
        struct kernel_text k = {0};
        char line[MAX_LINE];
        const char *at = l.at;
        if (line_len(l) < sizeof end || memcmp(l.end - strlen(end), end, strlen(end)) != 0)
            continue;
        if (next_line(&at, l.end, line))
            parse_symbol(line, &k);
        if (k.text || k.stext || k.etext || k.hidden)
            buf_printf(out, "%s\n", line);
    }
}

static bool add_kernel(struct kernel_map *m, size_t *cap, const char *text, size_t len)
{
    struct kernel_text k = {0};
    char line[MAX_LINE];
    const char *at = text;
    while (len && !k.etext && next_line(&at, text + len, line))
        parse_symbol(line, &k);
    m->restricted |= k.hidden;
    uint64_t start = k.text ? k.text : k.stext;
    return !start || add_range(m, cap, start, k.etext, "kernel", strlen("kernel"));
}

/* --- its modules --- */

static const char *skip_words(const char *s, int n)
{
    while (n-- > 0) {
        s += strcspn(s, " ");
        s += strspn(s, " ");
    }
    return s;
}

static bool add_module(struct kernel_map *m, size_t *cap, const char *line)
{
    size_t name = strcspn(line, " ");
    const char *size = skip_words(line, 1), *address = skip_words(line, 5);
    uint64_t start;
    if (!name || !isdigit((unsigned char)*size) || !hex_read(&address, &start))
        return true;
    uint64_t bytes = strtoull(size, NULL, 10);
    m->restricted |= start == 0;
    if (start == 0)
        return true;
    return add_range(m, cap, start, bytes <= UINT64_MAX - start ? start + bytes : UINT64_MAX, line,
                     name);
}

static bool add_modules(struct kernel_map *m, size_t *cap, const char *text, size_t len)
{
    char line[MAX_LINE];
    const char *at = text;
    while (len && next_line(&at, text + len, line))
        if (!add_module(m, cap, line))
            return false;
    return true;
}

/* --- all together --- */

static int by_start(const void *a, const void *b)
{
    const struct kernel_range *x = a, *y = b;
    return ORDER(x->start, y->start) ?: ORDER(x->end, y->end);
}

/* Of two at one place the longer stays. */
static void remove_overlaps(struct kernel_map *m)
{
    size_t kept = 0;
    sort_array(m->range, m->ranges, sizeof *m->range, by_start);
    for (size_t i = 0; i < m->ranges; i++) {
        if (kept && m->range[kept - 1].start == m->range[i].start)
            kept--;
        else if (kept && m->range[kept - 1].end > m->range[i].start)
            m->range[kept - 1].end = m->range[i].start;
        m->range[kept++] = m->range[i];
    }
    m->ranges = kept;
}

int kernel_map_init(const char *kallsyms, size_t kallsyms_len, const char *modules,
                    size_t modules_len, struct kernel_map *out)
{
    struct kernel_map m = {0};
    size_t cap = 0;
    if (!add_kernel(&m, &cap, kallsyms, kallsyms_len) ||
        !add_modules(&m, &cap, modules, modules_len)) {
        kernel_map_release(&m);
        return -ENOMEM;
    }
    remove_overlaps(&m);
    *out = m;
    return 0;
}

void kernel_map_release(struct kernel_map *m)
{
    free(m->range);
    *m = (struct kernel_map){0};
}
