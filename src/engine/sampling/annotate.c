/* One function over its source, or over its instructions. */
#include "annotate.h"

#include "core/base/buf.h"
#include "core/text/report_fit.h"
#include "engine/symbols/types.h"
#include "plat/child.h"
#include "plat/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 64 << 20 };

/* A file of the target's: below the sysroot first. */
static int read_target_file(const struct sampling *s, const char *path, struct buf *out)
{
    SCOPED_BUF below = BUF_INIT;
    int r = -ENOENT;
    if (s->search.sysroot) {
        buf_printf(&below, "%s/%s", s->search.sysroot, path);
        r = file_read_regular(buf_str(&below), MAX_TEXT, out, NULL);
    }
    return r < 0 ? file_read_regular(path, MAX_TEXT, out, NULL) : 0;
}

static int disassemble_function(const struct sampling *s, const struct annotate *a, struct buf *out,
                                struct fail *f)
{
    const char *tool = getenv("OBJDUMP");
    SCOPED_BUF from = BUF_INIT, to = BUF_INIT, path = BUF_INIT;
    buf_printf(&from, "--start-address=0x%" PRIx64, a->function.start);
    buf_printf(&to, "--stop-address=0x%" PRIx64, a->function.end);
    buf_printf(&path, "%s%s", s->search.sysroot ? s->search.sysroot : "", a->module->path);
    const char *argv[] = {
        tool ? tool : "objdump", "-d", "--no-show-raw-insn", buf_str(&from), buf_str(&to),
        buf_str(&path),          NULL};
    return child_output((char *const *)argv, MAX_TEXT, out, f);
}

/* Its instructions, below their source lines where there is source. */
static int add_code(const struct sampling *s, const struct annotate *a,
                    const struct annotate_lines *l, const char *source, struct annotate_text *out,
                    struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = disassemble_function(s, a, &text, f);
    if (r == 0)
        annotate_code(a, l, source, buf_str(&text), out);
    else
        fail_hint(f, "install objdump (package binutils), or set $OBJDUMP");
    return r;
}

/* Its source, else its instructions. */
static int add_rows(const struct sampling *s, const struct annotate *a,
                    const struct annotate_lines *l, bool code, struct annotate_text *out,
                    struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = l->file ? read_target_file(s, l->file, &text) : -ENOENT;
    const char *source = r == 0 ? buf_str(&text) : NULL;
    if (source && !code) {
        annotate_source(l, source, out);
    } else {
        r = add_code(s, a, l, source, out, f);
        if (r < 0 && !source)
            fail_hint(f,
                      "its source%s%s was not found; install objdump (package binutils), or set "
                      "$OBJDUMP",
                      l->file ? " " : "", l->file ? l->file : "");
    }
    return r;
}

static const char *demangle_name(void *arg, const char *name)
{
    return demangled(arg, name);
}

/* Of a function that has a symbol, as one that is inlined everywhere has not. */
static void add_prototype(struct annotate *a, struct buf *text)
{
    struct symbol s;
    if (module_symbol(a->module, a->function.start, &s) && strcmp(s.name, a->function.name) == 0)
        symbols_prototype(a->module, a->function.start, text);
    a->prototype = text->len && !buf_error(text) ? buf_str(text) : NULL;
}

static int find_function(struct sampling *s, const struct sampling_view *view,
                         struct demangler *names, struct annotate *a, struct fail *f)
{
    struct annotate_query q = {.name = view->function,
                               .demangle = demangle_name,
                               .demangle_arg = names,
                               .frames_at = sampling_frames_at,
                               .frames_arg = s,
                               .part = view->part,
                               .module = view->module};
    return annotate_find(&s->sampled, &q, a, f);
}

int sampling_annotate_rows(struct sampling *s, const struct sampling_view *view,
                           struct demangler *names, struct annotate_text *out, struct fail *f)
{
    struct annotate a;
    struct annotate_lines lines = {0};
    int r = find_function(s, view, names, &a, f);
    if (r < 0)
        return r;
    r = annotate_lines(&a, &lines);
    if (r < 0)
        fail_set(f, ENOMEM, "%s", view->function);
    else
        r = add_rows(s, &a, &lines, view->code, out, f);
    out->sum = a.sum;
    annotate_lines_release(&lines);
    annotate_release(&a);
    return r;
}

static int print_rows(const struct sampling *s, const struct annotate *a,
                      const struct annotate_lines *lines, bool code, struct buf *out,
                      struct fail *f)
{
    SCOPED(annotate_text_release) struct annotate_text text = {0};
    int r = add_rows(s, a, lines, code, &text, f);
    if (r == 0)
        annotate_print(a, &text, out);
    return r;
}

int sampling_annotate(struct sampling *s, const struct sampling_view *view, struct demangler *names,
                      struct buf *out, struct fail *f)
{
    struct annotate a;
    struct annotate_lines lines = {0};
    SCOPED_BUF prototype = BUF_INIT;
    int r = find_function(s, view, names, &a, f);
    if (r < 0)
        return r;
    a.shown = demangled(names, a.function.name);
    add_prototype(&a, &prototype);
    r = annotate_lines(&a, &lines);
    if (r < 0)
        fail_set(f, ENOMEM, "%s", view->function);
    else if (view->json)
        annotate_json(&a, &lines, out);
    else
        r = print_rows(s, &a, &lines, view->code, out, f);
    if (!view->json) {
        report_clip(out, strcspn(buf_str(out), "\n"), view->size.width);
        report_fold(out, 0, view->size.width); /* the heading */
    }
    annotate_lines_release(&lines);
    annotate_release(&a);
    return r;
}
