/* Two stacks compared, as JSON. */
#include "core/stacks/diff.h"

#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/text/json.h"

#include <stdio.h>
#include <string.h>

/* Names of fields, with the value's unit. */
struct keys {
    char before[16], after[16], difference[24], total[16];
};

static struct keys keys_of(const struct stacks_value *v)
{
    struct keys k;
    const char *unit = strcmp(v->unit, "nanoseconds") == 0 ? "_ns"
                       : strcmp(v->unit, "bytes") == 0     ? "_bytes"
                                                           : "";
    snprintf(k.before, sizeof k.before, "old%s", unit);
    snprintf(k.after, sizeof k.after, "new%s", unit);
    snprintf(k.difference, sizeof k.difference, "difference%s", unit);
    snprintf(k.total, sizeof k.total, "total%s", unit);
    return k;
}

static void write_side(const struct stacks *s, const struct stacks_diff_side *of, const char *key,
                       const struct keys *k, struct json *j)
{
    json_object(j, key);
    json_str(j, "applet", s->origin.applet);
    json_str(j, "method", s->origin.method);
    json_u64(j, k->total, of->total);
    if (of->exact)
        json_null(j, "samples");
    else
        json_u64(j, "samples", of->samples);
    json_u64(j, "lost", s->origin.lost);
    json_object_end(j);
}

static void write_row(const struct stacks_diff *d, const struct stacks_diff_row *r,
                      const struct keys *k, struct json *j)
{
    json_object(j, NULL);
    json_str(j, "name", r->name);
    json_str(j, "module", r->module);
    json_u64(j, k->before, r->before);
    json_u64(j, k->after, r->after);
    json_i64(j, k->difference, (int64_t)(r->after - r->before));
    json_num(j, "old_share_pct", share_pct(r->before, d->before.total), 2);
    json_num(j, "new_share_pct", share_pct(r->after, d->after.total), 2);
    json_num(j, "points", r->points, 2);
    json_num(j, "sigmas", r->sigmas, 1);
    json_bool(j, "significant", r->significant);
    json_num(j, "difference_sigmas", r->amount_sigmas, 1);
    json_bool(j, "difference_significant", r->amount_significant);
    json_object_end(j);
}

static void write_renamed(const struct stacks_diff *d, struct json *j)
{
    json_array(j, "renamed");
    for (size_t i = 0; i < d->renames; i++) {
        json_object(j, NULL);
        json_str(j, "old", d->rename[i].before);
        json_str(j, "new", d->rename[i].after);
        json_u64(j, "functions", d->rename[i].functions);
        json_object_end(j);
    }
    json_array_end(j);
}

void stacks_diff_json(const struct stacks_diff *d, struct buf *out)
{
    const struct stacks_value *v = &d->to->value[d->value];
    struct keys k = keys_of(v);
    struct json j;
    json_start(&j, out, d->to->origin.applet);
    write_side(d->from, &d->before, "old", &k, &j);
    write_side(d->to, &d->after, "new", &k, &j);
    json_str(&j, "value", v->name);
    json_str(&j, "unit", v->unit);
    json_bool(&j, "absolute", d->absolute);
    json_array(&j, "rows");
    for (size_t i = 0; i < d->rows; i++)
        write_row(d, &d->row[i], &k, &j);
    json_array_end(&j);
    write_renamed(d, &j);
    json_end(&j);
}
