/* The flat profile as text, in Plan 9's lines. */
#include "flat_report.h"

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/report/flat.h"
#include "core/report/kpdata.h"
#include "core/sample/wait_summary.h"
#include "core/symbol/demangle.h"
#include "core/text/counted.h"
#include "core/text/name_fit.h"
#include "core/text/shown.h"
#include "core/text/text_fold.h"

#include <inttypes.h>
#include <string.h>

/* --- what a row is called --- */

/* Where names start: behind two columns that end in tabs; the first may need a third. */
enum { NAME_COLUMN = 16, TAB = 8 };
static const uint64_t widest_amount = 9999999;

static void name_alone(const struct flat_report *r, const struct flat_row *row, bool in_module,
                       struct buf *out)
{
    if (row->file)
        buf_printf(out, "%s:%" PRIu32, path_last(row->file), row->line);
    else if (row->function)
        buf_adds(out, demangled(r->names, row->function));
    else if (row->start)
        buf_printf(out, "0x%" PRIx64, row->start);
    else
        buf_adds(out, in_module ? "(no symbol)" : "(no module)");
}

/* A module takes a third of the line at most. */
static void module_behind(const struct flat_report *r, const struct flat_row *row,
                          const struct module *m, bool main, struct buf *out)
{
    SCOPED_BUF name = BUF_INIT;
    if (m)
        name_fit(&name, m->name, r->width / 3);
    if (m && row->function && module_jit(m))
        buf_adds(out, " [JIT]");
    else if (m && !main)
        buf_printf(out, m->name[0] == '[' ? " %s" : " [%s]", buf_str(&name));
}

static size_t name_width(const struct flat_report *r, uint64_t amount, const struct buf *behind)
{
    size_t taken = NAME_COLUMN + (amount > widest_amount ? TAB : 0);
    taken += r->sampled->want.waits ? TAB : 0;
    taken += behind->len ? text_columns(behind->data, behind->len) : 0;
    if (!r->width)
        return 0;
    return r->width > taken ? r->width - taken : 1;
}

/* Appends the name of row in module m (NULL: outside every module), safe on a terminal; amount: the
 * number that its line starts with. */
static void flat_name(const struct flat_report *r, const struct flat_row *row,
                      const struct module *m, bool main, uint64_t amount, struct buf *out)
{
    SCOPED_BUF name = BUF_INIT, behind = BUF_INIT, fitting = BUF_INIT;
    name_alone(r, row, m, &name);
    module_behind(r, row, m, main, &behind);
    if (m && !row->function)
        module_owner(m, r->sampled->want.pid, &behind);
    name_fit(&fitting, buf_str(&name), name_width(r, amount, &behind));
    shown_add(out, buf_str(&fitting), fitting.len);
    shown_add(out, buf_str(&behind), behind.len);
}

/* --- the report --- */

enum { INDENT = 2 }; /* of a folded line */

const char flat_header[] = "    ms      %   sym\n";
static const char flat_header_events[] = " count      %   sym\n";

/* Plan 9's percents are cut, not rounded. */
void flat_row_text(struct buf *out, uint64_t ms, uint64_t part, uint64_t whole, const char *name)
{
    buf_printf(out, "%6" PRIu64 "\t%3" PRIu64 ".%" PRIu64 "\t", ms, whole ? 100 * part / whole : 0,
               whole ? 1000 * part / whole % 10 : 0);
    shown_printf(out, "%s\n", name);
}

bool flat_shown(const struct flat_report *r, const struct flat_row *row)
{
    const struct module *m = sampled_module(r->sampled, row->module);
    if (r->kernel && !(m && m->kernel))
        return false;
    return !r->only_module ||
           (m && (strcmp(m->name, r->only_module) == 0 || strcmp(m->path, r->only_module) == 0));
}

