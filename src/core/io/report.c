#include "rows.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/text/name_fit.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEVER_MS = 10000 };

/* In the precision of the original, whose digits these are to be. */
static double kb_per_second(uint64_t bytes, uint64_t ns)
{
    float rate = (float)((float)bytes / ((float)ns / 1e9 + 1e-6));
    return rate / 1024.0;
}

static uint64_t all_time(const struct io_counts *c)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < IO_MESSAGES; i++)
        ns += c->kind[i].total_ns;
    return ns;
}

static void print_totals(const struct io_counts *c, bool calls, struct buf *out)
{
    buf_printf(out, "\nread      %" PRIu64 " bytes, %.7g Kb/sec\n", c->read_bytes,
               kb_per_second(c->read_bytes, c->kind[IO_READ].total_ns));
    buf_printf(out, "write     %" PRIu64 " bytes, %.7g Kb/sec\n", c->written_bytes,
               kb_per_second(c->written_bytes, c->kind[IO_WRITE].total_ns));
    if (calls)
        buf_adds(out, "protocol  n/a\n");
    else
        buf_printf(out, "protocol  %" PRIu64 " bytes, %.7g Kb/sec\n", c->protocol,
                   kb_per_second(c->protocol, all_time(c)));
    buf_printf(out, "rpc       %" PRIu64 " count\n", io_counts_operations(c));
}

/* Three decimals where rounding to an integer would show 0. */
static void print_milliseconds(uint64_t ns, bool plan9, struct buf *out)
{
    if (ns < NS_PER_MS && ns && !plan9)
        buf_printf(out, " %5.3f", (double)(ns / 1000) / 1000);
    else
        buf_printf(out, " %5" PRIu64, ns / NS_PER_MS);
}

static void print_kind(const struct io_kind *k, const char *name, const struct io_report_options *w,
                       struct buf *out)
{
    bool plan9 = w->plan9;
    uint64_t low_ns = k->timed || !plan9 ? k->low_ns : (uint64_t)NEVER_MS * NS_PER_MS;
    uint64_t average_ns = k->total_ns / k->count;
    if (plan9) /* in milliseconds */
        average_ns = k->total_ns / NS_PER_MS / k->count * NS_PER_MS;
    buf_printf(out, "%-10s %5" PRIu64, name, k->count);
    print_milliseconds(low_ns, plan9, out);
    print_milliseconds(k->high_ns, plan9, out);
    print_milliseconds(k->total_ns, plan9, out);
    print_milliseconds(average_ns, plan9, out);
    if (w->calls)
        buf_printf(out, " ms %8s %8s\n", "n/a", "n/a");
    else
        buf_printf(out, " ms %8" PRIu64 " %8" PRIu64 " bytes\n", k->request, k->reply);
}

/* How many kinds have more of the time, or as much and come first. */
static size_t rank_of(const struct io_counts *c, int kind)
{
    size_t rank = 0;
    uint64_t ns = c->kind[kind].total_ns;
    for (int m = 0; m < IO_MESSAGES; m++)
        rank += c->kind[m].count &&
                (c->kind[m].total_ns > ns || (c->kind[m].total_ns == ns && m < kind));
    return rank;
}

static size_t count_kinds(const struct io_counts *c)
{
    size_t kinds = 0;
    for (int m = 0; m < IO_MESSAGES; m++)
        kinds += c->kind[m].count > 0;
    return kinds;
}

