#include "core/text/json.h"

#include "core/base/buf.h"
#include "core/topo/draw.h"
#include "core/topo/write.h"

static void add_callees(struct json *j, const struct topo *t, const struct topo_function *f)
{
    json_array(j, "callees");
    for (size_t i = 0; i < f->callees; i++) {
        const struct topo_relation *r = &t->relation[f->first_callee + i];
        json_object(j, NULL);
        json_members(j, "name [calls]", t->function[r->callee].name, r->calls);
        if (r->calls || r->total)
            json_u64(j, "total", r->total);
        json_object_end(j);
    }
    json_array_end(j);
}

static void add_callers(struct json *j, const struct topo *t, const struct topo_function *f)
{
    json_array(j, "callers");
    for (size_t i = 0; i < f->callers; i++)
        json_str(j, NULL, t->function[t->relation[t->by_callee[f->first_caller + i]].caller].name);
    json_array_end(j);
}

static void add_times(struct json *j, const struct topo_function *f)
{
    json_members(j, "total local [calls]", f->total, f->local, f->calls);
    if (f->longest)
        json_members(j, "shortest longest", f->shortest, f->longest);
    json_u64(j, "depth", f->depth);
}

static void add_function(struct json *j, const struct topo *t, size_t i, uint64_t longest)
{
    const struct topo_function *f = &t->function[i];
    struct topo_look look = topo_look(f, longest);
    uint32_t parent = topo_parent(t, (uint32_t)i);
    json_object(j, NULL);
    json_str(j, "name", f->name);
    add_times(j, f);
    json_members(j, "diameter red.6 alpha.6", look.diameter, look.red, look.alpha);
    if (parent != TOPO_NONE)
        json_str(j, "first_caller", t->function[parent].name);
    add_callers(j, t, f);
    add_callees(j, t, f);
    json_object_end(j);
}

static void add_dropped(struct json *j, const struct topo *t)
{
    json_array(j, "dropped");
    for (int i = 0; i < TOPO_REASONS; i++)
        if (t->dropped[i])
            json_record(j, NULL, "why runs", topo_reason_text((enum topo_reason)i), t->dropped[i]);
    json_array_end(j);
}

int topo_write_json(const struct topo *t, const struct topo_options *o, struct buf *out)
{
    struct json j;
    uint64_t longest = topo_longest(t);
    json_start(&j, out, "topo");
    json_members(&j, "unit runs", t->unit, t->runs);
    add_dropped(&j, t);
    json_array(&j, "functions");
    for (size_t i = 0; i < t->functions; i++)
        add_function(&j, t, i, longest);
    json_array_end(&j);
    json_end(&j);
    return buf_error(out);
}
