#include "core/symbol/sym_output.h"

#include "core/base/text.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <string.h>

/* Of the i-th frame, as its file has it. addr2line prefers the debug information's name for a
 * function, psuite the symbol's (`f.part.0'), from which the offset counts. */
static const char *raw_name(const struct answer_format *f, const struct answer *a, size_t i)
{
    const char *function = a->frames->frame[i].function, *symbol = a->frames->symbol;
    bool last = i + 1 == a->frames->count;
    return last && symbol && (!function || f->style != ANSWER_GNU) ? symbol : function;
}

static const char *name_of(const struct answer_format *f, const struct answer *a, size_t i)
{
    const char *name = demangled(f->names, raw_name(f, a, i));
    return name && *name ? name : "??";
}

static const char *file_of(const struct answer_format *f, const struct frame *r)
{
    return r->file && f->basenames ? path_last(r->file) : r->file;
}

static size_t shown_frames(const struct answer_format *f, const struct answer *a)
{
    size_t n = a->frames->count;
    return n && !f->inlines ? 1 : n;
}

/* --- psuite's own --- */

static void add_offset(uint64_t offset, struct buf *out)
{
    buf_adds(out, "+0x");
    buf_add_hex(out, offset);
}

static void module_text_of(const struct answer *a, bool named, struct buf *out)
{
    if (!a->module)
        return;
    buf_adds(out, " [");
    shown_add(out, a->module, a->module_len);
    if (!named)
        add_offset(a->vaddr, out);
    buf_addc(out, ']');
}

static void place_text(const struct answer_format *f, const struct frame *r, struct buf *out)
{
    if (!r->file)
        return;
    buf_adds(out, " at ");
    shown_adds(out, file_of(f, r));
    if (!r->line)
        return;
    buf_addc(out, ':');
    buf_add_decimal(out, r->line);
}

/* A function and where in it: the symbol, from which the offset counts, is the last frame's. */
static void function_text(const struct answer_format *f, const struct answer *a, size_t i,
                          struct buf *out)
{
    shown_adds(out, name_of(f, a, i));
    if (i + 1 == a->frames->count && a->frames->symbol)
        add_offset(a->vaddr - a->frames->start, out);
    module_text_of(a, raw_name(f, a, i), out);
}

/* Without the chain: the symbol, and the line at the address, inlined or not. */
static void psuite_text(const struct answer_format *f, const struct answer *a, struct buf *out)
{
    size_t n = a->frames->count;
    buf_adds(out, f->indent ? f->indent : "");
    if (f->address)
        buf_printf(out, "0x%" PRIx64 ": ", a->address);
    if (!n) {
        buf_adds(out, "??");
        module_text_of(a, false, out);
    }
    for (size_t i = f->inlines || !n ? 0 : n - 1; i < n; i++) {
        if (i && f->inlines)
            buf_printf(out, "\n%s (inlined by) ", f->indent ? f->indent : "");
        function_text(f, a, i, out);
        place_text(f, &a->frames->frame[f->inlines ? i : 0], out);
    }
    buf_addc(out, '\n');
}

/* --- addr2line's, of binutils 2.40 --- */

static void gnu_nothing(const struct answer_format *f, struct buf *out)
{
    if (f->functions)
        buf_adds(out, f->pretty ? "?? " : "??\n");
    buf_adds(out, "??:0\n");
}

static void print_name(const struct answer_format *f, const char *name, struct buf *out)
{
    shown_adds(out, name);
    buf_adds(out, f->pretty ? " at " : "\n");
}

static void gnu_frame(const struct answer_format *f, const struct answer *a, size_t i,
                      struct buf *out)
{
    const struct frame *r = &a->frames->frame[i];
    if (f->functions)
        print_name(f, name_of(f, a, i), out);
    shown_adds(out, r->file ? file_of(f, r) : "??");
    buf_addc(out, ':');
    if (r->line)
        buf_add_decimal(out, r->line);
    else
        buf_addc(out, '?');
    if (r->line && r->discriminator)
        buf_printf(out, " (discriminator %" PRIu32 ")", r->discriminator);
    buf_addc(out, '\n');
}

static void gnu_text(const struct answer_format *f, const struct answer *a, struct buf *out)
{
    if (f->address)
        buf_printf(out, "0x%0*" PRIx64 "%s", a->bits / 4, a->address, f->pretty ? ": " : "\n");
    if (!a->frames->count)
        gnu_nothing(f, out);
    for (size_t i = 0; i < shown_frames(f, a); i++) {
        if (i && f->pretty)
            buf_adds(out, " (inlined by) ");
        gnu_frame(f, a, i, out);
    }
}

void answer_text(const struct answer_format *f, const struct answer *a, struct buf *out)
{
    switch (f->style) {
    case ANSWER_PSUITE:
        psuite_text(f, a, out);
        break;
    case ANSWER_GNU:
        gnu_text(f, a, out);
        break;
    case ANSWER_JSON:
        answer_json(f, a, NULL, out);
        break;
    }
}

/* --- JSON --- */

static void json_frame(const struct answer_format *f, const struct answer *a, size_t i,
                       struct json *j)
{
    const struct frame *r = &a->frames->frame[i];
    const char *raw = raw_name(f, a, i), *name = demangled(f->names, raw);
    json_object(j, NULL);
    json_members(j, "name [raw]", name, name && strcmp(name, raw) != 0 ? raw : NULL);
    if (r->file)
        json_str(j, "file", r->file);
    json_members(j, "[line] [column]", r->line, r->column);
    json_object_end(j);
}

static void json_module(const struct answer *a, struct json *j)
{
    SCOPED_BUF name = BUF_INIT;
    if (!a->module)
        return;
    buf_add(&name, a->module, a->module_len);
    json_members(j, "module module_address:x", a->path ? a->path : buf_str(&name), a->vaddr);
}

static void json_answer(const struct answer_format *f, const struct answer *a, struct json *j)
{
    json_hex(j, "address", a->address);
    json_module(a, j);
    if (a->frames->symbol)
        json_u64(j, "offset_bytes", a->vaddr - a->frames->start);
    json_array(j, "frames");
    for (size_t i = 0; i < shown_frames(f, a); i++)
        json_frame(f, a, i, j);
    json_array_end(j);
}

void answer_json(const struct answer_format *f, const struct answer *a, const char *log_line,
                 struct buf *out)
{
    struct json j;
    json_start(&j, out, "sym");
    if (log_line)
        json_str(&j, "log", log_line);
    if (a)
        json_answer(f, a, &j);
    json_end(&j);
}

void answer_json_element(const struct answer_format *f, const struct answer *a, struct json *j)
{
    json_object(j, NULL);
    json_answer(f, a, j);
    json_object_end(j);
}
