/* Two stacks compared, as JSON. */
#include "core/stacks/diff.h"

#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/text/json.h"

#include <stdio.h>
#include <string.h>

/* The members of a row and of a side: some names have the value's unit. */
struct keys {
    char row[192], side[48];
};

static struct keys keys_of(const struct stacks_value *v)
{
    struct keys k;
    const char *unit = strcmp(v->unit, "nanoseconds") == 0 ? "_ns"
                       : strcmp(v->unit, "bytes") == 0     ? "_bytes"
                                                           : "";
    snprintf(
        k.row, sizeof k.row,
        "name module old%s new%s difference%s old_share_pct.2 new_share_pct.2 points.2 sigmas.1 "
        "significant? difference_sigmas.1 difference_significant?",
        unit, unit, unit);
    snprintf(k.side, sizeof k.side, "applet method total%s samples lost", unit);
    return k;
}

static void write_side(const struct stacks *s, const struct stacks_diff_side *of, const char *key,
                       const struct keys *k, struct json *j)
{
    json_record(j, key, k->side, s->origin.applet, s->origin.method, of->total,
                text_value_if(!of->exact, of->samples), s->origin.lost);
}

static void write_row(const struct stacks_diff *d, const struct stacks_diff_row *r,
                      const struct keys *k, struct json *j)
{
    json_record(j, NULL, k->row, r->name, r->module, r->before, r->after,
                (int64_t)(r->after - r->before), share_pct(r->before, d->before.total),
                share_pct(r->after, d->after.total), r->points, r->sigmas, r->significant,
                r->amount_sigmas, r->amount_significant);
}

static void write_renamed(const struct stacks_diff *d, struct json *j)
{
    json_array(j, "renamed");
    for (size_t i = 0; i < d->renames; i++)
        json_record(j, NULL, "old new functions", d->rename[i].before, d->rename[i].after,
                    d->rename[i].functions);
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
    json_members(&j, "value unit absolute?", v->name, v->unit, d->absolute);
    json_array(&j, "rows");
    for (size_t i = 0; i < d->rows; i++)
        write_row(d, &d->row[i], &k, &j);
    json_array_end(&j);
    write_renamed(d, &j);
    json_end(&j);
}