static void row_text(const struct flat_report *r, uint64_t weight, uint64_t wait, uint64_t whole,
                     const struct buf *name, struct buf *out)
{
    uint64_t amount = sampled_amount(r->sampled, weight);
    if (r->sampled->want.waits)
        waits_row(r->sampled, weight, wait, whole, buf_str(name), out);
    else
        (r->kernel ? kpdata_row : flat_row_text)(out, amount, weight, whole, buf_str(name));
}

uint64_t flat_weight_shown(const struct flat_report *r, const struct flat *f)
{
    return r->kernel ? flat_kernel_weight(r, f) : f->weight;
}

static const char *header_of(const struct sampled *s)
{
    return s->want.waits ? waits_header : s->event.clock ? flat_header : flat_header_events;
}

static size_t count_shown(const struct flat_report *r, const struct flat *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->rows; i++)
        count += flat_shown(r, &f->row[i]);
    return report_shown(count, r->part.rows, r->part.fitted);
}

static void rows_text(const struct flat_report *r, const struct flat *f, struct buf *out)
{
    SCOPED_BUF name = BUF_INIT;
    size_t printed = 0, more = 0, max_rows = count_shown(r, f);
    uint64_t more_weight = 0, more_wait = 0;
    if (!r->kernel)
        buf_adds(out, header_of(r->sampled));
    uint64_t whole = flat_weight_shown(r, f);
    for (size_t i = 0; i < f->rows; i++) {
        const struct flat_row *row = &f->row[i];
        if (!flat_shown(r, row))
            continue;
        if (printed == max_rows) {
            more++;
            more_weight += row->weight;
            more_wait += row->wait;
            continue;
        }
        buf_clear(&name);
        const struct module *m = sampled_module(r->sampled, row->module);
        flat_name(r, row, m, m == mapped_main(&r->sampled->mapped),
                  sampled_amount(r->sampled, row->weight), &name);
        row_text(r, row->weight, row->wait, whole, &name, out);
        printed++;
    }
    buf_clear(&name);
    report_rest(&name, more, r->part.fitted);
    if (more)
        row_text(r, more_weight, more_wait, whole, &name, out);
}

uint64_t flat_text_base(const struct flat_report *r)
{
    const struct module *m = mapped_main(&r->sampled->mapped);
    return m ? module_text(m) & ~(uint64_t)0xfff : 0;
}

static const char *mode_name(const struct sampled *s)
{
    return !s->want.kernel ? "user" : s->want.no_user ? "kernel" : "CPU";
}

/* What is in no row. */
static void print_totals(const struct sampled *s, struct buf *out)
{
    waits_sums_text(s, "; ", out);
    if (s->accounted.cpu_time_ms && s->event.clock)
        buf_printf(out, "; %" PRIu64 " of %" PRIu64 " ms %s time",
                   sampled_amount(s, sampled_running(s)), s->accounted.cpu_time_ms, mode_name(s));
    if (s->count.own)
        buf_printf(out, "; psuite itself: %" PRIu64 "%s (left out)",
                   sampled_amount(s, s->count.own_weight), s->event.clock ? " ms" : "");
    if (s->loss.throttled)
        buf_printf(out, "; paused %s by the kernel", counted(s->loss.throttled, "time").text);
    if (s->accounted.idle_ms || s->accounted.irq_ms || s->accounted.softirq_ms)
        buf_printf(out,
                   "; kernel accounting of all CPUs: idle %" PRIu64 " ms, interrupts %" PRIu64
                   " ms, softirqs %" PRIu64 " ms",
                   s->accounted.idle_ms, s->accounted.irq_ms, s->accounted.softirq_ms);
    if (s->err || s->mapped.err)
        buf_adds(out, "; more were lost: out of memory");
}

static void last_line(const struct flat_report *r, struct buf *out)
{
    const struct sampled *s = r->sampled;
    SCOPED_BUF line = BUF_INIT;
    shown_printf(&line, "%s, %s", r->method, r->mode);
    if (s->want.hz)
        buf_printf(&line, ", %" PRIu64 " Hz", s->want.hz);
    buf_printf(&line, ": %s, %" PRIu64 " lost, %.1f%% unresolved",
               counted(s->count.samples, "sample").text, s->loss.lost,
               share_pct(r->unresolved, s->count.samples));
    print_totals(s, &line);
    text_fold(out, buf_str(&line), r->width > INDENT ? r->width - INDENT : 0, INDENT);
    buf_addc(out, '\n');
}

