/* The flat profile as text, in Plan 9's lines, and as JSON. */
#include "core/flat.h"

#include "core/buf.h"
#include "core/chain_ends.h"
#include "core/demangle.h"
#include "core/json.h"
#include "core/kpdata.h"
#include "core/waits_text.h"
#include "flat_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char flat_header[] = "    ms      %   sym\n";
static const char flat_header_events[] = " count      %   sym\n";

/* Plan 9's percents are cut, not rounded. */
void flat_row_text(struct buf *out, uint64_t ms, uint64_t part, uint64_t whole, const char *name)
{
    buf_printf(out, "%6" PRIu64 "\t%3" PRIu64 ".%" PRIu64 "\t%s\n", ms,
               whole ? 100 * part / whole : 0, whole ? 1000 * part / whole % 10 : 0, name);
}

static double pct(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static const struct module *module_of(const struct flat_report *r, const struct flat_row *row)
{
    return sampled_module(r->sampled, row->module);
}

static const struct module *main_module(const struct flat_report *r)
{
    return mapped_main(&r->sampled->mapped);
}

static bool shown(const struct flat_report *r, const struct flat_row *row)
{
    const struct module *m = module_of(r, row);
    if (r->kernel && !(m && m->kernel))
        return false;
    return !r->only_module ||
           (m && (strcmp(m->name, r->only_module) == 0 || strcmp(m->path, r->only_module) == 0));
}

static void name_of(const struct flat_report *r, const struct flat_row *row, struct buf *out)
{
    const struct module *m = module_of(r, row);
    const char *slash = row->file ? strrchr(row->file, '/') : NULL;
    if (row->file)
        buf_printf(out, "%s:%" PRIu32, slash ? slash + 1 : row->file, row->line);
    else if (row->function)
        buf_adds(out, demangled(r->names, row->function));
    else if (row->start)
        buf_printf(out, "0x%" PRIx64, row->start);
    else
        buf_adds(out, m ? "(no symbol)" : "(no module)");
    if (m && row->function && module_jit(m))
        buf_adds(out, " [JIT]");
    else if (m && m != main_module(r))
        buf_printf(out, m->name[0] == '[' ? " %s" : " [%s]", m->name);
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

/* What shares are of. */
static uint64_t weight_shown(const struct flat_report *r, const struct flat *f)
{
    return r->kernel ? flat_kernel_weight(r, f) : f->weight;
}

static const char *header_of(const struct sampled *s)
{
    return s->want.waits ? waits_header : s->event.clock ? flat_header : flat_header_events;
}

static void rows_text(const struct flat_report *r, const struct flat *f, struct buf *out)
{
    struct buf name = BUF_INIT;
    size_t printed = 0, more = 0;
    uint64_t more_weight = 0, more_wait = 0;
    if (!r->kernel)
        buf_adds(out, header_of(r->sampled));
    uint64_t whole = weight_shown(r, f);
    for (size_t i = 0; i < f->rows; i++) {
        const struct flat_row *row = &f->row[i];
        if (!shown(r, row))
            continue;
        if (r->most_rows && printed == r->most_rows) {
            more++;
            more_weight += row->weight;
            more_wait += row->wait;
            continue;
        }
        buf_clear(&name);
        name_of(r, row, &name);
        row_text(r, row->weight, row->wait, whole, &name, out);
        printed++;
    }
    buf_clear(&name);
    buf_printf(&name, "(%zu more)", more);
    if (more)
        row_text(r, more_weight, more_wait, whole, &name, out);
    buf_release(&name);
}

/* Start of the main module's functions, rounded down to a page as Plan 9 does; else of its code. */
static uint64_t text_base(const struct flat_report *r)
{
    const struct module *m = main_module(r);
    return m ? module_text(m) & ~(uint64_t)0xfff : 0;
}

static const char *modes(const struct sampled *s)
{
    return !s->want.kernel ? "user" : s->want.no_user ? "kernel" : "CPU";
}

/* What does not stand in the rows. */
static void apart(const struct sampled *s, struct buf *out)
{
    waits_sums_text(s, "; ", out);
    if (s->booked_ms && s->event.clock)
        buf_printf(out, "; %" PRIu64 " of %" PRIu64 " ms %s time",
                   sampled_amount(s, sampled_running(s)), s->booked_ms, modes(s));
    if (s->idle_ms || s->irq_ms || s->softirq_ms)
        buf_printf(out,
                   "; all CPUs by the kernel's books: idle %" PRIu64 " ms, interrupts %" PRIu64
                   " ms, softirqs %" PRIu64 " ms",
                   s->idle_ms, s->irq_ms, s->softirq_ms);
    if (s->err || s->mapped.err)
        buf_adds(out, "; more were lost: memory ended");
    if (s->throttled)
        buf_printf(out, ", paused %" PRIu64 " times by the kernel", s->throttled);
}

static void last_line(const struct flat_report *r, struct buf *out)
{
    const struct sampled *s = r->sampled;
    buf_printf(out, "%s, %s", r->method, r->mode);
    if (s->want.hz)
        buf_printf(out, ", %" PRIu64 " Hz", s->want.hz);
    buf_printf(out, ": %" PRIu64 " samples, %" PRIu64 " lost, %.1f%% unresolved", s->samples,
               s->lost, pct(r->unresolved, s->samples));
    apart(s, out);
    buf_addc(out, '\n');
}

static void set_heading(const struct flat_report *r, const struct flat *f, struct buf *out)
{
    const struct sampled *s = r->sampled;
    buf_printf(out, "%s%s ", f == r->flat ? "" : "\n",
               s->want.by == SAMPLED_BY_THREAD ? "thread" : "process");
    if (f->thread->pid != SAMPLED_GONE)
        buf_printf(out, "%" PRIu32 " ", f->thread->tid);
    buf_printf(out, "%s: %" PRIu64 "%s", f->thread->name, sampled_amount(s, weight_shown(r, f)),
               s->event.clock ? " ms" : "");
    waits_part(s, f->wait, out);
    buf_addc(out, '\n');
}

/* False: there are no rows. */
static bool kernel_head(const struct flat_report *r, struct buf *out)
{
    struct flat_kernel k = flat_kernel_of(r);
    uint64_t total = sampled_amount(r->sampled, k.total);
    uint64_t outside = sampled_amount(r->sampled, k.outside);
    kpdata_total(out, total, outside < total ? outside : total);
    if (k.inside)
        kpdata_base(out, text_base(r));
    return k.inside;
}

static bool head(const struct flat_report *r, struct buf *out)
{
    if (r->kernel)
        return kernel_head(r, out);
    buf_printf(out, "total: %" PRIu64 "\n", sampled_amount(r->sampled, r->sampled->weight));
    if (r->sampled->samples && (r->sampled->want.pid || main_module(r)))
        buf_printf(out, "TEXT %.8" PRIx64 "\n", text_base(r));
    return r->sampled->samples;
}

void flat_text(const struct flat_report *r, struct buf *out)
{
    if (head(r, out)) {
        for (size_t i = 0; i < r->flats; i++) {
            if (r->flat[i].thread)
                set_heading(r, &r->flat[i], out);
            rows_text(r, &r->flat[i], out);
        }
    }
    last_line(r, out);
}

static void amount_json(const struct sampled *s, const char *ms_key, uint64_t weight,
                        struct json *j)
{
    json_u64(j, s->event.clock ? ms_key : "events", sampled_amount(s, weight));
}

static void time_json(const struct sampled *s, uint64_t weight, uint64_t wait, struct json *j)
{
    amount_json(s, "time_ms", weight - wait, j);
    if (s->want.waits)
        amount_json(s, "wait_ms", wait, j);
}

/* raw: as it stands in the file, where that is not what is shown. */
static void name_json(const struct flat_report *r, const struct flat_row *row, struct json *j)
{
    const char *name = demangled(r->names, row->function);
    if (!name) {
        json_null(j, "name");
        return;
    }
    json_str(j, "name", name);
    if (strcmp(name, row->function) != 0)
        json_str(j, "raw", row->function);
}

static void rows_json(const struct flat_report *r, const struct flat *f, struct json *j)
{
    json_array(j, "rows");
    for (size_t i = 0; i < f->rows; i++) {
        const struct flat_row *row = &f->row[i];
        const struct module *m = module_of(r, row);
        if (!shown(r, row))
            continue;
        json_object(j, NULL);
        name_json(r, row, j);
        if (row->file) {
            json_str(j, "file", row->file);
            json_u64(j, "line", row->line);
        }
        if (row->start)
            json_hex(j, "start", row->start);
        if (m)
            json_str(j, "module", m->path);
        else
            json_null(j, "module");
        time_json(r->sampled, row->weight, row->wait, j);
        json_u64(j, "samples", row->samples);
        json_num(j, "share_pct", pct(row->weight, weight_shown(r, f)), 2);
        json_object_end(j);
    }
    json_array_end(j);
}

static void modules_json(const struct sampled *s, struct json *j)
{
    json_array(j, "modules");
    for (size_t i = 0; i < s->mapped.modules.count; i++) {
        const struct module *m = s->mapped.modules.module[i];
        char id[2 * sizeof m->identity.build_id + 1] = "";
        for (size_t k = 0; k < m->identity.build_id_len; k++)
            snprintf(id + 2 * k, 3, "%02x", m->identity.build_id[k]);
        json_object(j, NULL);
        json_str(j, "path", m->path);
        json_str(j, "build_id", id);
        json_str(j, "symbols", module_symbol_source(m));
        if (m->debug_path)
            json_str(j, "debug_file", m->debug_path);
        if (m->why[0])
            json_str(j, "why", m->why);
        if (m->note[0])
            json_str(j, "note", m->note);
        json_object_end(j);
    }
    json_array_end(j);
}

static void ids_json(const struct sampled_thread *t, struct json *j)
{
    if (t->pid == SAMPLED_GONE) {
        json_null(j, "pid");
        json_null(j, "tid");
        return;
    }
    json_u64(j, "pid", t->pid);
    json_u64(j, "tid", t->tid);
}

static void threads_json(const struct flat_report *r, struct json *j)
{
    json_array(j, r->sampled->want.by == SAMPLED_BY_THREAD ? "threads" : "processes");
    for (size_t i = 0; i < r->flats; i++) {
        const struct flat *f = &r->flat[i];
        json_object(j, NULL);
        ids_json(f->thread, j);
        json_str(j, "name", f->thread->name);
        time_json(r->sampled, f->weight, f->wait, j);
        json_u64(j, "samples", f->samples);
        rows_json(r, f, j);
        json_object_end(j);
    }
    json_array_end(j);
}

static void kernel_json(const struct flat_report *r, struct json *j)
{
    struct flat_kernel k = flat_kernel_of(r);
    bool ms = r->sampled->event.clock;
    json_u64(j, ms ? "total_ms" : "events", sampled_amount(r->sampled, k.total));
    json_u64(j, ms ? "in_kernel_text_ms" : "in_kernel_text_events",
             sampled_amount(r->sampled, k.inside));
    json_u64(j, ms ? "outside_kernel_text_ms" : "outside_kernel_text_events",
             sampled_amount(r->sampled, k.outside));
}

void flat_json(const struct flat_report *r, struct buf *out)
{
    const struct sampled *s = r->sampled;
    const struct module *m = main_module(r);
    struct json j;
    json_start(&j, out, r->kernel ? "kprof" : "tprof");
    json_str(&j, "method", r->method);
    json_str(&j, "mode", r->mode);
    json_str(&j, "event", s->event.name);
    json_u64(&j, "rate_hz", s->want.hz);
    json_u64(&j, "samples", s->samples);
    json_u64(&j, "lost", s->lost);
    json_u64(&j, "throttled", s->throttled);
    if (s->booked_ms)
        json_u64(&j, s->want.kernel ? "cpu_ms" : "user_ms", s->booked_ms);
    json_num(&j, "unresolved_pct", pct(r->unresolved, s->samples), 2);
    if (r->kernel)
        kernel_json(r, &j);
    else
        amount_json(s, "total_ms", s->weight, &j);
    waits_json(s, &j);
    if (s->idle)
        json_u64(&j, s->event.clock ? "idle_sampled_ms" : "idle_events",
                 sampled_amount(s, s->idle_weight));
    if (s->user)
        json_u64(&j, s->event.clock ? "user_sampled_ms" : "user_events",
                 sampled_amount(s, s->user_weight));
    if (s->idle_ms || s->irq_ms || s->softirq_ms) {
        json_u64(&j, "idle_ms", s->idle_ms);
        json_u64(&j, "irq_ms", s->irq_ms);
        json_u64(&j, "softirq_ms", s->softirq_ms);
    }
    if (m)
        json_str(&j, "main_module", m->path);
    json_hex(&j, "text", text_base(r));
    if (!r->whole && s->want.by != SAMPLED_WHOLE)
        threads_json(r, &j);
    else if (r->flats)
        rows_json(r, &r->flat[0], &j);
    modules_json(s, &j);
    chain_ends_json(s, &j);
    json_end(&j);
}
