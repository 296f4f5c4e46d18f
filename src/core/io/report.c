#include "rows.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER_MS = 10000 };

/* In the precision of the original, whose digits these are to be. */
static double kb_per_second(uint64_t bytes, uint64_t ns)
{
    float rate = (float)((float)bytes / ((float)ns / 1e9 + 1e-6));
    return rate / 1024.0;
}

static uint64_t all_time(const struct io_counts *c, uint64_t *count)
{
    uint64_t ns = 0;
    *count = 0;
    for (size_t i = 0; i < IO_MESSAGES; i++) {
        ns += c->kind[i].total_ns;
        *count += c->kind[i].count;
    }
    return ns;
}

static void print_totals(const struct io_counts *c, bool calls, struct buf *out)
{
    uint64_t count, ns = all_time(c, &count);
    buf_printf(out, "\nread      %" PRIu64 " bytes, %.7g Kb/sec\n", c->read_bytes,
               kb_per_second(c->read_bytes, c->kind[IO_READ].total_ns));
    buf_printf(out, "write     %" PRIu64 " bytes, %.7g Kb/sec\n", c->written_bytes,
               kb_per_second(c->written_bytes, c->kind[IO_WRITE].total_ns));
    if (calls)
        buf_adds(out, "protocol  n/a\n");
    else
        buf_printf(out, "protocol  %" PRIu64 " bytes, %.7g Kb/sec\n", c->protocol,
                   kb_per_second(c->protocol, ns));
    buf_printf(out, "rpc       %" PRIu64 " count\n", count);
}

/* Three decimals where rounding to an integer would show 0. */
static void print_milliseconds(uint64_t ns, bool plan9, struct buf *out)
{
    if (ns < NS_PER_MS && ns && !plan9)
        buf_printf(out, " %5.3f", (double)(ns / 1000) / 1000);
    else
        buf_printf(out, " %5" PRIu64, ns / NS_PER_MS);
}

static void print_kind(const struct io_kind *k, enum io_message m,
                       const struct io_report_options *w, struct buf *out)
{
    bool plan9 = w->plan9;
    uint64_t low_ns = k->timed || !plan9 ? k->low_ns : (uint64_t)NEVER_MS * NS_PER_MS;
    uint64_t average_ns = k->total_ns / k->count;
    if (plan9) /* in milliseconds */
        average_ns = k->total_ns / NS_PER_MS / k->count * NS_PER_MS;
    buf_printf(out, "%-10s %5" PRIu64, io_message_name(m), k->count);
    print_milliseconds(low_ns, plan9, out);
    print_milliseconds(k->high_ns, plan9, out);
    print_milliseconds(k->total_ns, plan9, out);
    print_milliseconds(average_ns, plan9, out);
    if (w->calls)
        buf_printf(out, " ms %8s %8s\n", "n/a", "n/a");
    else
        buf_printf(out, " ms %8" PRIu64 " %8" PRIu64 " bytes\n", k->request, k->reply);
}

static void print_kinds(const struct io_counts *c, const struct io_report_options *w,
                        struct buf *out)
{
    buf_printf(out, "\n%-10s %5s %5s %5s %5s %5s          T       R\n", "Message", "Count", "Low",
               "High", "Time", "Averg");
    for (int m = 0; m < IO_MESSAGES; m++)
        if (c->kind[m].count)
            print_kind(&c->kind[m], (enum io_message)m, w, out);
}

static void print_amounts(const struct io_file *f, struct buf *out)
{
    buf_printf(out, "%5" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " ", f->opens,
               f->reads, f->read_bytes, f->writes, f->written_bytes);
}

static void print_files_head(struct buf *out)
{
    buf_adds(out, "\nOpens    Reads  (bytes)   Writes  (bytes) File\n");
}

