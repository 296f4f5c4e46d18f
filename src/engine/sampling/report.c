#include "engine/sampling/report.h"

#include "annotate.h"
#include "core/base/buf.h"
#include "core/export/writer.h"
#include "core/sample/chain_ends.h"
#include "core/sample/wait_summary.h"
#include "core/stacks/around.h"
#include "core/stacks/flat.h"
#include "core/stacks/tree.h"
#include "plat/guard.h"

#include <errno.h>

struct making {
    struct sampling *sampling;
    const struct sampling_view *view;
    struct demangler names;
    struct stacks *stacks;
    struct sampled_indexes *indexes;
    struct flat_report *flat;
    struct annotate_text *rows;
    struct buf *out;
    struct fail *f;
};

static void unload_read(void *arg, const struct module *m)
{
    struct sampling *s = arg;
    symbols_unload_asked(&s->symbols, m);
}

void sampling_frames_at(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    sampling_frames(arg, m, vaddr, out);
    unload_read(arg, m);
}

/* Names are in mapped files, so every read of them is guarded. */
static int run_guarded(int (*make)(void *), struct making *m)
{
    struct fail crash;
    m->names.off = m->view->no_demangle;
    symbols_drop_truncated(&m->sampling->sampled.mapped.modules);
    int r = guard_call(make, m, &crash);
    if (r == -EFAULT)
        fail_set(m->f, 0, "report: %s: a program may have been rewritten", crash.what);
    demangler_release(&m->names);
    return r;
}

/* --- stacks --- */

static int make_stacks(void *arg)
{
    struct making *m = arg;
    struct sampled_naming naming = {.frames_at = sampling_frames_at,
                                    .arg = m->sampling,
                                    .names = &m->names,
                                    .inlines = m->view->by == FLAT_INLINE,
                                    .heap_weight = m->view->heap_weight,
                                    .pooled = m->view->pooled,
                                    .indexes = m->indexes};
    int r = sampled_stacks(&m->sampling->sampled, &naming, m->stacks);
    return r < 0 ? fail_set(m->f, -r, "report") : 0;
}

int sampling_stacks_indexed(struct sampling *s, const struct sampling_view *view,
                            struct stacks *out, struct sampled_indexes *indexes, struct fail *f)
{
    struct making m = {.sampling = s, .view = view, .stacks = out, .indexes = indexes, .f = f};
    int r = run_guarded(make_stacks, &m);
    out->origin.applet = view->applet;
    out->origin.method = s->described;
    return r;
}

int sampling_stacks(struct sampling *s, const struct sampling_view *view, struct stacks *out,
                    struct fail *f)
{
    return sampling_stacks_indexed(s, view, out, NULL, f);
}

static int stacks_json(const struct stacks *s, struct buf *out)
{
    const struct writer *json = writer_named("json", 4);
    return json ? json->write(s, NULL, out) : -ENOSYS;
}

static struct stacks_tree_options tree_options(const struct sampling_view *v,
                                               const struct report_part *part)
{
    struct stacks_tree_options tree = stacks_tree_defaults;
    tree.hide_pct = v->size.all ? 0 : tree.hide_pct;
    tree.width = v->size.width;
    tree.fold = v->size.width > 0;
    tree.max_rows = part->rows;
    tree.fitted = part->fitted;
    return tree;
}

int sampling_stacks_report(const struct stacks *s, const struct sampling_view *v,
                           const struct report_part *part, struct buf *out, struct fail *f)
{
    size_t width = v->size.width;
    struct stacks_flat_options flat = {v->by_cumulative, part->rows, width, part->fitted};
    struct stacks_around_options around = {part->rows, width, part->fitted};
    struct stacks_tree_options tree = tree_options(v, part);
    if (v->form == SAMPLING_AROUND)
        return stacks_around_text(s, v->function, &around, out, f);
    int r = v->json                       ? stacks_json(s, out)
            : v->form == SAMPLING_TREE    ? stacks_tree_text(s, &tree, out)
            : v->form == SAMPLING_CALLERS ? stacks_callers_text(s, &tree, out)
                                          : stacks_flat_text(s, &flat, out);
    return r < 0 ? fail_set(f, -r, "report") : 0;
}

static int render_stacks(void *arg, const struct report_part *part, struct buf *out)
{
    struct making *m = arg;
    const struct sampled *s = &m->sampling->sampled;
    int r = sampling_stacks_report(m->stacks, m->view, part, out, m->f);
    if (r < 0)
        return r;
    waits_sums_text(s, "waits: ", out);
    if (s->want.waits)
        buf_addc(out, '\n');
    chain_ends_text(s, out);
    chain_ends_none_text(s, out);
    return 0;
}

