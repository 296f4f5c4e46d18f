/* Prints a function's source or instructions with their samples, or both as JSON. */
#include "core/report/annotate.h"

#include "core/base/grow.h"
#include "core/base/share.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN_LINES = 3 };

/* --- rows --- */

void annotate_text_release(struct annotate_text *t)
{
    free(t->row);
    buf_release(&t->text);
    *t = (struct annotate_text){0};
}

/* What was appended to the text since `at' becomes a row. */
static void add_row(struct annotate_text *t, size_t at, const struct annotate_sum *sum)
{
    buf_addc(&t->text, '\0');
    if (!buf_error(&t->text) && grow(&t->row, &t->cap, t->count, sizeof *t->row))
        t->row[t->count++] = (struct annotate_row){at, *sum};
    else
        t->err = -ENOMEM;
}

static const struct annotate_sum nothing;

void annotate_source(const struct annotate_lines *l, const char *source, struct annotate_text *out)
{
    uint32_t first = l->count ? l->line[0].line : 1;
    uint64_t last = l->count ? (uint64_t)l->line[l->count - 1].line + MARGIN_LINES : 0;
    first = first > MARGIN_LINES ? first - MARGIN_LINES : 1;
    size_t next = 0;
    out->file = l->file;
    for (uint32_t n = 1; *source && n <= last; n++) {
        size_t len = strcspn(source, "\n"), at = out->text.len;
        bool sampled = next < l->count && l->line[next].line == n;
        if (n >= first) {
            buf_printf(&out->text, "%5" PRIu32 "  %.*s", n, (int)len, source);
            add_row(out, at, sampled ? &l->line[next].sum : &nothing);
        }
        next += sampled;
        source += len + (source[len] == '\n');
    }
    if (l->elsewhere.samples) {
        size_t at = out->text.len;
        buf_adds(&out->text, "    -  (no line, or in another file)");
        add_row(out, at, &l->elsewhere);
    }
}

/* The address that a line of the disassembly starts with. */
static bool line_address(const char *line, uint64_t *address)
{
    char *end;
    *address = strtoull(line, &end, 16);
    return end != line && *end == ':' && line[0] == ' ';
}

static const struct annotate_sum *sum_at(const struct annotate *a, uint64_t address)
{
    for (size_t i = 0; i < a->places; i++)
        if (a->place[i].vaddr == address)
            return &a->place[i].sum;
    return &nothing;
}

/* Where its lines are in the source, and the one that was added last. */
struct source {
    const char *file;
    const char **line;
    size_t count, cap;
    uint32_t last;
    struct frames frames;
};

static void init_source(struct source *s, const char *file, const char *text)
{
    *s = (struct source){.file = file};
    while (text && *text && grow(&s->line, &s->cap, s->count, sizeof *s->line)) {
        s->line[s->count++] = text;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

static void release_source(struct source *s)
{
    frames_release(&s->frames);
    free(s->line);
}

/* Before the instruction at an address, if it is of another line than the one before. */
static void add_line_at(const struct annotate *a, struct source *s, uint64_t address,
                        struct annotate_text *out)
{
    size_t at = out->text.len;
    uint32_t line = s->count ? annotate_line_at(a, s->file, address, &s->frames) : 0;
    if (!line || line == s->last || line > s->count)
        return;
    const char *text = s->line[line - 1];
    buf_printf(&out->text, "%5" PRIu32 "  %.*s", line, (int)strcspn(text, "\n"), text);
    add_row(out, at, &nothing);
    s->last = line;
}

void annotate_code(const struct annotate *a, const struct annotate_lines *l, const char *source,
                   const char *text, struct annotate_text *out)
{
    uint64_t address;
    struct source s;
    init_source(&s, l->file, l->file ? source : NULL);
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (line_address(text, &address) && address >= a->function.start &&
            address < a->function.end) {
            add_line_at(a, &s, address, out);
            size_t at = out->text.len;
            buf_printf(&out->text, "%s%.*s", s.count ? "       " : "", (int)len, text);
            add_row(out, at, sum_at(a, address));
        }
        text += len + (text[len] == '\n');
    }
    release_source(&s);
}

/* --- text --- */

static uint64_t amount_of(const struct annotate *a, const struct annotate_sum *sum)
{
    return sampled_amount(a->sampled, sum->weight);
}

static void print_heading(const struct annotate *a, const char *file, struct buf *out)
{
    shown_printf(out, "%s [%s]%s%s: %" PRIu64 " ms", a->shown ? a->shown : a->function.name,
                 a->module->name, file ? " " : "", file ? file : "", amount_of(a, &a->sum));
    if (a->inlined.samples)
        buf_printf(out, ", %" PRIu64 " of them inlined into others", amount_of(a, &a->inlined));
    buf_addc(out, '\n');
    if (a->prototype)
        shown_printf(out, "%s\n", a->prototype);
    buf_printf(out, "    ms      %%   %s\n", file ? "line" : "instruction");
}

/* The two columns before a line; blank where nothing was sampled. */
static void print_columns(const struct annotate *a, const struct annotate_sum *sum, struct buf *out)
{
    if (sum->samples)
        buf_printf(out, "%6" PRIu64 "\t%5.1f\t", amount_of(a, sum),
                   share_pct(sum->weight, a->sum.weight));
    else
        buf_adds(out, "\t\t");
}

void annotate_print(const struct annotate *a, const struct annotate_text *text, struct buf *out)
{
    print_heading(a, text->file, out);
    for (size_t i = 0; i < text->count; i++) {
        print_columns(a, &text->row[i].sum, out);
        buf_printf(out, "%s\n", annotate_row_text(text, i));
    }
}

/* --- JSON --- */

static void lines_json(const struct annotate *a, const struct annotate_lines *l, struct json *j)
{
    json_array(j, "lines");
    for (size_t i = 0; i < l->count; i++)
        json_record(j, NULL, "line samples time_ms share_pct.2", l->line[i].line,
                    l->line[i].sum.samples, amount_of(a, &l->line[i].sum),
                    share_pct(l->line[i].sum.weight, a->sum.weight));
    json_array_end(j);
}

static void addresses_json(const struct annotate *a, struct json *j)
{
    json_array(j, "addresses");
    for (size_t i = 0; i < a->places; i++)
        json_record(j, NULL, "address:x samples", a->place[i].vaddr, a->place[i].sum.samples);
    json_array_end(j);
}

void annotate_json(const struct annotate *a, const struct annotate_lines *l, struct buf *out)
{
    struct json j;
    json_start(&j, out, "tprof");
    json_members(&j, "function prototype module file rate_hz lost time_ms samples inlined_samples",
                 a->function.name, a->prototype, a->module->path, l->file, a->sampled->want.hz,
                 a->sampled->loss.lost, amount_of(a, &a->sum), a->sum.samples, a->inlined.samples);
    lines_json(a, l, &j);
    addresses_json(a, &j);
    json_end(&j);
}
