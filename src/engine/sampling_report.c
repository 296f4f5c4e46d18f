#include "engine/sampling_report.h"

#include "core/annotate.h"
#include "core/buf.h"
#include "core/demangle.h"
#include "plat/child.h"
#include "plat/file.h"
#include "plat/guard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TEXT = 64 << 20 };

static void frames_at(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    symbols_frames(arg, m, vaddr, out);
}

/* A file of the target's: below the sysroot first. */
static int read_target_file(const struct sampling *s, const char *path, struct buf *out)
{
    struct buf below = BUF_INIT;
    int r = -ENOENT;
    if (s->search.sysroot) {
        buf_printf(&below, "%s/%s", s->search.sysroot, path);
        r = file_read(buf_str(&below), MOST_TEXT, out, NULL);
    }
    buf_release(&below);
    return r < 0 ? file_read(path, MOST_TEXT, out, NULL) : 0;
}

static int disassemble(const struct sampling *s, const struct annotate *a, struct buf *out,
                       struct fail *f)
{
    const char *tool = getenv("OBJDUMP");
    struct buf from = BUF_INIT, to = BUF_INIT, path = BUF_INIT;
    buf_printf(&from, "--start-address=0x%" PRIx64, a->function.start);
    buf_printf(&to, "--stop-address=0x%" PRIx64, a->function.end);
    buf_printf(&path, "%s%s", s->search.sysroot ? s->search.sysroot : "", a->module->path);
    const char *argv[] = {
        tool ? tool : "objdump", "-d", "--no-show-raw-insn", buf_str(&from), buf_str(&to),
        buf_str(&path),          NULL};
    int r = child_output((char *const *)argv, MOST_TEXT, out, f);
    buf_release(&from);
    buf_release(&to);
    buf_release(&path);
    return r;
}

static int report_text(const struct sampling *s, const struct annotate *a,
                       const struct annotate_lines *l, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    int r = l->file ? read_target_file(s, l->file, &text) : -ENOENT;
    if (r == 0) {
        annotate_source(a, l, buf_str(&text), out);
    } else {
        buf_clear(&text);
        r = disassemble(s, a, &text, f);
        if (r == 0)
            annotate_code(a, buf_str(&text), out);
        else
            fail_hint(
                f, "its source%s%s is not here; objdump (package binutils, or $OBJDUMP) would do",
                l->file ? " " : "", l->file ? l->file : "");
    }
    buf_release(&text);
    return r;
}

struct making {
    struct sampling *sampling;
    const struct sampling_view *view;
    struct flat_report flat;
    struct demangler names;
    struct buf *out;
    struct fail *f;
};

static const char *pretty(void *arg, const char *name)
{
    return demangled(arg, name);
}

static int annotate(struct making *m)
{
    struct annotate a;
    struct annotate_lines lines = {0};
    struct sampling *s = m->sampling;
    struct annotate_question q = {m->view->annotate, pretty, &m->names, frames_at, &s->symbols};
    int r = annotate_find(&s->sampled, &q, &a, m->f);
    if (r < 0)
        return r;
    r = annotate_lines(&a, &lines);
    if (r < 0)
        fail_set(m->f, ENOMEM, "%s", m->view->annotate);
    else if (m->view->json)
        annotate_json(&a, &lines, m->out);
    else
        r = report_text(s, &a, &lines, m->out, m->f);
    annotate_lines_release(&lines);
    annotate_release(&a);
    return r;
}

static int table(struct making *m)
{
    m->flat = (struct flat_report){.by = m->view->by,
                                   .frames_at = frames_at,
                                   .frames_arg = &m->sampling->symbols,
                                   .only_module = m->view->module,
                                   .most_rows = m->view->rows,
                                   .method = m->sampling->method,
                                   .mode = "user mode",
                                   .names = &m->names};
    int r = flat_make(&m->sampling->sampled, &m->flat);
    if (r < 0)
        fail_set(m->f, -r, "report");
    else if (m->view->json)
        flat_json(&m->flat, m->out);
    else
        flat_text(&m->flat, m->out);
    flat_release(&m->flat);
    return r;
}

static int make(void *arg)
{
    struct making *m = arg;
    return m->view->annotate ? annotate(m) : table(m);
}

int sampling_report(struct sampling *s, const struct sampling_view *view, struct buf *out,
                    struct fail *f)
{
    struct fail crash;
    struct making m = {
        .sampling = s, .view = view, .names = {.off = view->no_demangle}, .out = out, .f = f};
    int r = guard_call(make, &m, &crash);
    if (r == -EFAULT)
        fail_set(f, 0, "report: %s: was a program rewritten meanwhile?", crash.what);
    demangler_release(&m.names);
    return r;
}
