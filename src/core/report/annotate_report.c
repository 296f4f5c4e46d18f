/* Prints a function's source or instructions with their samples, or both as JSON. */
#include "core/report/annotate.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN_LINES = 3 };

/* Samples count alike here: their weight is the average one. */
static uint64_t amount_of_samples(const struct annotate *a, uint64_t samples)
{
    const struct sampled *s = a->sampled;
    return sampled_amount(s, s->count.samples ? s->count.weight / s->count.samples * samples : 0);
}

static void print_heading(const struct annotate *a, const char *file, struct buf *out)
{
    shown_printf(out, "%s [%s]%s%s: %" PRIu64 " ms", a->shown ? a->shown : a->function.name,
                 a->module->name, file ? " " : "", file ? file : "",
                 amount_of_samples(a, a->samples));
    if (a->inlined)
        buf_printf(out, ", %" PRIu64 " of them inlined into others",
                   amount_of_samples(a, a->inlined));
    buf_addc(out, '\n');
    if (a->prototype)
        shown_printf(out, "%s\n", a->prototype);
    buf_printf(out, "    ms      %%   %s\n", file ? "line" : "instruction");
}

/* The two columns before a line; blank where nothing was sampled. */
static void print_columns(const struct annotate *a, uint64_t samples, struct buf *out)
{
    if (samples)
        buf_printf(out, "%6" PRIu64 "\t%3" PRIu64 ".%" PRIu64 "\t", amount_of_samples(a, samples),
                   100 * samples / a->samples, 1000 * samples / a->samples % 10);
    else
        buf_adds(out, "\t\t");
}

void annotate_source(const struct annotate *a, const struct annotate_lines *l, const char *source,
                     struct buf *out)
{
    uint32_t first = l->count ? l->line[0].line : 1;
    uint64_t last = l->count ? (uint64_t)l->line[l->count - 1].line + MARGIN_LINES : 0;
    first = first > MARGIN_LINES ? first - MARGIN_LINES : 1;
    size_t next = 0;
    print_heading(a, l->file, out);
    for (uint32_t n = 1; *source && n <= last; n++) {
        size_t len = strcspn(source, "\n");
        bool sampled = next < l->count && l->line[next].line == n;
        if (n >= first) {
            print_columns(a, sampled ? l->line[next].samples : 0, out);
            buf_printf(out, "%5" PRIu32 "  %.*s\n", n, (int)len, source);
        }
        next += sampled;
        source += len + (source[len] == '\n');
    }
    if (l->elsewhere) {
        print_columns(a, l->elsewhere, out);
        buf_adds(out, "    -  (no line, or in another file)\n");
    }
}

/* The address that a line of the disassembly starts with. */
static bool line_address(const char *line, uint64_t *address)
{
    char *end;
    *address = strtoull(line, &end, 16);
    return end != line && *end == ':' && line[0] == ' ';
}

static uint64_t samples_at(const struct annotate *a, uint64_t address)
{
    for (size_t i = 0; i < a->places; i++)
        if (a->place[i].vaddr == address)
            return a->place[i].samples;
    return 0;
}

void annotate_code(const struct annotate *a, const char *text, struct buf *out)
{
    uint64_t address;
    print_heading(a, NULL, out);
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (line_address(text, &address) && address >= a->function.start &&
            address < a->function.end) {
            print_columns(a, samples_at(a, address), out);
            buf_printf(out, "%.*s\n", (int)len, text);
        }
        text += len + (text[len] == '\n');
    }
}

static void lines_json(const struct annotate *a, const struct annotate_lines *l, struct json *j)
{
    json_array(j, "lines");
    for (size_t i = 0; i < l->count; i++) {
        json_object(j, NULL);
        json_u64(j, "line", l->line[i].line);
        json_u64(j, "samples", l->line[i].samples);
        json_u64(j, "time_ms", amount_of_samples(a, l->line[i].samples));
        json_num(j, "share_pct", 100.0 * (double)l->line[i].samples / (double)a->samples, 2);
        json_object_end(j);
    }
    json_array_end(j);
}

static void addresses_json(const struct annotate *a, struct json *j)
{
    json_array(j, "addresses");
    for (size_t i = 0; i < a->places; i++) {
        json_object(j, NULL);
        json_hex(j, "address", a->place[i].vaddr);
        json_u64(j, "samples", a->place[i].samples);
        json_object_end(j);
    }
    json_array_end(j);
}

void annotate_json(const struct annotate *a, const struct annotate_lines *l, struct buf *out)
{
    struct json j;
    json_start(&j, out, "tprof");
    json_str(&j, "function", a->function.name);
    if (a->prototype)
        json_str(&j, "prototype", a->prototype);
    else
        json_null(&j, "prototype");
    json_str(&j, "module", a->module->path);
    if (l->file)
        json_str(&j, "file", l->file);
    else
        json_null(&j, "file");
    json_u64(&j, "rate_hz", a->sampled->want.hz);
    json_u64(&j, "lost", a->sampled->loss.lost);
    json_u64(&j, "time_ms", amount_of_samples(a, a->samples));
    json_u64(&j, "samples", a->samples);
    json_u64(&j, "inlined_samples", a->inlined);
    lines_json(a, l, &j);
    addresses_json(a, &j);
    json_end(&j);
}
