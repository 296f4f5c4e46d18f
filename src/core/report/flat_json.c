/* The flat profile as JSON. */
#include "core/sample/chain_ends.h"
#include "core/sample/wait_summary.h"
#include "core/symbol/demangle.h"
#include "core/text/json.h"
#include "flat_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* raw: the name in the file, if it differs from the one shown. */
static void name_json(const struct flat_report *r, const struct flat_row *row, struct json *j)
{
    const char *name = demangled(r->names, row->function);
    bool differs = name && strcmp(name, row->function) != 0;
    json_members(j, "name [raw]", name, differs ? row->function : NULL);
}

static void rows_json(const struct flat_report *r, const struct flat *f, struct json *j)
{
    json_array(j, "rows");
    for (size_t i = 0; i < f->rows; i++) {
        const struct flat_row *row = &f->row[i];
        const struct module *m = sampled_module(r->sampled, row->module);
        if (!flat_shown(r, row))
            continue;
        json_object(j, NULL);
        name_json(r, row, j);
        if (row->file)
            json_members(j, "file line", row->file, row->line);
        json_members(j, "[start:x] module [pid]", row->start, m ? m->path : NULL,
                     m ? m->identity.pid : 0);
        time_json(r->sampled, row->weight, row->wait, j);
        json_members(j, "samples share_pct.2", row->samples,
                     share_pct(row->weight, flat_weight_shown(r, f)));
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
        json_record(j, NULL, "path build_id symbols [debug_file] [why] [note]", m->path, id,
                    module_symbol_source(m), m->debug_path, m->why, m->note);
    }
    json_array_end(j);
}

static void threads_json(const struct flat_report *r, struct json *j)
{
    json_array(j, r->sampled->want.by == SAMPLED_BY_THREAD ? "threads" : "processes");
    for (size_t i = 0; i < r->flats; i++) {
        const struct flat *f = &r->flat[i];
        json_object(j, NULL);
        bool known = sampled_has_pid(f->thread);
        json_members(j, "pid tid name", text_value_if(known, f->thread->pid),
                     text_value_if(known, f->thread->tid), f->thread->name);
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
    json_members(j,
                 r->sampled->event.clock
                     ? "total_ms in_kernel_text_ms outside_kernel_text_ms"
                     : "events in_kernel_text_events outside_kernel_text_events",
                 sampled_amount(r->sampled, k.total), sampled_amount(r->sampled, k.inside),
                 sampled_amount(r->sampled, k.outside));
}

/* How the sampling went. */
static void head_json(const struct flat_report *r, struct json *j)
{
    const struct sampled *s = r->sampled;
    json_members(j, "method mode event rate_hz samples lost throttled [shortened_chains]",
                 r->method, r->mode, s->event.name, s->want.hz, s->count.samples, s->loss.lost,
                 s->loss.throttled, s->count.shortened + s->count.merged);
    if (s->accounted.cpu_time_ms)
        json_u64(j, s->want.kernel ? "cpu_ms" : "user_ms", s->accounted.cpu_time_ms);
    json_num(j, "unresolved_pct", share_pct(r->unresolved, s->count.samples), 2);
}

/* What is in no row. */
static void apart_json(const struct sampled *s, struct json *j)
{
    if (s->count.idle)
        json_u64(j, s->event.clock ? "idle_sampled_ms" : "idle_events",
                 sampled_amount(s, s->count.idle_weight));
    if (s->count.user)
        json_u64(j, s->event.clock ? "user_sampled_ms" : "user_events",
                 sampled_amount(s, s->count.user_weight));
    if (s->count.own)
        json_u64(j, s->event.clock ? "own_sampled_ms" : "own_events",
                 sampled_amount(s, s->count.own_weight));
    if (s->accounted.idle_ms || s->accounted.irq_ms || s->accounted.softirq_ms)
        json_members(j, "idle_ms irq_ms softirq_ms", s->accounted.idle_ms, s->accounted.irq_ms,
                     s->accounted.softirq_ms);
}

static void add_waits(const struct sampled *s, struct json *j)
{
    struct stacks_waits waits;
    waits_sums(s, &waits);
    stacks_waits_json(&waits, j);
}

static void add_ends(const struct sampled *s, struct json *j)
{
    struct stacks_ends ends;
    chain_ends_sums(s, &ends);
    stacks_ends_json(&ends, j);
    free(ends.broken);
}

void flat_json(const struct flat_report *r, struct buf *out)
{
    const struct sampled *s = r->sampled;
    const struct module *m = mapped_main(&s->mapped);
    struct json j;
    json_start(&j, out, r->kernel ? "kprof" : "tprof");
    head_json(r, &j);
    if (r->kernel)
        kernel_json(r, &j);
    else
        amount_json(s, "total_ms", s->count.weight, &j);
    add_waits(s, &j);
    apart_json(s, &j);
    json_members(&j, "[main_module] text:x", m ? m->path : NULL, flat_text_base(r));
    if (!r->whole && s->want.by != SAMPLED_WHOLE)
        threads_json(r, &j);
    else if (r->flats)
        rows_json(r, &r->flat[0], &j);
    modules_json(s, &j);
    add_ends(s, &j);
    json_end(&j);
}
