#include "core/coverage/record.h"

#include "core/base/grow.h"
#include "core/base/line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "psuite-coverage 1\n";

/* --- modules --- */

void coverage_record_release(struct coverage_record *r)
{
    for (size_t i = 0; i < r->modules; i++) {
        coverage_counts_release(&r->module[i]->counts);
        free(r->module[i]->path);
        free(r->module[i]);
    }
    free(r->module);
    *r = (struct coverage_record){0};
}

static bool is_module(const struct coverage_module *m, const char *path, const uint8_t *build_id,
                      size_t len)
{
    return strcmp(m->path, path) == 0 && m->build_id_len == len &&
           (!len || memcmp(m->build_id, build_id, len) == 0);
}

static struct coverage_module *new_module(const char *path, const uint8_t *build_id, size_t len)
{
    struct coverage_module *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->path = strdup(path);
    m->build_id_len = len;
    if (len)
        memcpy(m->build_id, build_id, len);
    if (m->path)
        return m;
    free(m);
    return NULL;
}

struct coverage_module *coverage_record_module(struct coverage_record *r, const char *path,
                                               const uint8_t *build_id, size_t len)
{
    len = len < COVERAGE_ID_BYTES ? len : COVERAGE_ID_BYTES;
    for (size_t i = 0; i < r->modules; i++)
        if (is_module(r->module[i], path, build_id, len))
            return r->module[i];
    if (!grow_within(&r->module, &r->cap, r->modules, COVERAGE_MAX_MODULES,
                     sizeof(struct coverage_module *)))
        return NULL;
    struct coverage_module *m = new_module(path, build_id, len);
    if (m)
        r->module[r->modules++] = m;
    return m;
}

uint64_t coverage_record_total(const struct coverage_record *r)
{
    uint64_t total = 0;
    for (size_t i = 0; i < r->modules; i++) {
        const struct coverage_counts *c = &r->module[i]->counts;
        for (size_t p = 0; p < c->pages; p++)
            for (size_t at = 0; at < COVERAGE_PAGE; at++)
                total += c->page[p]->count[at];
    }
    return total;
}

/* --- writing --- */

static void write_id(const struct coverage_module *m, struct buf *out)
{
    buf_adds(out, m->build_id_len ? "" : "-");
    for (size_t i = 0; i < m->build_id_len; i++)
        buf_printf(out, "%02x", m->build_id[i]);
}

static void write_module(struct coverage_module *m, struct buf *out)
{
    uint64_t count;
    buf_adds(out, "module ");
    write_id(m, out);
    buf_printf(out, " %s\n", m->path);
    coverage_sort(&m->counts);
    for (uint64_t at = 0; coverage_next(&m->counts, &at, &count); at++)
        buf_printf(out, "%" PRIx64 " %" PRIu64 "\n", at, count);
}

void coverage_record_write(struct coverage_record *r, struct buf *out)
{
    buf_printf(out, "%sprocesses %" PRIu64 "\nunset %" PRIu64 "\n", magic, r->processes, r->unset);
    for (size_t i = 0; i < r->modules; i++)
        write_module(r->module[i], out);
}

/* --- reading --- */

static bool coverage_record_is(const void *bytes, size_t len)
{
    return len >= sizeof magic - 1 && memcmp(bytes, magic, sizeof magic - 1) == 0;
}

/* The number that is all of the text up to `end'. */
static bool parse_number(const char *at, const char *end, unsigned base, uint64_t *out)
{
    uint64_t v = 0;
    if (at == end)
        return false;
    for (; at < end; at++) {
        unsigned d = *at >= '0' && *at <= '9'   ? (unsigned)(*at - '0')
                     : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a') + 10
                                                : base;
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *out = v;
    return true;
}

static bool starts_with(struct line l, const char *word)
{
    size_t len = strlen(word);
    return line_len(l) > len && memcmp(l.at, word, len) == 0;
}

static bool parse_id(const char *at, const char *end, uint8_t *id, size_t *len)
{
    *len = 0;
    if (end - at == 1 && *at == '-')
        return true;
    if ((end - at) % 2 || end - at > 2 * COVERAGE_ID_BYTES)
        return false;
    for (uint64_t byte; at < end; at += 2, ++*len) {
        if (!parse_number(at, at + 2, 16, &byte))
            return false;
        id[*len] = (uint8_t)byte;
    }
    return true;
}

/* Behind `module '. */
static int read_module(struct coverage_record *r, struct line l, struct coverage_module **out)
{
    uint8_t id[COVERAGE_ID_BYTES];
    size_t len;
    const char *at = l.at + sizeof "module " - 1;
    const char *blank = memchr(at, ' ', (size_t)(l.end - at));
    if (!blank || blank + 1 == l.end || memchr(at, '\0', (size_t)(l.end - at)) ||
        !parse_id(at, blank, id, &len))
        return -EINVAL;
    SCOPED_FREE char *path = strndup(blank + 1, (size_t)(l.end - blank - 1));
    *out = path ? coverage_record_module(r, path, id, len) : NULL;
    return *out ? 0 : -ENOMEM;
}

static int read_count(struct coverage_module *m, struct line l)
{
    uint64_t vaddr, count;
    const char *blank = memchr(l.at, ' ', line_len(l));
    if (!m || !blank || !parse_number(l.at, blank, 16, &vaddr) ||
        !parse_number(blank + 1, l.end, 10, &count))
        return -EINVAL;
    uint64_t *at = coverage_count_at(&m->counts, vaddr);
    if (!at)
        return -ENOMEM;
    *at = count > UINT64_MAX - *at ? UINT64_MAX : *at + count;
    return 0;
}

static int read_sum(struct line l, const char *key, uint64_t *sum)
{
    uint64_t n;
    if (!parse_number(l.at + strlen(key), l.end, 10, &n))
        return -EINVAL;
    *sum += n;
    return 0;
}

static int read_line(struct coverage_record *r, struct line l, struct coverage_module **m)
{
    if (starts_with(l, "module "))
        return read_module(r, l, m);
    if (starts_with(l, "processes "))
        return read_sum(l, "processes ", &r->processes);
    if (starts_with(l, "unset "))
        return read_sum(l, "unset ", &r->unset);
    return read_count(*m, l);
}

int coverage_record_read(struct coverage_record *r, const char *text, size_t len, struct fail *f)
{
    struct coverage_module *m = NULL;
    struct line l;
    if (!coverage_record_is(text, len))
        return fail_set(f, 0, "is no recording of coverage");
    struct lines rest = lines_of(text + sizeof magic - 1, len - (sizeof magic - 1));
    for (size_t n = 2; line_next(&rest, &l); n++) {
        int e = read_line(r, l, &m);
        if (e == -EINVAL)
            return fail_set(f, 0, "line %zu is damaged", n);
        if (e < 0)
            return fail_set(f, -e, "line %zu", n);
    }
    return 0;
}
