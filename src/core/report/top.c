/* The rows of a live table. */
#include "core/report/top.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "top_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void top_init(struct top *t, struct demangler *names)
{
    const struct intern rows = {.each = sizeof(struct top_row), .key = sizeof(struct top_key)};
    *t = (struct top){.names = names, .table = {.places = rows, .tasks = rows}};
}

void top_release(struct top *t)
{
    free(t->table.weight);
    free(t->table.change);
    free(t->table.function);
    free(t->table.shown);
    intern_release(&t->table.places);
    intern_release(&t->table.tasks);
    intern_release(&t->table.names);
    intern_release(&t->table.task_names);
    *t = (struct top){0};
}

/* --- rows --- */

static struct top_row *row_at(struct top *t, struct intern *rows, const struct top_row *row)
{
    uint32_t i = intern(rows, row);
    if (i == INTERN_NONE) {
        t->err = -ENOMEM;
        return NULL;
    }
    return (struct top_row *)rows->record + i;
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

static const char *intern_name(struct top *t, struct intern *names, const char *of)
{
    const char *own = intern_copy(names, of);
    if (!own)
        t->err = -ENOMEM;
    return own ? own : "";
}

static const char *module_name(struct top *t, const struct sampled *s, const struct module *m)
{
    SCOPED_BUF name = BUF_INIT;
    buf_adds(&name, m->name);
    module_owner(m, s->want.pid, &name);
    return intern_name(t, &t->table.names, buf_str(&name));
}

static const char *function_name(struct top *t, const struct module *m, uint64_t offset)
{
    char start[32];
    struct symbol s;
    uint64_t vaddr, first;
    if (!m)
        return intern_name(t, &t->table.names, "(no module)");
    if (!module_vaddr(m, offset, &vaddr))
        return intern_name(t, &t->table.names, "(no symbol)");
    if (module_symbol(m, vaddr, &s))
        return intern_name(t, &t->table.names, demangled(t->names, s.name));
    if (!module_function_start(m, vaddr, &first))
        return intern_name(t, &t->table.names, "(no symbol)");
    snprintf(start, sizeof start, "0x%" PRIx64, first);
    return intern_name(t, &t->table.names, start);
}

/* Its number + 1; 0: no memory. */
static uint32_t make_function_row(struct top *t, const struct sampled *s,
                                  const struct sampled_node *n)
{
    const struct module *m = sampled_module(s, n->module);
    const char *name = function_name(t, m, n->offset);
    struct top_row row = new_row(TOP_FUNCTION, (uintptr_t)name, n->module);
    row.name = name;
    row.module = m ? module_name(t, s, m) : NULL;
    row.kernel = m && m->kernel;
    const struct top_row *at = row_at(t, &t->table.places, &row);
    return at ? (uint32_t)(at - (struct top_row *)t->table.places.record) + 1 : 0;
}

/* Looked for once a node. */
static struct top_row *function_row(struct top *t, const struct sampled *s, uint32_t node)
{
    uint32_t *row;
    if (!grow_zeroed(&t->table.function, &t->table.nodes, (size_t)node + 1, sizeof *row)) {
        t->err = -ENOMEM;
        return NULL;
    }
    row = &t->table.function[node];
    if (!*row)
        *row = make_function_row(t, s, sampled_place(s, node));
    return *row ? (struct top_row *)t->table.places.record + *row - 1 : NULL;
}

static struct top_row *module_row(struct top *t, const struct sampled *s, uint32_t module)
{
    const struct module *m = sampled_module(s, module);
    struct top_row row = new_row(TOP_MODULE, module, 0);
    row.name = m ? module_name(t, s, m) : "(no module)";
    row.kernel = m && m->kernel;
    return row_at(t, &t->table.places, &row);
}

static const char *task_name(struct top *t, const struct sampled_thread *of, uint32_t id)
{
    char name[64];
    const char *own = of->name[0] ? of->name : "?";
    if (!sampled_has_pid(of))
        return intern_name(t, &t->table.task_names, own);
    snprintf(name, sizeof name, "%s %" PRIu32, own, id);
    return intern_name(t, &t->table.task_names, name);
}

static uint64_t thread_id(const struct sampled_thread *of)
{
    return (uint64_t)of->pid << 32 | of->tid;
}

/* Its name may change by an exec. */
static struct top_row *thread_row(struct top *t, const struct sampled *s, uint32_t index)
{
    const struct sampled_thread *of = &s->threads.thread[index];
    struct top_row row = new_row(TOP_THREAD, thread_id(of), 0);
    struct top_row *at = row_at(t, &t->table.tasks, &row);
    if (at)
        at->name = task_name(t, of, of->tid);
    return at;
}

static struct top_row *process_row(struct top *t, const struct sampled *s, uint32_t index)
{
    const struct sampled_thread *of = &s->threads.thread[index];
    struct top_row row = new_row(TOP_PROCESS, of->pid, 0);
    struct top_row *at = row_at(t, &t->table.tasks, &row);
    if (at && (!at->name || of->tid == of->pid))
        at->name = task_name(t, of, of->pid);
    return at;
}

/* --- which cells a row has --- */

static bool is_inside(const struct top *t, const struct sampled *s, const struct sampled_cell *c)
{
    switch (t->view.inside.by) {
    case TOP_MODULE:
        return sampled_place(s, c->node)->module == t->view.inside.id;
    case TOP_THREAD:
        return thread_id(&s->threads.thread[c->set]) == t->view.inside.id;
    default:
        return s->threads.thread[c->set].pid == t->view.inside.id;
    }
}

static struct top_row *row_of(struct top *t, const struct sampled *s, const struct sampled_cell *c)
{
    switch (t->view.into ? TOP_FUNCTION : t->view.by) {
    case TOP_FUNCTION:
        return function_row(t, s, c->node);
    case TOP_MODULE:
        return module_row(t, s, sampled_place(s, c->node)->module);
    case TOP_THREAD:
        return thread_row(t, s, c->set);
    default:
        return process_row(t, s, c->set);
    }
}

/* The row that a cell is shown in; NULL: none. */
static struct top_row *shown_row(struct top *t, size_t cell)
{
    const struct sampled *s = t->table.sampled;
    const struct sampled_cell *c = sampled_cell_at(s, cell);
    return t->view.into && !is_inside(t, s, c) ? NULL : row_of(t, s, c);
}

static void clear_now(struct top *t)
{
    struct top_row *row = top_rows(t)->record;
    for (size_t i = 0; i < top_rows(t)->count; i++)
        row[i].now = 0;
}

static void clear_rows(struct top *t)
{
    struct top_row *row = top_rows(t)->record;
    for (size_t i = 0; i < top_rows(t)->count; i++)
        row[i].now = row[i].total = row[i].wait = 0;
}

static void add_total(struct top *t, size_t cell, uint64_t weight)
{
    struct top_row *row = weight ? shown_row(t, cell) : NULL;
    if (!row)
        return;
    row->total += weight;
    row->wait += sampled_is_wait(t->table.sampled, sampled_cell_at(t->table.sampled, cell)->node)
                     ? weight
                     : 0;
}

static void add_now(struct top *t, const struct top_change *change)
{
    struct top_row *row = shown_row(t, change->cell);
    if (row)
        row->now += change->now;
}

void top_sum(struct top *t)
{
    clear_rows(t);
    for (size_t i = 0; i < t->table.cells; i++)
        add_total(t, i, t->table.weight[i]);
    for (size_t i = 0; i < t->table.changes; i++)
        add_now(t, &t->table.change[i]);
    top_settle(t);
}

/* --- an update --- */

static void count_change(struct top *t, const struct sampled *s, const struct top_change *change)
{
    uint32_t node = sampled_cell_at(s, change->cell)->node;
    const struct module *m = sampled_module(s, sampled_node_at(s, node)->module);
    t->sum.now += change->now;
    t->sum.now_kernel += m && m->kernel ? change->now : 0;
    t->sum.now_wait += sampled_is_wait(s, node) ? change->now : 0;
}

static void take_cell(struct top *t, const struct sampled *s, uint32_t cell)
{
    uint64_t weight = sampled_cell_at(s, cell)->weight;
    struct top_change change = {cell, weight - t->table.weight[cell]};
    if (!change.now)
        return;
    if (!GROW_ADD(t->table.change, t->table.change_cap, t->table.changes, change)) {
        t->err = -ENOMEM;
        return;
    }
    t->table.weight[cell] = weight;
    count_change(t, s, &change);
    add_total(t, cell, change.now);
    add_now(t, &change);
}

/* All cells when it is not known which were counted. */
static void take_cells(struct top *t, const struct sampled *s)
{
    t->table.changes = 0;
    for (size_t i = 0; s->recent.overrun && i < s->cells.count; i++)
        take_cell(t, s, (uint32_t)i);
    for (size_t i = 0; !s->recent.overrun && i < s->recent.count; i++)
        take_cell(t, s, s->recent.cell[i]);
}

static bool add_cells(struct top *t, const struct sampled *s)
{
    if (!grow_to(&t->table.weight, &t->table.cell_cap, s->cells.count, sizeof *t->table.weight))
        return false;
    for (; t->table.cells < s->cells.count; t->table.cells++)
        t->table.weight[t->table.cells] = 0;
    return true;
}

bool top_update(struct top *t, const struct sampled *s, uint64_t time_ns)
{
    if (t->view.paused)
        return false;
    if (!add_cells(t, s)) {
        t->err = -ENOMEM;
        return false;
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
    clear_now(t);
    take_cells(t, s);
    top_settle(t);
    return true;
}

/* Each becomes one before it, or stays. */
static void move_cells(struct top *t, const uint32_t *moved)
{
    size_t cells = 0;
    for (size_t i = 0; i < t->table.cells; i++) {
        uint64_t weight = t->table.weight[i];
        t->table.weight[i] = 0;
        t->table.weight[moved[i]] += weight;
        cells = moved[i] >= cells ? (size_t)moved[i] + 1 : cells;
    }
    t->table.cells = cells;
    for (size_t i = 0; i < t->table.changes; i++)
        t->table.change[i].cell = moved[t->table.change[i].cell];
}

void top_moved(struct top *t, const uint32_t *moved)
{
    move_cells(t, moved);
    intern_release(&t->table.tasks);
    intern_release(&t->table.task_names);
    top_sum(t);
}

/* --- modules that left --- */

/* Rows and their names, as far as they stay. */
struct remaining {
    const struct forgotten *forgotten;
    struct intern places, names;
    uint32_t *row;      /* of each row of places: what it became, + 1; 0: it left */
    uint32_t *function; /* as top_table.function, of each node as it is now */
    size_t nodes;
};

static uint32_t module_to(const struct remaining *r, uint64_t module)
{
    return module == SAMPLED_OUTSIDE ? SAMPLED_OUTSIDE : r->forgotten->module[module];
}

static bool keep_row(struct remaining *r, size_t i, struct top_row row)
{
    bool is_function = row.key.by == TOP_FUNCTION;
    uint32_t module = module_to(r, is_function ? row.key.module : row.key.id);
    if (module == UINT32_MAX)
        return true;
    row.name = intern_copy(&r->names, row.name);
    row.module = row.module ? intern_copy(&r->names, row.module) : NULL;
    row.key.module = is_function ? module : 0;
    row.key.id = is_function ? (uintptr_t)row.name : module;
    uint32_t at = intern(&r->places, &row);
    r->row[i] = at + 1;
    return at != INTERN_NONE && !r->names.err;
}

static bool keep_rows(struct remaining *r, const struct top_table *of)
{
    r->places = (struct intern){.each = of->places.each, .key = of->places.key};
    r->row = calloc(of->places.count + 1, sizeof *r->row);
    bool whole = r->row;
    for (size_t i = 0; whole && i < of->places.count; i++)
        whole = keep_row(r, i, ((const struct top_row *)of->places.record)[i]);
    return whole;
}

static bool keep_functions(struct remaining *r, const struct top_table *of)
{
    for (size_t i = 0; i < of->nodes; i++) {
        if (!of->function[i])
            continue;
        size_t node = r->forgotten->node[i];
        if (!grow_zeroed(&r->function, &r->nodes, node + 1, sizeof *r->function))
            return false;
        r->function[node] = r->row[of->function[i] - 1];
    }
    return true;
}

/* Without memory rows are made anew, by the symbols. */
void top_forgot(struct top *t, const struct forgotten *f)
{
    struct top_table *of = &t->table;
    struct remaining r = {.forgotten = f};
    move_cells(t, f->cell);
    if (t->view.into && t->view.inside.by == TOP_MODULE)
        t->view.inside.id = module_to(&r, t->view.inside.id);
    if (!keep_rows(&r, of) || !keep_functions(&r, of)) {
        t->err = -ENOMEM;
        intern_release(&r.places);
        intern_release(&r.names);
        free(r.function);
        r.function = NULL;
        r.nodes = 0;
    }
    free(r.row);
    free(of->function);
    intern_release(&of->places);
    intern_release(&of->names);
    of->places = r.places;
    of->names = r.names;
    of->function = r.function;
    of->nodes = r.nodes;
    demangler_forget(t->names);
    top_sum(t);
}

static bool is_of_module(const struct top_row *row, uint32_t module)
{
    return row->key.by == TOP_FUNCTION ? row->key.module == module
                                       : row->key.by == TOP_MODULE && row->key.id == module;
}

bool top_shows_module(const struct top *t, uint32_t module, int height)
{
    size_t end = t->view.list.first + (size_t)top_row_lines(height);
    for (size_t i = t->view.list.first; i < end && i < t->view.list.count; i++)
        if (is_of_module(top_shown(t, i), module))
            return true;
    return t->view.into && t->view.inside.by == TOP_MODULE && t->view.inside.id == module;
}
