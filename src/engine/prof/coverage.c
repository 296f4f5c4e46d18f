/* A record of coverage as functions and lines. */
#include "engine/prof/coverage.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "engine/symbols/sources.h"
#include "plat/guard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- recordings --- */

int coverage_read(const char *path, struct coverage_record *r, struct fail *f)
{
    struct image image;
    struct fail why;
    int e = file_input(path, SIZE_MAX / 2, &image, f);
    if (e < 0)
        return e;
    e = coverage_record_read(r, (const char *)image.data, image.len, &why);
    file_unmap(&image);
    return e < 0 ? fail_set(f, why.err, "%s: %s", path, why.what) : 0;
}

/* --- names --- */

static void find_frames(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    struct coverage *c = arg;
    symbols_frames(&c->symbols, m, vaddr, out);
}

struct adding {
    struct coverage *coverage;
    struct covered_from from;
};

static int add_covered(void *arg)
{
    struct adding *a = arg;
    return covered_add(&a->coverage->covered, &a->from);
}

static struct module *make_module(struct coverage *c, const struct coverage_module *of, bool here)
{
    struct module_identity id = {.build_id_len = of->build_id_len};
    memcpy(id.build_id, of->build_id, of->build_id_len);
    struct module *m = module_append(&c->modules, of->path, &id);
    if (!m)
        return NULL;
    m->linked = m->file = true;
    symbols_need_recorded(&c->symbols, m, here ? SYMBOLS_PATH : SYMBOLS_BUILD_ID);
    symbols_ready(&c->symbols, m);
    return m;
}

static int add_module(struct coverage *c, const struct coverage_module *of, bool here,
                      struct fail *f)
{
    struct fail crash;
    struct module *m = make_module(c, of, here);
    struct adding a = {c, {m, &of->counts, find_frames, c}};
    if (!m)
        return fail_set(f, ENOMEM, "%s", of->path);
    if (!m->elf)
        return fail_set(f, 0, "%s: %s", of->path, m->why);
    int r = guard_call(add_covered, &a, &crash);
    if (r == -EFAULT)
        return fail_set(f, 0, "%s: reading it %s: it may have been rewritten", of->path,
                        crash.what);
    return r < 0 ? fail_set(f, -r, "%s", of->path) : 0;
}

static void describe(const struct coverage_record *r, struct coverage *c)
{
    int n = snprintf(c->method, sizeof c->method,
                     "ptrace, single steps: %" PRIu64 " instructions executed in %s",
                     coverage_record_total(r), counted(r->processes, "process").text);
    if (r->unset && n > 0 && (size_t)n < sizeof c->method)
        snprintf(c->method + n, sizeof c->method - (size_t)n, ", %s not set",
                 counted(r->unset, "breakpoint").text);
}

int coverage_open(const struct coverage_record *r, const struct debugfile_search *search, bool here,
                  struct coverage *c, struct fail *f)
{
    *c = (struct coverage){.names = {0}};
    symbols_init(&c->symbols, search);
    describe(r, c);
    for (size_t i = 0; i < r->modules; i++) {
        int e = add_module(c, r->module[i], here, f);
        if (e < 0)
            return e;
    }
    covered_settle(&c->covered);
    return 0;
}

void coverage_release(struct coverage *c)
{
    covered_release(&c->covered);
    demangler_release(&c->names);
    modules_release(&c->modules);
    symbols_release(&c->symbols);
}

/* --- source --- */

struct annotating {
    struct coverage *coverage;
    const struct covered_function *function;
    const char *text;
    size_t len;
    struct buf *out;
};

static int add_source(void *arg)
{
    struct annotating *a = arg;
    struct coverage_view v = coverage_view_of(a->coverage);
    coverage_source(&v, a->function, a->text, a->len, a->out);
    return 0;
}

int coverage_annotate(struct coverage *c, const char *function, struct buf *out, struct fail *f)
{
    struct coverage_view v = coverage_view_of(c);
    struct sources sources = {0};
    struct annotating a = {c, coverage_function_named(&v, function), NULL, 0, out};
    if (!a.function)
        return fail_set(f, 0, "%s: no such function in the modules that were counted", function);
    if (!a.function->file) {
        fail_set(f, 0, "%s: no source lines", function);
        fail_hint(f, "build the program with -g, or name its debug file's directory: --debug-dir");
        return -EINVAL;
    }
    int r = 0;
    if (!sources_text(&sources, a.function->file, &a.text, &a.len))
        r = fail_set(f, ENOENT, "%s", a.function->file);
    else if (guard_call(add_source, &a, f) < 0)
        r = -EFAULT;
    sources_release(&sources);
    return r;
}