static int report_stacks(struct making *m)
{
    SCOPED(stacks_release) struct stacks stacks;
    int r = sampling_stacks(m->sampling, m->view, &stacks, m->f);
    m->stacks = &stacks;
    if (r == 0 && m->view->json)
        r = sampling_stacks_report(&stacks, m->view, &(struct report_part){0}, m->out, m->f);
    else if (r == 0)
        r = report_fit(&m->view->size, render_stacks, m, m->out);
    return r;
}

/* --- tables over places --- */

/* Chains are none of the table's, but a recording may have been made with them. */
static int render_flat(void *arg, const struct report_part *part, struct buf *out)
{
    struct making *m = arg;
    m->flat->part = *part;
    flat_text(m->flat, out);
    chain_ends_text(&m->sampling->sampled, out);
    return 0;
}

static int write_table(struct making *m)
{
    const struct sampling_view *v = m->view;
    SCOPED(flat_release)
    struct flat_report flat = {.by = v->by,
                               .frames_at = sampling_frames_at,
                               .frames_arg = m->sampling,
                               .row_made = unload_read,
                               .only_module = v->module,
                               .whole = v->whole,
                               .kernel = v->kernel,
                               .width = v->size.width,
                               .method = m->sampling->method,
                               .mode = m->sampling->mode,
                               .names = &m->names};
    int r = flat_make(&m->sampling->sampled, &flat);
    m->flat = &flat;
    symbols_unload_all(&m->sampling->symbols); /* rows have copies of names */
    if (r < 0)
        fail_set(m->f, -r, "report");
    else if (v->json)
        flat_json(&flat, m->out);
    else
        r = report_fit(&v->size, render_flat, m, m->out);
    return r;
}

static int report_places(void *arg)
{
    struct making *m = arg;
    return m->view->form == SAMPLING_ANNOTATE
               ? sampling_annotate(m->sampling, m->view, &m->names, m->out, m->f)
               : write_table(m);
}

int sampling_report(struct sampling *s, const struct sampling_view *view, struct buf *out,
                    struct fail *f)
{
    struct making m = {.sampling = s, .view = view, .out = out, .f = f};
    if (view->form != SAMPLING_FLAT && view->form != SAMPLING_ANNOTATE)
        return report_stacks(&m);
    return run_guarded(report_places, &m);
}

static int annotate_guarded(void *arg)
{
    struct making *m = arg;
    return sampling_annotate_rows(m->sampling, m->view, &m->names, m->rows, m->f);
}

int sampling_annotated(struct sampling *s, const struct sampling_view *view,
                       struct annotate_text *out, struct fail *f)
{
    struct making m = {.sampling = s, .view = view, .rows = out, .f = f};
    *out = (struct annotate_text){0};
    return run_guarded(annotate_guarded, &m);
}

/* --- a bundle --- */

struct bundling {
    struct sampling *sampling;
    struct intern named, positions;
    struct frames frames;
    struct buf *out;
};

static void bundle_place(struct bundling *b, struct module *m, uint64_t vaddr)
{
    size_t before = b->positions.count;
    intern(&b->positions, (uint64_t[]){m->id, vaddr});
    if (b->positions.count == before)
        return;
    frames_clear(&b->frames);
    sampling_frames(b->sampling, m, vaddr, &b->frames);
    recording_symbol_at(b->out, m, vaddr, &b->named);
    if (b->frames.count && b->frames.frame[0].file)
        recording_place(b->out, m->id, vaddr, &b->frames);
}

static int bundle_all(void *arg)
{
    struct bundling *b = arg;
    const struct sampled *s = &b->sampling->sampled;
    uint64_t vaddr;
    for (size_t i = 0; i < s->mapped.modules.count; i++) {
        const struct module *m = s->mapped.modules.module[i];
        if (m->elf && m->ready)
            recording_text(b->out, i, module_text(m));
    }
    for (size_t i = 0; i < s->nodes.count; i++) {
        const struct sampled_node *n = sampled_node_at(s, (uint32_t)i);
        struct module *m = sampled_module(s, n->module);
        if (m && module_vaddr(m, n->offset, &vaddr))
            bundle_place(b, m, vaddr);
    }
    return 0;
}

int sampling_bundle(struct sampling *s, struct buf *out, struct fail *f)
{
    struct fail crash;
    struct bundling b = {.sampling = s,
                         .named = {.each = 16, .key = 16},
                         .positions = {.each = 16, .key = 16},
                         .out = out};
    symbols_drop_truncated(&s->sampled.mapped.modules);
    int r = guard_call(bundle_all, &b, &crash);
    if (r == -EFAULT)
        fail_set(f, 0, "bundle: %s", crash.what);
    frames_release(&b.frames);
    intern_release(&b.named);
    intern_release(&b.positions);
    return r;
}