static void set_heading(const struct flat_report *r, const struct flat *f, struct buf *out)
{
    const struct sampled *s = r->sampled;
    buf_printf(out, "%s%s ", f == r->flat ? "" : "\n",
               s->want.by == SAMPLED_BY_THREAD ? "thread" : "process");
    if (sampled_has_pid(f->thread))
        buf_printf(out, "%" PRIu32 " ", f->thread->tid);
    shown_printf(out, "%s: %" PRIu64 "%s", f->thread->name,
                 sampled_amount(s, flat_weight_shown(r, f)), s->event.clock ? " ms" : "");
    waits_part(s, f->wait, out);
    buf_addc(out, '\n');
}

/* The sets that have no table. */
static void sets_rest(const struct flat_report *r, size_t from, struct buf *out)
{
    uint64_t weight = 0;
    for (size_t i = from; i < r->flats; i++)
        weight += flat_weight_shown(r, &r->flat[i]);
    bool threads = r->sampled->want.by == SAMPLED_BY_THREAD;
    buf_printf(out, "\n(%s: %" PRIu64 "%s: --rows all)\n",
               counted(r->flats - from, threads ? "more thread" : "more process").text,
               sampled_amount(r->sampled, weight), r->sampled->event.clock ? " ms" : "");
}

static void sets_text(const struct flat_report *r, struct buf *out)
{
    size_t shown = r->part.tables && r->part.tables < r->flats ? r->part.tables : r->flats;
    for (size_t i = 0; i < shown; i++) {
        if (r->flat[i].thread)
            set_heading(r, &r->flat[i], out);
        rows_text(r, &r->flat[i], out);
    }
    if (shown < r->flats)
        sets_rest(r, shown, out);
}

/* False: there are no rows. */
static bool kernel_head(const struct flat_report *r, struct buf *out)
{
    struct flat_kernel k = flat_kernel_of(r);
    uint64_t total = sampled_amount(r->sampled, k.total);
    uint64_t outside = sampled_amount(r->sampled, k.outside);
    kpdata_total(out, total, outside < total ? outside : total);
    if (k.inside)
        kpdata_base(out, flat_text_base(r));
    return k.inside;
}

static bool print_head(const struct flat_report *r, struct buf *out)
{
    if (r->kernel)
        return kernel_head(r, out);
    buf_printf(out, "total: %" PRIu64 "\n", sampled_amount(r->sampled, r->sampled->count.weight));
    if (r->sampled->count.samples && (r->sampled->want.pid || mapped_main(&r->sampled->mapped)))
        buf_printf(out, "TEXT %.8" PRIx64 "\n", flat_text_base(r));
    return r->sampled->count.samples;
}

void flat_text(const struct flat_report *r, struct buf *out)
{
    if (print_head(r, out))
        sets_text(r, out);
    last_line(r, out);
}

/* --- what is the kernel's --- */

uint64_t flat_kernel_weight(const struct flat_report *r, const struct flat *f)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < f->rows; i++) {
        const struct module *m = sampled_module(r->sampled, f->row[i].module);
        if (m && m->kernel)
            weight += f->row[i].weight;
    }
    return weight;
}

struct flat_kernel flat_kernel_of(const struct flat_report *r)
{
    const struct sampled *s = r->sampled;
    struct flat_kernel k = {.total = s->count.weight + s->count.idle_weight + s->count.user_weight +
                                     s->count.own_weight};
    for (size_t i = 0; i < r->flats; i++)
        k.inside += flat_kernel_weight(r, &r->flat[i]);
    k.outside = k.total - k.inside;
    return k;
}
