#include "core/io/processes.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "core/containers/imap.h"
#include "core/text/json.h"
#include "core/text/shown.h"
#include "core/text/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the report. */
enum { CALLS, OPENS, FAILED, READS, READ_BYTES, WRITES, WRITTEN_BYTES, TIME_NS, COUNTS };

struct io_process {
    struct io_processes *all;
    int32_t pid, parent;
    char name[IO_PROCESS_NAME];
    size_t threads; /* that live */
    uint64_t count[COUNTS];
};

struct io_processes {
    struct imap living;      /* pid -> struct io_process * */
    struct io_process **row; /* in the order in which they came */
    size_t rows, cap;
    struct io_process rest; /* those beyond the limit, or for want of memory */
    uint64_t beyond;        /* how many */
};

struct io_processes *io_processes_new(void)
{
    struct io_processes *all = calloc(1, sizeof *all);
    if (all)
        all->rest = (struct io_process){.all = all, .pid = -1};
    return all;
}

void io_processes_free(struct io_processes *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->rows; i++)
        free(all->row[i]);
    free(all->row);
    imap_release(&all->living);
    free(all);
}

/* --- processes --- */

static struct io_process *new_process(struct io_processes *all, const struct io_process_id *id)
{
    uint64_t *slot = all->rows < IO_PROCESS_ROWS ? imap_at(&all->living, (uint32_t)id->pid) : NULL;
    struct io_process *p = slot ? calloc(1, sizeof *p) : NULL;
    if (!p || !GROW_ADD(all->row, all->cap, all->rows, p)) {
        free(p);
        all->beyond++;
        return &all->rest;
    }
    p->all = all;
    p->pid = id->pid;
    p->parent = id->parent;
    io_process_rename(p, id->name);
    *slot = (uintptr_t)p;
    return p;
}

struct io_process *io_processes_begin(struct io_processes *all, const struct io_process_id *id)
{
    uint64_t living = imap_get(&all->living, (uint32_t)id->pid);
    struct io_process *p = living ? (struct io_process *)(uintptr_t)living : new_process(all, id);
    p->threads++;
    return p;
}

void io_process_end(struct io_process *p)
{
    uint64_t *slot;
    if (--p->threads || p == &p->all->rest)
        return;
    slot = imap_at(&p->all->living, (uint32_t)p->pid);
    if (slot)
        *slot = 0;
}

void io_process_rename(struct io_process *p, const char *name)
{
    if (p != &p->all->rest)
        snprintf(p->name, sizeof p->name, "%s", name);
}

void io_process_done(struct io_process *p, const struct io_done *done)
{
    p->count[CALLS]++;
    p->count[FAILED] += done->error;
    p->count[TIME_NS] += ns_between(done->start_ns, done->end_ns);
    if (done->error)
        return;
    p->count[OPENS] += done->message == IO_OPEN || done->message == IO_CREATE;
    p->count[READS] += done->message == IO_READ;
    p->count[WRITES] += done->message == IO_WRITE;
    p->count[READ_BYTES] += done->message == IO_READ ? done->reply : 0;
    p->count[WRITTEN_BYTES] += done->message == IO_WRITE ? done->request : 0;
}

/* --- in order --- */

static uint64_t sort_key(const struct io_process *p, enum io_sort sort)
{
    switch (sort) {
    case IO_SORT_READ:
        return p->count[READ_BYTES];
    case IO_SORT_WRITTEN:
        return p->count[WRITTEN_BYTES];
    case IO_SORT_OPENS:
        return p->count[OPENS];
    case IO_SORT_CALLS:
        return p->count[CALLS];
    default:
        return p->count[READ_BYTES] + p->count[WRITTEN_BYTES];
    }
}

struct sorted {
    const struct io_process *p;
    uint64_t key;
    size_t number;
};

static int compare_keys(const void *pa, const void *pb)
{
    const struct sorted *a = pa, *b = pb;
    return ORDER(b->key, a->key) ?: ORDER(a->number, b->number);
}

static int compare_names(const void *pa, const void *pb)
{
    const struct sorted *a = pa, *b = pb;
    return strcmp(a->p->name, b->p->name) ?: compare_keys(pa, pb);
}

