#include "core/symbol/llvm_output.h"

#include "core/base/line.h"
#include "core/base/text.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <inttypes.h>

/* --- frames --- */

static size_t known_frames(const struct answer *a)
{
    return a->frames ? a->frames->count : 0;
}

/* Where nothing is known there is a frame all the same, unless the file could not be read. */
static size_t count_frames(const struct llvm_format *f, const struct answer *a)
{
    size_t n = known_frames(a);
    if (f->no_inlines || (!n && a->frames))
        return 1;
    return n;
}

static const char *base_of(const struct llvm_format *f, const char *path)
{
    return path && f->basenames ? path_last(path) : path;
}

/* The symbol names the last frame; without inlined frames, the only one, but not in style GNU. */
static bool has_symbol(const struct llvm_format *f, const struct answer *a, size_t i)
{
    bool merged = f->no_inlines && f->style != LLVM_GNU;
    return a->frames->symbol && (merged || i + 1 == a->frames->count);
}

static void frame_at(const struct llvm_format *f, const struct answer *a, size_t i,
                     struct frame *out)
{
    *out = (struct frame){0};
    if (i >= known_frames(a))
        return;
    *out = a->frames->frame[i];
    out->file = base_of(f, out->file);
    out->start_file = base_of(f, out->start_file);
    if (!has_symbol(f, a, i))
        return;
    out->function = a->frames->symbol;
    out->start = a->frames->start;
    out->has_start = true;
}

/* --- lines of the source around a place --- */

struct part {
    uint64_t first, last, marked; /* numbers of lines */
};

/* How wide the numbers are: of 10, 100 and so on a digit too few. */
static int width_of(uint64_t last)
{
    int width = 0;
    for (uint64_t one = 1; one < last; one *= 10)
        width++;
    return width;
}

static void add_line(const struct part *p, uint64_t number, struct line line, struct buf *out)
{
    size_t len = line_len(line);
    len -= len && line.end[-1] == '\r';
    buf_printf(out, "%*" PRIu64 "%s", width_of(p->last), number,
               number == p->marked ? " >: " : "  : ");
    buf_add(out, line.at, len);
    buf_addc(out, '\n');
}

/* Nothing when they cannot be read. */
static void add_context(const struct llvm_format *f, const struct frame *at, struct buf *out)
{
    struct part p = {.marked = at->line};
    uint64_t before = f->context / 2, number = 1;
    struct lines rest;
    struct line line;
    size_t len;
    if (!f->context || !at->file || !f->source(f->source_arg, at->file, &rest.at, &len))
        return;
    rest.end = rest.at + len;
    p.first = at->line > before ? at->line - before : 1;
    p.last = p.first + f->context - 1;
    while (number < p.first && line_next(&rest, &line))
        number++;
    for (; number <= p.last && line_next(&rest, &line); number++)
        add_line(&p, number, line, out);
}

/* --- text --- */

static void function_text(const struct llvm_format *f, const struct frame *r, bool inlined,
                          struct buf *out)
{
    if (f->no_functions)
        return;
    const char *name = demangled(f->names, r->function);
    if (!name || !*name)
        name = "??";
    shown_printf(out, "%s%s", f->pretty && inlined ? " (inlined by) " : "", name);
    buf_adds(out, f->pretty ? " at " : "\n");
}

static void start_text(const struct llvm_format *f, const struct frame *r, struct buf *out)
{
    bool merged = f->no_inlines && f->style != LLVM_GNU;
    if (r->start_line) {
        shown_printf(out, "  Function start filename: %s\n",
                     r->start_file ? r->start_file
                     : merged      ? "<invalid>"
                                   : "");
        buf_printf(out, "  Function start line: %" PRIu32 "\n", r->start_line);
    }
    if (r->has_start && f->style == LLVM_LLVM)
        buf_printf(out, "  Function start address: 0x%" PRIx64 "\n", r->start);
}

static void verbose_text(const struct llvm_format *f, const struct frame *r, struct buf *out)
{
    shown_printf(out, "  Filename: %s\n", r->file ? r->file : "??");
    start_text(f, r, out);
    buf_printf(out, "  Line: %" PRIu32 "\n  Column: %" PRIu32 "\n", r->line, r->column);
    if (r->discriminator)
        buf_printf(out, "  Discriminator: %" PRIu32 "\n", r->discriminator);
}

static void place_text(const struct llvm_format *f, const struct frame *r, struct buf *out)
{
    shown_printf(out, "%s:%" PRIu32, r->file ? r->file : "??", r->line);
    if (f->style == LLVM_LLVM)
        buf_printf(out, ":%" PRIu32, r->column);
    else if (r->discriminator)
        buf_printf(out, " (discriminator %" PRIu32 ")", r->discriminator);
    buf_addc(out, '\n');
    add_context(f, r, out);
}

static void frame_text(const struct llvm_format *f, const struct frame *r, bool inlined,
                       struct buf *out)
{
    function_text(f, r, inlined, out);
    if (f->verbose)
        verbose_text(f, r, out);
    else
        place_text(f, r, out);
}

void llvm_text(const struct llvm_format *f, const struct answer *a, struct buf *out)
{
    struct frame r;
    size_t n = count_frames(f, a);
    if (f->address)
        buf_printf(out, "0x%" PRIx64 "%s", a->address, f->pretty ? ": " : "\n");
    for (size_t i = 0; i < (n ? n : 1); i++) {
        frame_at(f, a, i, &r);
        frame_text(f, &r, i > 0, out);
    }
    if (f->style == LLVM_LLVM)
        buf_addc(out, '\n');
}

/* --- JSON --- */

static void add_source(const struct llvm_format *f, const struct frame *r, struct json *j)
{
    SCOPED_BUF lines = BUF_INIT;
    add_context(f, r, &lines);
    if (lines.len)
        json_str(j, "Source", buf_str(&lines));
}

static void json_frame(const struct llvm_format *f, const struct frame *r, struct json *j)
{
    json_object(j, NULL);
    const char *function = f->no_functions ? NULL : demangled(f->names, r->function);
    json_members(j, "Column Discriminator FileName FunctionName Line", r->column, r->discriminator,
                 r->file ? r->file : "", function ? function : "", r->line);
    add_source(f, r, j);
    if (r->has_start)
        json_hex(j, "StartAddress", r->start);
    else
        json_str(j, "StartAddress", "");
    json_members(j, "StartFileName StartLine", r->start_file ? r->start_file : "", r->start_line);
    json_object_end(j);
}

void llvm_json(const struct llvm_format *f, const char *module, const struct answer *a,
               struct buf *out)
{
    struct json j = {.out = out, .short_escapes = true};
    struct frame r;
    json_object(&j, NULL);
    json_members(&j, "Address:x ModuleName", a->address, module);
    json_array(&j, "Symbol");
    for (size_t i = 0; i < count_frames(f, a); i++) {
        frame_at(f, a, i, &r);
        json_frame(f, &r, &j);
    }
    json_array_end(&j);
    json_object_end(&j);
}

void llvm_json_error(const char *module, const uint64_t *address, const char *message,
                     struct buf *out)
{
    struct json j = {.out = out, .short_escapes = true};
    json_object(&j, NULL);
    if (address)
        json_hex(&j, "Address", *address);
    json_record(&j, "Error", "Message", message);
    json_str(&j, "ModuleName", module);
    json_object_end(&j);
}