static void print_files(const struct io_counts *c, const struct io_report_options *w,
                        struct buf *out)
{
    uint32_t *row = NULL;
    struct io_file rest = {0};
    int rows = io_rows(c, w->sort, &row);
    if (rows < 0)
        out->err = rows;
    if (rows > 0)
        print_files_head(out);
    for (int i = 0; i < rows; i++) {
        const struct io_file *f = &c->file[row[i]];
        if (w->rows && (size_t)i >= w->rows) {
            io_file_add(&rest, f);
            continue;
        }
        print_amounts(f, out);
        io_path_text(intern_string_at(&c->path, row[i]), out);
        buf_addc(out, '\n');
    }
    if (rest.opens) {
        print_amounts(&rest, out);
        buf_printf(out, "(%zu more)\n", (size_t)rows - w->rows);
    }
    free(row);
}

static void print_tree(const struct io_counts *c, const struct io_report_options *w,
                       struct buf *out)
{
    struct io_tree t;
    if (io_tree_of(c, &t) < 0)
        out->err = -ENOMEM;
    size_t shown = w->rows && w->rows < t.count ? w->rows : t.count;
    if (shown)
        print_files_head(out);
    for (size_t i = 0; i < shown; i++) {
        const struct io_branch *b = &t.branch[i];
        print_amounts(&b->sum, out);
        buf_printf(out, "%*s", (int)(b->depth < 40 ? b->depth * 2 : 80), "");
        io_path_text(b->path + b->shown, out);
        buf_adds(out, b->directory && b->path[1] ? "/\n" : "\n");
    }
    if (shown < t.count)
        buf_printf(out, "%45s(%zu more)\n", "", t.count - shown);
    io_tree_release(&t);
}

static void print_histogram(const struct io_latency *l, uint64_t count, struct buf *out)
{
    static const char bar[] = "########################################";
    for (unsigned i = 0; i < 62; i++) {
        uint64_t n = io_latency_octave(l, (uint64_t)1 << i);
        if (n)
            buf_printf(out, "  %13.3f us %10" PRIu64 " %.*s\n", (double)((uint64_t)1 << i) / 1000,
                       n, (int)((n * 40 + count - 1) / count), bar);
    }
}

static void print_latencies(const struct io_counts *c, struct buf *out)
{
    static const double share[] = {0.5, 0.9, 0.99, 0.999};
    for (int m = 0; m < IO_MESSAGES; m++) {
        const struct io_kind *k = &c->kind[m];
        if (!k->timed)
            continue;
        buf_printf(out, "\n%s: %" PRIu64 " timed, us", io_message_name((enum io_message)m),
                   k->timed);
        for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
            uint64_t ns = io_latency_quantile(&k->latency, share[i]);
            buf_printf(out, ", %g%% %.1f", share[i] * 100,
                       (double)(ns < k->high_ns ? ns : k->high_ns) / 1000);
        }
        buf_printf(out, ", max %.1f\n", (double)k->high_ns / 1000);
        print_histogram(&k->latency, k->timed, out);
    }
}

static void print_last_line(const struct io_report_options *options, struct buf *out)
{
    shown_printf(out, "\n%s counted by %s", options->unit, options->backend);
    if (options->failed_backend)
        shown_printf(out, ", not by %s", options->failed_backend);
    shown_printf(out, "; not counted: %s\n", options->uncounted ? options->uncounted : "nothing");
}

void io_report_text(const struct io_counts *counts, const struct io_report_options *options,
                    struct buf *out)
{
    print_totals(counts, options->calls, out);
    print_kinds(counts, options, out);
    if (options->tree)
        print_tree(counts, options, out);
    else
        print_files(counts, options, out);
    if (options->latency)
        print_latencies(counts, out);
    if (counts->lost)
        buf_printf(out, "\n%" PRIu64 " opens of files are in no row: no memory\n", counts->lost);
    if (options->truncated)
        shown_printf(out, "\nnot all was written: %s\n", options->truncated);
    if (options->backend && !options->plan9)
        print_last_line(options, out);
}
