/* The rows of a live table. */
#include "core/report/top.h"

#include "core/base/grow.h"
#include "top_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct top_cell {
    uint32_t row; /* of its function, by TOP_FUNCTION */
    uint32_t zero;
    uint64_t weight; /* at the last update */
    uint64_t now;    /* of it: since the one before */
};

void top_init(struct top *t, struct demangler *names)
{
    *t =
        (struct top){.names = names,
                     .table.rows = {.each = sizeof(struct top_row), .key = sizeof(struct top_key)}};
}

void top_release(struct top *t)
{
    intern_release(&t->table.texts);
    free(t->table.cell);
    free(t->table.shown);
    intern_release(&t->table.rows);
    *t = (struct top){0};
}

/* --- rows --- */

static struct top_row *row_at(struct top *t, const struct top_row *row)
{
    uint32_t i = intern(&t->table.rows, row);
    if (i == INTERN_NONE) {
        t->err = -ENOMEM;
        return NULL;
    }
    return (struct top_row *)t->table.rows.record + i;
}

static struct top_row new_row(enum top_by by, uint64_t id, uint32_t module)
{
    struct top_row row;
    memset(&row, 0, sizeof row);
    row.key.id = id;
    row.key.module = module;
    row.key.by = by;
    return row;
}

static const char *intern_text(struct top *t, const char *of)
{
    const char *own = intern_copy(&t->table.texts, of);
    if (!own)
        t->err = -ENOMEM;
    return own ? own : "";
}

static const char *function_name(struct top *t, const struct module *m, uint64_t offset)
{
    char start[32];
    struct symbol s;
    uint64_t vaddr, first;
    if (!m)
        return "(no module)";
    if (!module_vaddr(m, offset, &vaddr))
        return "(no symbol)";
    if (module_symbol(m, vaddr, &s))
        return intern_text(t, demangled(t->names, s.name));
    if (!module_function_start(m, vaddr, &first))
        return "(no symbol)";
    snprintf(start, sizeof start, "0x%" PRIx64, first);
    return intern_text(t, start);
}

static uint32_t function_row(struct top *t, const struct sampled *s, const struct sampled_node *n)
{
    const struct module *m = sampled_module(s, n->module);
    const char *name = function_name(t, m, n->offset);
    struct top_row row = new_row(TOP_FUNCTION, (uintptr_t)name, n->module);
    row.name = name;
    row.module = m ? intern_text(t, m->name) : NULL;
    row.kernel = m && m->kernel;
    const struct top_row *at = row_at(t, &row);
    return at ? (uint32_t)(at - (struct top_row *)t->table.rows.record) : INTERN_NONE;
}

static struct top_row *module_row(struct top *t, const struct sampled *s, uint32_t module)
{
    const struct module *m = sampled_module(s, module);
    struct top_row row = new_row(TOP_MODULE, module, 0);
    row.name = m ? intern_text(t, m->name) : "(no module)";
    row.kernel = m && m->kernel;
    return row_at(t, &row);
}

static const char *task_name(struct top *t, const struct sampled_thread *of, uint32_t id)
{
    char name[64];
    const char *own = of->name[0] ? of->name : "?";
    if (!sampled_has_pid(of))
        return intern_text(t, own);
    snprintf(name, sizeof name, "%s %" PRIu32, own, id);
    return intern_text(t, name);
}

/* Its name may change by an exec. */
static struct top_row *thread_row(struct top *t, const struct sampled *s, uint32_t index)
{
    const struct sampled_thread *of = &s->threads.thread[index];
    struct top_row row = new_row(TOP_THREAD, index, 0);
    struct top_row *at = row_at(t, &row);
    if (at)
        at->name = task_name(t, of, of->tid);
    return at;
}

static struct top_row *process_row(struct top *t, const struct sampled *s, uint32_t index)
{
    const struct sampled_thread *of = &s->threads.thread[index];
    struct top_row row = new_row(TOP_PROCESS, of->pid, 0);
    struct top_row *at = row_at(t, &row);
    if (at && (!at->name || of->tid == of->pid))
        at->name = task_name(t, of, of->pid);
    return at;
}

