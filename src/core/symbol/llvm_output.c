#include "core/symbol/llvm_output.h"

#include "core/base/text.h"
#include "core/text/shown.h"

#include <inttypes.h>

/* --- frames --- */

static size_t known_frames(const struct answer *a)
{
    return a->frames ? a->frames->count : 0;
}

/* Where nothing is known there is a frame all the same, unless the file could not be read. */
size_t llvm_frames(const struct llvm_format *f, const struct answer *a)
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

void llvm_frame_at(const struct llvm_format *f, const struct answer *a, size_t i, struct frame *out)
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
    llvm_context(f, r, out);
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
    size_t n = llvm_frames(f, a);
    if (f->address)
        buf_printf(out, "0x%" PRIx64 "%s", a->address, f->pretty ? ": " : "\n");
    for (size_t i = 0; i < (n ? n : 1); i++) {
        llvm_frame_at(f, a, i, &r);
        frame_text(f, &r, i > 0, out);
    }
    if (f->style == LLVM_LLVM)
        buf_addc(out, '\n');
}
