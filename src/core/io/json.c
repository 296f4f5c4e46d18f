/* What was counted, as JSON. */
#include "rows.h"

#include "core/base/buf.h"
#include "core/text/json.h"

#include <errno.h>
#include <stdlib.h>

static void write_shares(const struct io_kind *k, struct json *j)
{
    json_u64(j, "p50_ns", io_latency_quantile(&k->latency, 0.5));
    json_u64(j, "p90_ns", io_latency_quantile(&k->latency, 0.9));
    json_u64(j, "p99_ns", io_latency_quantile(&k->latency, 0.99));
    json_array(j, "histogram");
    for (unsigned i = 0; i < 62; i++) {
        uint64_t from = (uint64_t)1 << i, n = io_latency_octave(&k->latency, from);
        if (!n)
            continue;
        json_object(j, NULL);
        json_u64(j, "from_ns", i ? from : 0);
        json_u64(j, "count", n);
        json_object_end(j);
    }
    json_array_end(j);
}

/* null where no message has bytes. */
static void write_bytes(const struct io_report_options *w, const char *key, uint64_t n,
                        struct json *j)
{
    if (w->calls)
        json_null(j, key);
    else
        json_u64(j, key, n);
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
        json_str(j, "message", io_message_name((enum io_message)m));
        json_u64(j, "count", k->count);
        json_u64(j, "errors", k->errors);
        json_u64(j, "timed", k->timed);
        json_u64(j, "low_ns", k->low_ns);
        json_u64(j, "high_ns", k->high_ns);
        json_u64(j, "time_ns", k->total_ns);
        write_bytes(w, "request_bytes", k->request, j);
        write_bytes(w, "reply_bytes", k->reply, j);
        write_shares(k, j);
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_amounts(const struct io_file *f, struct json *j)
{
    json_u64(j, "opens", f->opens);
    json_u64(j, "reads", f->reads);
    json_u64(j, "read_bytes", f->read_bytes);
    json_u64(j, "writes", f->writes);
    json_u64(j, "written_bytes", f->written_bytes);
}

static void write_files(const struct io_counts *c, const struct io_report_options *w,
                        struct buf *out, struct json *j)
{
    uint32_t *row = NULL;
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
    free(row);
}

static void write_tree(const struct io_counts *c, const struct io_report_options *w,
                       struct buf *out, struct json *j)
{
    struct io_tree t;
    if (io_tree_of(c, w, &t) < 0)
        out->err = -ENOMEM;
    json_array(j, "tree");
    for (size_t i = 0; i < t.count; i++) {
        json_object(j, NULL);
        json_str(j, "path", t.branch[i].path);
        json_bool(j, "directory", t.branch[i].directory);
        write_amounts(&t.branch[i].sum, j);
        json_object_end(j);
    }
    json_array_end(j);
    io_tree_release(&t);
}

void io_report_json(const struct io_counts *counts, const struct io_report_options *options,
                    struct buf *out)
{
    struct json j;
    json_start(&j, out, "iostats");
    json_str(&j, "method", options->backend ? options->backend : "9p");
    json_str(&j, "unit", options->unit ? options->unit : "messages");
    if (options->failed_backend)
        json_str(&j, "not_by", options->failed_backend);
    json_u64(&j, "lost", counts->lost);
    if (options->uncounted)
        json_str(&j, "uncounted", options->uncounted);
    if (options->truncated)
        json_str(&j, "cut", options->truncated);
    json_u64(&j, "read_bytes", counts->read_bytes);
    json_u64(&j, "written_bytes", counts->written_bytes);
    write_bytes(options, "protocol_bytes", counts->protocol, &j);
    write_kinds(counts, options, &j);
    if (options->tree)
        write_tree(counts, options, out, &j);
    else
        write_files(counts, options, out, &j);
    json_end(&j);
}