/* On a terminal those that took the most time, the others in one row. */
static void print_kinds(const struct io_counts *c, const struct io_report_options *w,
                        const struct report_part *part, struct buf *out)
{
    struct io_kind rest = {0};
    size_t kinds = count_kinds(c);
    size_t shown = report_shown(kinds, part->fitted ? part->rows : 0, part->fitted);
    char name[24];
    buf_printf(out, "\n%-10s %5s %5s %5s %5s %5s          T       R\n", "Message", "Count", "Low",
               "High", "Time", "Averg");
    for (int m = 0; m < IO_MESSAGES; m++)
        if (c->kind[m].count && rank_of(c, m) < shown)
            print_kind(&c->kind[m], io_message_name((enum io_message)m), w, out);
        else
            io_kind_add(&rest, &c->kind[m]);
    snprintf(name, sizeof name, "(%zu more)", kinds - shown);
    if (rest.count)
        print_kind(&rest, name, w, out);
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

enum { PATH_COLUMN = 45 };

static void print_path(const char *path, size_t indent, const struct io_report_options *w,
                       struct buf *out)
{
    SCOPED_BUF shown = BUF_INIT;
    size_t taken = PATH_COLUMN + indent, width = w->size.width;
    io_path_text(path, &shown);
    name_fit(out, buf_str(&shown), !width ? 0 : width > taken ? width - taken : 1);
}

/* As io_rows. Of more files than a terminal shows those with the most bytes come first, if no order
 * was asked for. */
static int shown_rows(const struct io_counts *c, const struct io_report_options *w,
                      const struct report_part *part, uint32_t **row)
{
    int rows = io_rows(c, w, w->sort, row);
    if (rows < 0 || w->sorted || !part->fitted ||
        report_shown((size_t)rows, part->rows, true) == (size_t)rows)
        return rows;
    free(*row);
    *row = NULL;
    return io_rows(c, w, IO_SORT_BYTES, row);
}

static void print_files(const struct io_counts *c, const struct io_report_options *w,
                        const struct report_part *part, struct buf *out)
{
    SCOPED_FREE uint32_t *row = NULL;
    struct io_file rest = {0};
    int rows = shown_rows(c, w, part, &row);
    if (rows < 0)
        out->err = rows;
    if (rows > 0)
        print_files_head(out);
    size_t shown = report_shown(rows < 0 ? 0 : (size_t)rows, part->rows, part->fitted);
    for (int i = 0; i < rows; i++) {
        const struct io_file *f = &c->file[row[i]];
        if ((size_t)i >= shown) {
            io_file_add(&rest, f);
            continue;
        }
        print_amounts(f, out);
        print_path(intern_string_at(&c->path, row[i]), 0, w, out);
        buf_addc(out, '\n');
    }
    if (rest.opens) {
        print_amounts(&rest, out);
        report_rest(out, (size_t)rows - shown, part->fitted);
        buf_addc(out, '\n');
    }
}

static void print_tree(const struct io_counts *c, const struct io_report_options *w,
                       const struct report_part *part, struct buf *out)
{
    SCOPED(io_tree_release) struct io_tree t;
    if (io_tree_of(c, w, &t) < 0)
        out->err = -ENOMEM;
    size_t shown = report_shown(t.count, part->rows, part->fitted);
    size_t max_depth = w->size.width ? w->size.width / 8 : 40;
    if (shown)
        print_files_head(out);
    for (size_t i = 0; i < shown; i++) {
        const struct io_branch *b = &t.branch[i];
        print_amounts(&b->sum, out);
        size_t indent = b->depth < max_depth ? b->depth * 2 : max_depth * 2;
        bool slash = b->directory && b->path[1];
        buf_printf(out, "%*s", (int)indent, "");
        print_path(b->path + b->shown, indent + slash, w, out);
        buf_adds(out, slash ? "/\n" : "\n");
    }
    if (shown < t.count) {
        buf_printf(out, "%*s", PATH_COLUMN, "");
        report_rest(out, t.count - shown, part->fitted);
        buf_addc(out, '\n');
    }
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

static void print_latencies(const struct io_counts *c, const struct report_part *part,
                            struct buf *out)
{
    static const double share[] = {0.5, 0.9, 0.99, 0.999};
    size_t shown = 0, more = 0;
    for (int m = 0; m < IO_MESSAGES; m++) {
        const struct io_kind *k = &c->kind[m];
        if (!k->timed)
            continue;
        if (part->tables && shown == part->tables) {
            more++;
            continue;
        }
        shown++;
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
    if (more)
        buf_printf(out, "\n%zu more message%s: --rows all\n", more, more == 1 ? "" : "s");
}

static void print_last_line(const struct io_report_options *options, struct buf *out)
{
    shown_printf(out, "\n%s counted by %s", options->unit, options->backend);
    if (options->failed_backend)
        shown_printf(out, ", not by %s", options->failed_backend);
    shown_printf(out, "; not counted: %s\n", options->uncounted ? options->uncounted : "nothing");
}

struct rendering {
    const struct io_counts *counts;
    const struct io_report_options *options;
};

static int render_report(void *arg, const struct report_part *part, struct buf *out)
{
    const struct rendering *m = arg;
    const struct io_counts *counts = m->counts;
    const struct io_report_options *options = m->options;
    print_totals(counts, options->calls, out);
    print_kinds(counts, options, part, out);
    if (options->tree)
        print_tree(counts, options, part, out);
    else
        print_files(counts, options, part, out);
    if (options->latency)
        print_latencies(counts, part, out);
    if (counts->lost)
        buf_printf(out, "\n%s of files in no row: no memory\n", counted(counts->lost, "open").text);
    if (options->truncated)
        shown_printf(out, "\nnot all was written: %s\n", options->truncated);
    if (options->backend && !options->plan9)
        print_last_line(options, out);
    return 0;
}

void io_report_text(const struct io_counts *counts, const struct io_report_options *options,
                    struct buf *out)
{
    struct rendering m = {counts, options};
    report_fit(&options->size, render_report, &m, out);
}

/* --- the log of every operation --- */

void io_log_line(const struct io_log *line, struct buf *out)
{
    const struct io_done *d = line->done;
    uint64_t at_ns = ns_between(line->origin_ns, d->start_ns);
    uint64_t took_ns = ns_between(d->start_ns, d->end_ns);
    buf_printf(out, "%" PRIu64 ".%06" PRIu64 " %10.1f us %-7s %8" PRIu64 " %8" PRIu64,
               at_ns / NS_PER_S, at_ns % NS_PER_S / NS_PER_US, (double)took_ns / NS_PER_US,
               io_message_name(d->message), d->request, d->reply);
    if (line->path) {
        buf_addc(out, ' ');
        io_path_text(line->path, out);
    }
    if (line->error) {
        buf_adds(out, ": ");
        io_path_text(line->error, out); /* a server's words may be anything */
    }
    buf_addc(out, '\n');
}

bool io_log_detect(const char *bytes, size_t len)
{
    char head[128];
    int read = 0;
    snprintf(head, sizeof head, "%.*s", len < sizeof head ? (int)len : (int)sizeof head - 1, bytes);
    sscanf(head, "%*20[0-9].%*6[0-9] %*20[0-9].%*1[0-9] us %*7[a-z] %*20[0-9] %*20[0-9]%n", &read);
    return len == 0 || read > 0;
}