/* --- an update --- */

static bool is_inside(const struct top *t, const struct sampled *s, const struct sampled_cell *c)
{
    switch (t->view.inside.by) {
    case TOP_MODULE:
        return sampled_place(s, c->node)->module == t->view.inside.id;
    case TOP_THREAD:
        return c->set == t->view.inside.id;
    default:
        return s->threads.thread[c->set].pid == t->view.inside.id;
    }
}

static struct top_row *row_of(struct top *t, const struct sampled *s, const struct sampled_cell *c,
                              const struct top_cell *known)
{
    switch (t->view.into ? TOP_FUNCTION : t->view.by) {
    case TOP_FUNCTION:
        return known->row == INTERN_NONE ? NULL
                                         : (struct top_row *)t->table.rows.record + known->row;
    case TOP_MODULE:
        return module_row(t, s, sampled_place(s, c->node)->module);
    case TOP_THREAD:
        return thread_row(t, s, c->set);
    default:
        return process_row(t, s, c->set);
    }
}

static bool add_cells(struct top *t, const struct sampled *s)
{
    for (; t->table.cells < s->cells.count; t->table.cells++) {
        if (!grow(&t->table.cell, &t->table.cell_cap, t->table.cells, sizeof *t->table.cell))
            return false;
        const struct sampled_cell *c = sampled_cell_at(s, t->table.cells);
        t->table.cell[t->table.cells] =
            (struct top_cell){function_row(t, s, sampled_place(s, c->node)), 0, 0, 0};
    }
    return true;
}

static void clear_rows(struct top *t)
{
    struct top_row *row = t->table.rows.record;
    for (size_t i = 0; i < t->table.rows.count; i++)
        row[i].now = row[i].total = row[i].wait = 0;
}

static void count_cell(struct top *t, const struct sampled *s, size_t i)
{
    const struct sampled_cell *c = sampled_cell_at(s, i);
    const struct sampled_node *n = sampled_node_at(s, c->node);
    const struct module *m = sampled_module(s, n->module);
    t->table.cell[i].now = c->weight - t->table.cell[i].weight;
    t->table.cell[i].weight = c->weight;
    t->sum.now += t->table.cell[i].now;
    t->sum.now_kernel += m && m->kernel ? t->table.cell[i].now : 0;
    t->sum.now_wait += sampled_is_wait(s, c->node) ? t->table.cell[i].now : 0;
}

static void show_cell(struct top *t, size_t i)
{
    const struct sampled_cell *c = sampled_cell_at(t->table.sampled, i);
    if (t->view.into && !is_inside(t, t->table.sampled, c))
        return;
    struct top_row *row = row_of(t, t->table.sampled, c, &t->table.cell[i]);
    if (!row)
        return;
    row->now += t->table.cell[i].now;
    row->total += t->table.cell[i].weight;
    row->wait += sampled_is_wait(t->table.sampled, c->node) ? t->table.cell[i].weight : 0;
}

void top_sum(struct top *t)
{
    clear_rows(t);
    for (size_t i = 0; t->table.sampled && i < t->table.cells; i++)
        show_cell(t, i);
    top_settle(t);
}

void top_update(struct top *t, const struct sampled *s, uint64_t time_ns)
{
    if (t->view.paused)
        return;
    if (!add_cells(t, s)) {
        t->err = -ENOMEM;
        return;
    }
    t->table.sampled = s;
    t->sum.span_ns = time_ns - (t->sum.time_ns ? t->sum.time_ns : t->start_ns);
    t->sum.time_ns = time_ns;
    t->sum.samples = s->count.samples;
    t->sum.now_idle = s->count.idle_weight - t->sum.idle;
    t->sum.idle = s->count.idle_weight;
    t->sum.lost = s->loss.lost;
    t->kernel = s->want.kernel;
    t->clock = s->event.clock;
    t->sum.total = s->count.weight;
    t->waits = s->want.waits;
    t->sum.now = t->sum.now_kernel = t->sum.now_wait = 0;
    for (size_t i = 0; i < t->table.cells; i++)
        count_cell(t, s, i);
    top_sum(t);
}
