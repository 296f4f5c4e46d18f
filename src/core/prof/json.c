#include "core/prof/report.h"

#include "core/base/buf.h"
#include "core/text/json.h"

static void add_function(struct json *j, const struct prof_names *n, const struct prof_row *row)
{
    const struct prof_function *f = prof_function_at(n, row->function);
    json_record(
        j, NULL, "name raw module address:x file line calls self_ns total_ns error_ns raw_self_ns",
        f->name, f->raw, f->module < n->tree->modules ? n->tree->module[f->module].path : "",
        f->address, f->file, f->line, row->calls, row->self_ns, row->total_ns, row->error_ns,
        row->raw_self_ns);
}

static int add_functions(struct json *j, const struct prof_names *n, uint32_t thread)
{
    SCOPED(prof_flat_release) struct prof_flat flat;
    int r = prof_flat_make(n, thread, &flat);
    json_array(j, "functions");
    for (size_t i = 0; r == 0 && i < flat.rows; i++)
        add_function(j, n, &flat.row[i]);
    json_array_end(j);
    return r;
}

static int add_thread(struct json *j, const struct prof_names *n, uint32_t i, bool functions)
{
    const struct prof_thread *t = &n->tree->thread[i];
    json_object(j, NULL);
    json_members(j,
                 "tid name threads total_ns spent_ns refused_calls refused_nodes missed_exits "
                 "orphan_exits samples hook_samples preempted_ns cpu_ns",
                 t->tid, t->name, t->threads, t->total_ns, t->spent_ns, t->refused,
                 t->refused_nodes, t->missed_exits, t->orphan_exits, t->samples, t->hook_samples,
                 t->preempted_ns, t->cpu_ns);
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
    json_members(j,
                 "method lost version type type_note clock ticks_per_second resolution_ps "
                 "inside_ps outside_ps untimed_ps pid command start_ns duration_ns cpu_ns",
                 method, count_lost(t), a->version,
                 a->version == 1 && !a->type ? "" : prof_type_name(a->type), a->type_note, a->clock,
                 a->ticks_per_second, a->resolution_ps, a->inside_ps, a->outside_ps, a->untimed_ps,
                 a->pid, a->command ? a->command : "", a->start_ns, a->duration_ns, a->cpu_ns);
    json_members(j,
                 "sample_ns sample_cost_ns ended? cut? scaled_nodes threads_refused "
                 "threads_unsampled modules_refused",
                 a->sample_ns, a->sample_cost_ns, a->ended, a->truncated, prof_tree_scaled(t),
                 a->threads_refused, a->threads_unsampled, a->modules_refused);
}

static void add_marks(struct json *j, const struct prof_tree *t)
{
    json_array(j, "marks");
    for (size_t i = 0; i < t->marks; i++)
        json_record(j, NULL, "name tid ns", t->mark[i].name, t->mark[i].tid, t->mark[i].ns);
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
