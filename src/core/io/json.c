/* What was counted, as JSON. */
#include "rows.h"

#include "core/base/buf.h"
#include "core/text/json.h"

#include <errno.h>
#include <stdlib.h>

static void write_shares(const struct io_kind *k, struct json *j)
{
    json_members(j, "p50_ns p90_ns p99_ns", io_latency_quantile(&k->latency, 0.5),
                 io_latency_quantile(&k->latency, 0.9), io_latency_quantile(&k->latency, 0.99));
    json_array(j, "histogram");
    for (unsigned i = 0; i < 62; i++) {
        uint64_t from = (uint64_t)1 << i, n = io_latency_octave(&k->latency, from);
        if (n)
            json_record(j, NULL, "from_ns count", i ? from : 0, n);
    }
    json_array_end(j);
}

static void write_kinds(const struct io_counts *c, const struct io_report_options *w,
                        struct json *j)
{
    json_array(j, "messages");
    for (int m = 0; m < IO_MESSAGES; m++) {
        const struct io_kind *k = &c->kind[m];
        if (!k->count)
            continue;
        json_object(j, NULL);
        json_members(j,
                     "message count errors timed low_ns high_ns time_ns request_bytes reply_bytes",
                     io_message_name((enum io_message)m), k->count, k->errors, k->timed, k->low_ns,
                     k->high_ns, k->total_ns, text_value_if(!w->calls, k->request),
                     text_value_if(!w->calls, k->reply));
        write_shares(k, j);
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_amounts(const struct io_file *f, struct json *j)
{
    json_members(j, "opens reads read_bytes writes written_bytes", f->opens, f->reads,
                 f->read_bytes, f->writes, f->written_bytes);
}

static void write_files(const struct io_counts *c, const struct io_report_options *w,
                        struct buf *out, struct json *j)
{
    SCOPED_FREE uint32_t *row = NULL;
    int rows = io_rows(c, w, w->sort, &row);
    if (rows < 0)
        out->err = rows;
    json_array(j, "files");
    for (int i = 0; i < rows && (!w->size.rows || (size_t)i < w->size.rows); i++) {
        json_object(j, NULL);
        json_str(j, "path", io_shown_path(intern_string_at(&c->path, row[i])));
        write_amounts(&c->file[row[i]], j);
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_tree(const struct io_counts *c, const struct io_report_options *w,
                       struct buf *out, struct json *j)
{
    SCOPED(io_tree_release) struct io_tree t;
    if (io_tree_of(c, w, &t) < 0)
        out->err = -ENOMEM;
    json_array(j, "tree");
    for (size_t i = 0; i < t.count; i++) {
        json_object(j, NULL);
        json_members(j, "path directory?", t.branch[i].path, t.branch[i].directory);
        write_amounts(&t.branch[i].sum, j);
        json_object_end(j);
    }
    json_array_end(j);
}

void io_report_json(const struct io_counts *counts, const struct io_report_options *options,
                    struct buf *out)
{
    struct json j;
    json_start(&j, out, "iostats");
    json_members(&j,
                 "method unit [not_by] lost [uncounted] [cut] read_bytes written_bytes "
                 "protocol_bytes",
                 options->backend ? options->backend : "9p",
                 options->unit ? options->unit : "messages", options->failed_backend, counts->lost,
                 options->uncounted, options->truncated, counts->read_bytes, counts->written_bytes,
                 text_value_if(!options->calls, counts->protocol));
    write_kinds(counts, options, &j);
    if (options->tree)
        write_tree(counts, options, out, &j);
    else
        write_files(counts, options, out, &j);
    json_end(&j);
}
