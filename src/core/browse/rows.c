/* Lists: functions, modules, threads, processes. */
#include "private.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void browse_rows_add(struct browse_rows *rows, const struct browse_row *row)
{
    if (!GROW_ADD(rows->row, rows->cap, rows->count, *row))
        rows->err = -ENOMEM;
}

void browse_rows_release(struct browse_rows *rows)
{
    free(rows->row);
    buf_release(&rows->names);
    *rows = (struct browse_rows){0};
}

/* --- order --- */

static int by_name(const void *a, const void *b)
{
    const struct browse_row *x = a, *y = b;
    return strcmp(x->name, y->name) ?: strcmp(x->module, y->module) ?: ORDER(x->id, y->id);
}

static int by_self(const void *a, const void *b)
{
    const struct browse_sums *x = &((const struct browse_row *)a)->sums,
                             *y = &((const struct browse_row *)b)->sums;
    return ORDER(y->self, x->self) ?: ORDER(y->total, x->total) ?: by_name(a, b);
}

static int by_total(const void *a, const void *b)
{
    const struct browse_sums *x = &((const struct browse_row *)a)->sums,
                             *y = &((const struct browse_row *)b)->sums;
    return ORDER(y->total, x->total) ?: by_self(a, b);
}

/* --- rows --- */

static void offer(struct browse_rows *rows, const struct browse_pick *pick,
                  const struct browse_row *row)
{
    bool has =
        !pick->text[0] || strcasestr(row->name, pick->text) || strcasestr(row->module, pick->text);
    if (has && (row->sums.self || row->sums.total))
        browse_rows_add(rows, row);
}

static void list_functions(struct browse_rows *rows, const struct browse_graph *g,
                           const struct browse_pick *pick)
{
    for (uint32_t i = 0; i < g->tree.rows.rows; i++) {
        const struct call_row *r = &g->tree.rows.row[i];
        struct browse_row row = {r->name, r->module, i, g->row[i]};
        if (pick->module == UINT32_MAX || g->module_of[i] == pick->module)
            offer(rows, pick, &row);
    }
}

static void list_modules(struct browse_rows *rows, const struct browse_graph *g,
                         const struct browse_pick *pick)
{
    for (uint32_t i = 0; i < g->modules; i++) {
        const char *name = g->module[i][0] ? g->module[i] : "(no module)";
        offer(rows, pick, &(struct browse_row){name, "", i, g->of_module[i]});
    }
}

/* Names are offsets into rows->names until it has all of them. A task of no number has none. */
static void add_task(struct browse_rows *rows, const struct stacks_thread *t, uint32_t number,
                     const struct browse_row *row)
{
    struct browse_row named = *row;
    named.name = (const char *)(uintptr_t)rows->names.len;
    buf_adds(&rows->names, t->name[0] ? t->name : "?");
    if (number <= INT32_MAX)
        buf_printf(&rows->names, " %" PRIu32, number);
    buf_add(&rows->names, "", 1);
    browse_rows_add(rows, &named);
}

/* Those that are counted and have the text. */
static void keep_tasks(struct browse_rows *rows, const struct browse_pick *pick)
{
    size_t count = rows->count;
    if (buf_error(&rows->names)) {
        rows->err = -ENOMEM;
        count = 0;
    }
    rows->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct browse_row row = rows->row[i];
        row.name = rows->names.data + (uintptr_t)row.name;
        offer(rows, pick, &row);
    }
}

static void list_threads(struct browse_rows *rows, const struct browse_graph *g,
                         const struct browse_pick *pick)
{
    const struct stacks *s = g->stacks;
    for (uint32_t i = 0; i < s->threads; i++) {
        struct browse_row row = {NULL, "", i, {g->thread[i], g->thread[i]}};
        if (!pick->scope->by_process || s->thread[i].pid == pick->scope->pid)
            add_task(rows, &s->thread[i], s->thread[i].tid, &row);
    }
    keep_tasks(rows, pick);
}

/* Threads of one process are adjacent, its first thread foremost. */
static int by_process(const void *pa, const void *pb)
{
    const struct stacks_thread *a = *(const struct stacks_thread *const *)pa,
                               *b = *(const struct stacks_thread *const *)pb;
    return ORDER(a->pid, b->pid) ?: ORDER(b->tid == b->pid, a->tid == a->pid) ?: ORDER(a, b);
}

static void add_processes(struct browse_rows *rows, const struct browse_graph *g,
                          const struct stacks_thread **all)
{
    const struct stacks *s = g->stacks;
    for (size_t i = 0, end; i < s->threads; i = end) {
        struct browse_row row = {NULL, "", all[i]->pid, {0}};
        for (end = i; end < s->threads && all[end]->pid == all[i]->pid; end++)
            row.sums.total += g->thread[all[end] - s->thread];
        row.sums.self = row.sums.total;
        add_task(rows, all[i], all[i]->pid, &row);
    }
}

static void list_processes(struct browse_rows *rows, const struct browse_graph *g,
                           const struct browse_pick *pick)
{
    size_t threads = g->stacks->threads;
    const struct stacks_thread **all = malloc((threads + 1) * sizeof *all);
    if (!all) {
        rows->err = -ENOMEM;
        return;
    }
    for (size_t i = 0; i < threads; i++)
        all[i] = &g->stacks->thread[i];
    sort_array(all, threads, sizeof *all, by_process);
    add_processes(rows, g, all);
    free(all);
    keep_tasks(rows, pick);
}

void browse_list(struct browse_rows *rows, const struct browse_graph *g,
                 const struct browse_pick *pick)
{
    rows->count = 0;
    buf_clear(&rows->names);
    if (pick->view == BROWSE_FUNCTIONS)
        list_functions(rows, g, pick);
    else if (pick->view == BROWSE_MODULES)
        list_modules(rows, g, pick);
    else if (pick->view == BROWSE_THREADS)
        list_threads(rows, g, pick);
    else
        list_processes(rows, g, pick);
    sort_array(rows->row, rows->count, sizeof *rows->row,
               pick->sort == BROWSE_BY_NAME    ? by_name
               : pick->sort == BROWSE_BY_TOTAL ? by_total
                                               : by_self);
}
