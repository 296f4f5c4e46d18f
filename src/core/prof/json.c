#include "core/prof/report.h"

#include "core/base/buf.h"
#include "core/text/json.h"

static void add_function(struct json *j, const struct prof_names *n, const struct prof_row *row)
{
    const struct prof_function *f = prof_function_at(n, row->function);
    json_object(j, NULL);
    json_str(j, "name", f->name);
    json_str(j, "raw", f->raw);
    json_str(j, "module", f->module < n->tree->modules ? n->tree->module[f->module].path : "");
    json_hex(j, "address", f->address);
    json_str(j, "file", f->file);
    json_u64(j, "line", f->line);
    json_u64(j, "calls", row->calls);
    json_u64(j, "self_ns", row->self_ns);
    json_u64(j, "total_ns", row->total_ns);
    json_u64(j, "error_ns", row->error_ns);
    json_i64(j, "raw_self_ns", row->raw_self_ns);
    json_object_end(j);
}

static int add_functions(struct json *j, const struct prof_names *n, uint32_t thread)
{
    struct prof_flat flat;
    int r = prof_flat_make(n, thread, &flat);
    json_array(j, "functions");
    for (size_t i = 0; r == 0 && i < flat.rows; i++)
        add_function(j, n, &flat.row[i]);
    json_array_end(j);
    prof_flat_release(&flat);
    return r;
}

static int add_thread(struct json *j, const struct prof_names *n, uint32_t i, bool functions)
{
    const struct prof_thread *t = &n->tree->thread[i];
    json_object(j, NULL);
    json_u64(j, "tid", t->tid);
    json_str(j, "name", t->name);
    json_u64(j, "threads", t->threads);
    json_u64(j, "total_ns", t->total_ns);
    json_u64(j, "spent_ns", t->spent_ns);
    json_u64(j, "refused_calls", t->refused);
    json_u64(j, "refused_nodes", t->refused_nodes);
    json_u64(j, "missed_exits", t->missed_exits);
    json_u64(j, "orphan_exits", t->orphan_exits);
    json_u64(j, "samples", t->samples);
    json_u64(j, "hook_samples", t->hook_samples);
    json_u64(j, "preempted_ns", t->preempted_ns);
    json_u64(j, "cpu_ns", t->cpu_ns);
    int r = functions ? add_functions(j, n, i) : 0;
    json_object_end(j);
    return r;
}

static uint64_t count_lost(const struct prof_tree *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->threads; i++)
        sum += t->thread[i].refused;
    return sum;
}

static void add_about(struct json *j, const struct prof_tree *t, const char *method)
{
    const struct prof_about *a = &t->about;
    json_str(j, "method", method);
    json_u64(j, "lost", count_lost(t));
    json_u64(j, "version", a->version);
    json_str(j, "type", a->version == 1 && !a->type ? "" : prof_type_name(a->type));
    json_str(j, "type_note", a->type_note);
    json_str(j, "clock", a->clock);
    json_u64(j, "ticks_per_second", a->ticks_per_second);
    json_u64(j, "resolution_ps", a->resolution_ps);
    json_u64(j, "inside_ps", a->inside_ps);
    json_u64(j, "outside_ps", a->outside_ps);
    json_u64(j, "untimed_ps", a->untimed_ps);
    json_u64(j, "pid", a->pid);
    json_str(j, "command", a->command ? a->command : "");
    json_u64(j, "start_ns", a->start_ns);
    json_u64(j, "duration_ns", a->duration_ns);
    json_u64(j, "cpu_ns", a->cpu_ns);
    json_u64(j, "sample_ns", a->sample_ns);
    json_u64(j, "sample_cost_ns", a->sample_cost_ns);
    json_bool(j, "ended", a->ended);
    json_bool(j, "cut", a->truncated);
    json_u64(j, "scaled_nodes", prof_tree_scaled(t));
    json_u64(j, "threads_refused", a->threads_refused);
    json_u64(j, "threads_unsampled", a->threads_unsampled);
    json_u64(j, "modules_refused", a->modules_refused);
}

static void add_marks(struct json *j, const struct prof_tree *t)
{
    json_array(j, "marks");
    for (size_t i = 0; i < t->marks; i++) {
        json_object(j, NULL);
        json_str(j, "name", t->mark[i].name);
        json_u64(j, "tid", t->mark[i].tid);
        json_u64(j, "ns", t->mark[i].ns);
        json_object_end(j);
    }
    json_array_end(j);
}

static uint64_t add_notes(struct json *j, const struct prof_tree *t)
{
    uint64_t total = 0;
    json_array(j, "notes");
    for (size_t i = 0; i < t->notes && i < PROF_MAX_NOTES; i++)
        json_str(j, NULL, t->note[i]);
    json_array_end(j);
    add_marks(j, t);
    for (size_t i = 0; i < t->threads; i++)
        total += t->thread[i].total_ns;
    return total;
}

int prof_json(const struct prof_names *n, const char *method, bool by_thread, struct buf *out)
{
    struct json j;
    int r = 0;
    json_start(&j, out, "prof");
    add_about(&j, n->tree, method);
    json_u64(&j, "total_ns", add_notes(&j, n->tree));
    json_array(&j, "threads");
    for (uint32_t i = 0; i < n->tree->threads && r == 0; i++)
        r = add_thread(&j, n, i, by_thread);
    json_array_end(&j);
    if (r == 0)
        r = add_functions(&j, n, PROF_NONE);
    json_end(&j);
    return r ? r : buf_error(out);
}