/* Processes that did anything; the caller frees. NULL: no memory. */
static struct sorted *sort_rows(const struct io_processes *all, enum io_sort sort, size_t *count)
{
    struct sorted *list = malloc((all->rows + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < all->rows; i++)
        if (all->row[i]->count[CALLS])
            list[(*count)++] = (struct sorted){all->row[i], sort_key(all->row[i], sort), i};
    if (list)
        sort_array(list, *count, sizeof *list, sort == IO_SORT_NAME ? compare_names : compare_keys);
    return list;
}

static void add_sums(struct io_process *sum, const struct io_process *p)
{
    for (size_t i = 0; i < COUNTS; i++)
        sum->count[i] += p->count[i];
}

/* --- as text --- */

static void print_row(const struct io_process *p, struct text_value first, const char *name,
                      struct table *t)
{
    table_cells(t, first);
    for (size_t i = OPENS; i <= WRITTEN_BYTES; i++)
        table_cells(t, p->count[i]);
    table_cells(t, (double)p->count[TIME_NS] / 1e6, name);
}

struct processes_report {
    const struct io_processes *all;
    const struct io_report_options *options;
    struct sorted *list;
    size_t count;
};

static void fill_table(const struct processes_report *r, const struct report_part *part,
                       struct table *t)
{
    struct io_process sum = r->all->rest, more = r->all->rest;
    size_t shown = report_shown(r->count, part->rows, part->fitted), left = r->count - shown;
    SCOPED_BUF name = BUF_INIT;
    for (size_t i = 0; i < r->count; i++) {
        const struct io_process *p = r->list[i].p;
        add_sums(&sum, p);
        if (i < shown)
            print_row(p, text_value_i64(p->pid), p->name, t);
        else
            add_sums(&more, p);
    }
    if (left + r->all->beyond) {
        report_rest(&name, left + r->all->beyond, part->fitted);
        print_row(&more, text_value_text(""), buf_str(&name), t);
    }
    print_row(&sum, text_value_text(""), "total", t);
}

static int render_processes(void *arg, const struct report_part *part, struct buf *out)
{
    const struct processes_report *r = arg;
    const struct io_report_options *w = r->options;
    SCOPED_BUF left_out = BUF_INIT;
    struct table t;
    table_init(&t, ">pid >opens >failed >reads >read_B >writes >written_B >time_ms.3 <program");
    fill_table(r, part, &t);
    if (w->size.width)
        table_fit(&t, w->size.width, "reads writes failed", &left_out);
    buf_addc(out, '\n');
    int err = table_print(&t, out, 0);
    if (left_out.len)
        buf_printf(out, "not on a line of %zu columns: %s\n", w->size.width, buf_str(&left_out));
    if (w->truncated)
        shown_printf(out, "\nnot all was written: %s\n", w->truncated);
    shown_printf(out, "\ncalls counted by %s; not counted: %s\n", w->backend,
                 w->uncounted ? w->uncounted : "nothing");
    return err;
}

void io_processes_text(const struct io_processes *all, const struct io_report_options *options,
                       struct buf *out)
{
    struct processes_report r = {.all = all, .options = options};
    r.list = sort_rows(all, options->sort, &r.count);
    if (!r.list)
        out->err = -ENOMEM;
    else
        report_fit(&options->size, render_processes, &r, out);
    free(r.list);
}

/* --- as JSON --- */

static void write_amounts(const struct io_process *p, struct json *j)
{
    static const char *const names[COUNTS] = {"calls",      "opens",  "failed",        "reads",
                                              "read_bytes", "writes", "written_bytes", "time_ns"};
    for (size_t i = 0; i < COUNTS; i++)
        json_u64(j, names[i], p->count[i]);
}

static void write_process(const struct io_process *p, struct json *j)
{
    json_object(j, NULL);
    json_members(j, "pid [parent] program", p->pid, p->parent, p->name);
    write_amounts(p, j);
    json_object_end(j);
}

void io_processes_json(const struct io_processes *all, const struct io_report_options *options,
                       struct buf *out)
{
    struct json j;
    struct io_process sum = all->rest;
    size_t count, max_rows = options->size.rows;
    SCOPED_FREE struct sorted *list = sort_rows(all, options->sort, &count);
    if (!list)
        out->err = -ENOMEM;
    json_start(&j, out, "iostats");
    json_members(&j, "method unit [uncounted] [cut] processes_without_row", options->backend,
                 "calls", options->uncounted, options->truncated, all->beyond);
    json_array(&j, "processes");
    for (size_t i = 0; i < count; i++) {
        add_sums(&sum, list[i].p);
        if (!max_rows || i < max_rows)
            write_process(list[i].p, &j);
    }
    json_array_end(&j);
    json_object(&j, "total");
    write_amounts(&sum, &j);
    json_object_end(&j);
    json_end(&j);
}
