#include "core/io/failed.h"

#include "core/base/buf.h"
#include "core/base/errno_name.h"
#include "core/base/sort.h"
#include "core/containers/intern.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/name_fit.h"
#include "core/text/shown.h"
#include "rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct failed_row {
    const char *call, *program, *path; /* of the set: equal ones are the same pointers */
    uintptr_t error;                   /* as wide as these: the key has no padding */
    uint64_t count;                    /* not of the key */
};

struct io_failed {
    struct intern row, text;
    uint64_t unkept; /* calls beyond the limit, or for want of memory */
};

struct io_failed *io_failed_new(void)
{
    struct io_failed *failed = calloc(1, sizeof *failed);
    if (failed)
        failed->row = (struct intern){.each = sizeof(struct failed_row),
                                      .key = offsetof(struct failed_row, count)};
    return failed;
}

void io_failed_free(struct io_failed *failed)
{
    if (!failed)
        return;
    intern_release(&failed->row);
    intern_release(&failed->text);
    free(failed);
}

/* NULL: it is not kept. */
static struct failed_row *row_of(struct io_failed *failed, const struct io_failure *one)
{
    struct failed_row row = {.call = one->call,
                             .program = intern_copy(&failed->text, one->program),
                             .path = intern_copy(&failed->text, one->path),
                             .error = (uintptr_t)one->error};
    if (!row.program || !row.path)
        return NULL;
    uint32_t i = intern_find(&failed->row, &row);
    if (i == INTERN_NONE && failed->row.count < IO_FAILED_ROWS)
        i = intern(&failed->row, &row);
    return i == INTERN_NONE ? NULL : &((struct failed_row *)failed->row.record)[i];
}

void io_failed_add(struct io_failed *failed, const struct io_failure *one)
{
    struct failed_row *row = row_of(failed, one);
    if (row)
        row->count++;
    else
        failed->unkept++;
}

/* --- in order --- */

static int compare_paths(const void *pa, const void *pb)
{
    const struct failed_row *a = *(const struct failed_row *const *)pa,
                            *b = *(const struct failed_row *const *)pb;
    return strcmp(a->path, b->path) ?:
           strcmp(a->call, b->call) ?:
           ORDER(a->error, b->error) ?:
           strcmp(a->program, b->program);
}

static int compare_counts(const void *pa, const void *pb)
{
    const struct failed_row *a = *(const struct failed_row *const *)pa,
                            *b = *(const struct failed_row *const *)pb;
    return ORDER(b->count, a->count) ?: compare_paths(pa, pb);
}

struct failed_rows {
    const struct failed_row **row;
    size_t count;
    uint64_t calls; /* of them all */
};

static int rows_of(const struct io_failed *failed, const struct io_report_options *w,
                   struct failed_rows *out)
{
    const struct failed_row *all = failed->row.record;
    *out = (struct failed_rows){.row = calloc(failed->row.count + 1, sizeof(void *))};
    if (!out->row)
        return -ENOMEM;
    for (size_t i = 0; i < failed->row.count; i++) {
        if (!io_path_wanted(w, all[i].path))
            continue;
        out->row[out->count++] = &all[i];
        out->calls += all[i].count;
    }
    sort_array(out->row, out->count, sizeof(void *),
               w->sort == IO_SORT_NAME ? compare_paths : compare_counts);
    return 0;
}

static const char *name_of(const struct failed_row *row, char number[24])
{
    const char *name = errno_name((int)row->error);
    snprintf(number, 24, "error %d", (int)row->error);
    return name ? name : number;
}

/* --- as text --- */

enum { PROGRAM_COLUMNS = 15, PATH_COLUMN = 46 };

static void print_row(const struct failed_row *row, size_t width, struct buf *out)
{
    char number[24];
    SCOPED_BUF path = BUF_INIT;
    size_t before = out->len;
    buf_printf(out, "%6" PRIu64 " %-11s %-10s ", row->count, name_of(row, number), row->call);
    shown_printf(out, "%-*s ", PROGRAM_COLUMNS, row->program);
    size_t taken = text_columns(out->data + before, out->len - before);
    io_path_text(row->path, &path);
    name_fit(out, buf_str(&path), !width ? 0 : width > taken ? width - taken : 1);
    buf_addc(out, '\n');
}

static void print_rows(const struct failed_rows *rows, const struct io_report_options *w,
                       const struct report_part *part, struct buf *out)
{
    size_t shown = report_shown(rows->count, part->rows, part->fitted);
    uint64_t rest = 0;
    if (rows->count)
        buf_printf(out, "\n%6s %-11s %-10s %-*s %s\n", "Failed", "Error", "Call", PROGRAM_COLUMNS,
                   "Program", "File");
    for (size_t i = 0; i < rows->count; i++)
        if (i < shown)
            print_row(rows->row[i], w->size.width, out);
        else
            rest += rows->row[i]->count;
    if (!rest)
        return;
    buf_printf(out, "%6" PRIu64 "%*s", rest, PATH_COLUMN - 6, "");
    report_rest(out, rows->count - shown, part->fitted);
    buf_addc(out, '\n');
}

struct failed_report {
    const struct io_failed *failed;
    const struct io_report_options *options;
    uint64_t calls;
    struct failed_rows rows;
};

static int render_failed(void *arg, const struct report_part *part, struct buf *out)
{
    const struct failed_report *r = arg;
    print_rows(&r->rows, r->options, part, out);
    buf_printf(out, "\n%s with a file's name failed, of %s about files\n",
               counted(r->rows.calls, "call").text, counted(r->calls, "call").text);
    if (r->failed->unkept)
        buf_printf(out, "%s %s in no row: too many different ones\n",
                   counted(r->failed->unkept, "failed call").text, counted_are(r->failed->unkept));
    if (r->options->truncated)
        shown_printf(out, "not all was written: %s\n", r->options->truncated);
    shown_printf(out, "calls counted by %s; not seen: programs that could not be executed\n",
                 r->options->backend);
    return 0;
}

void io_failed_text(const struct io_failed *failed, uint64_t calls,
                    const struct io_report_options *options, struct buf *out)
{
    struct failed_report report = {.failed = failed, .options = options, .calls = calls};
    if (rows_of(failed, options, &report.rows) < 0)
        out->err = -ENOMEM;
    else
        report_fit(&options->size, render_failed, &report, out);
    free(report.rows.row);
}

/* --- as JSON --- */

static void write_row(const struct failed_row *row, struct json *j)
{
    char number[24];
    json_record(j, NULL, "count call error errno program path", row->count, row->call,
                name_of(row, number), row->error, row->program, row->path);
}

void io_failed_json(const struct io_failed *failed, uint64_t calls,
                    const struct io_report_options *options, struct buf *out)
{
    struct json j;
    struct failed_rows rows;
    if (rows_of(failed, options, &rows) < 0)
        out->err = -ENOMEM;
    size_t shown =
        options->size.rows && options->size.rows < rows.count ? options->size.rows : rows.count;
    json_start(&j, out, "iostats");
    json_members(&j, "method calls failed_calls unkept [cut]", options->backend, calls, rows.calls,
                 failed->unkept, options->truncated);
    json_array(&j, "failed");
    for (size_t i = 0; i < shown; i++)
        write_row(rows.row[i], &j);
    json_array_end(&j);
    json_end(&j);
    free(rows.row);
}
