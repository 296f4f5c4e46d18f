#include "core/stacks/diff.h"

#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/containers/intern.h"
#include "core/stacks/format.h"
#include "renames.h"

#include "core/base/fail.h"
#include "core/stacks/flat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- functions of both --- */

/* Rows by their strings; equal strings have one address. */
struct matched {
    const char *name, *module;
    struct stacks_diff_row row;
};

struct matching {
    const struct stacks_diff *diff;
    struct intern texts, rows;
};

/* Whose rows go under their new name. */
static const char *module_now(const struct stacks_diff *d, const char *module)
{
    for (size_t i = 0; i < d->renames; i++)
        if (strcmp(d->rename[i].before, module) == 0)
            return d->rename[i].after;
    return module;
}

static bool add_row(struct matching *m, const struct stacks_flat_row *r, uint64_t amount,
                    bool after)
{
    const char *module = after ? r->module : module_now(m->diff, r->module);
    struct matched one = {.name = intern_copy(&m->texts, r->name),
                          .module = intern_copy(&m->texts, module),
                          .row = {.name = r->name, .module = module}};
    uint32_t i = one.name && one.module ? intern(&m->rows, &one) : INTERN_NONE;
    if (i == INTERN_NONE)
        return false;
    struct stacks_diff_row *row = &((struct matched *)m->rows.record)[i].row;
    *(after ? &row->after : &row->before) += amount;
    return true;
}

static bool add_side(struct matching *m, const struct stacks_flat *f, bool cumulative, bool after)
{
    for (size_t i = 0; i < f->rows; i++) {
        uint64_t amount = cumulative ? f->row[i].cumulative : f->row[i].self;
        if (amount && !add_row(m, &f->row[i], amount, after))
            return false;
    }
    return true;
}

static bool copy_rows(const struct matching *m, struct stacks_diff *out)
{
    const struct matched *all = m->rows.record;
    out->row = malloc((m->rows.count + 1) * sizeof *out->row);
    if (!out->row)
        return false;
    for (size_t i = 0; i < m->rows.count; i++)
        out->row[i] = all[i].row;
    out->rows = m->rows.count;
    return true;
}

static int match_rows(const struct stacks_flat *before, const struct stacks_flat *after,
                      bool cumulative, struct stacks_diff *out)
{
    struct matching m = {
        .diff = out,
        .rows = {.each = sizeof(struct matched), .key = offsetof(struct matched, row)}};
    bool ok = add_side(&m, before, cumulative, false) && add_side(&m, after, cumulative, true) &&
              copy_rows(&m, out);
    intern_release(&m.texts);
    intern_release(&m.rows);
    return ok ? 0 : -ENOMEM;
}

/* --- what may be chance --- */

static struct stacks_diff_side side_of(const struct stacks *s, uint64_t total)
{
    bool sampled = s->origin.period || call_samples(s);
    return (struct stacks_diff_side){total, call_samples(s), !sampled && total};
}

static double share_of_side(uint64_t part, const struct stacks_diff_side *side)
{
    return share_pct(part, side->total) / 100;
}

/* Variance of a share that is p. */
static double share_variance(const struct stacks_diff_side *side, double p)
{
    if (side->exact)
        return 0;
    return side->samples ? p * (1 - p) / (double)side->samples : INFINITY;
}

/* The share that both are taken to have: what is exact is known. */
static double pool_shares(const struct stacks_diff *d, double a, double b)
{
    if (d->before.exact || d->after.exact)
        return d->before.exact ? a : b;
    double n = (double)d->before.samples, m = (double)d->after.samples;
    return n + m > 0 ? (a * n + b * m) / (n + m) : 0;
}

static double amount_variance(const struct stacks_diff_side *side, uint64_t amount)
{
    if (side->exact || !side->total)
        return 0;
    return side->samples ? (double)amount * (double)side->total / (double)side->samples : INFINITY;
}

static double count_sigmas(double difference, double variance)
{
    if (difference == 0)
        return 0;
    return variance > 0 ? fabs(difference) / sqrt(variance) : INFINITY;
}

static void judge_row(const struct stacks_diff *d, struct stacks_diff_row *r)
{
    double a = share_of_side(r->before, &d->before), b = share_of_side(r->after, &d->after);
    double p = pool_shares(d, a, b);
    r->points = 100 * (b - a);
    r->difference = (double)r->after - (double)r->before;
    r->amount_sigmas = count_sigmas(r->difference, amount_variance(&d->before, r->before) +
                                                       amount_variance(&d->after, r->after));
    r->share_sigmas =
        count_sigmas(b - a, share_variance(&d->before, p) + share_variance(&d->after, p));
    bool judged = d->absolute || !d->before.exact || !d->after.exact;
    r->amount_significant = judged && r->amount_sigmas > STACKS_DIFF_SIGMAS;
    r->share_significant = r->share_sigmas > STACKS_DIFF_SIGMAS;
    r->sigmas = d->absolute ? r->amount_sigmas : r->share_sigmas;
    r->significant = d->absolute ? r->amount_significant : r->share_significant;
}

/* --- all together --- */

static int by_text(const struct stacks_diff_row *x, const struct stacks_diff_row *y)
{
    return strcmp(x->name, y->name) ?: strcmp(x->module, y->module);
}

static int by_points(const void *a, const void *b)
{
    const struct stacks_diff_row *x = a, *y = b;
    return ORDER(fabs(y->points), fabs(x->points)) ?: by_text(x, y);
}

static int by_difference(const void *a, const void *b)
{
    const struct stacks_diff_row *x = a, *y = b;
    return ORDER(fabs(y->difference), fabs(x->difference)) ?: by_text(x, y);
}

/* The value of the old stacks that is the new ones' last. */
static bool find_value(const struct stacks *before, const struct stacks *after, size_t *value)
{
    const struct stacks_value *v = &after->value[after->values - 1];
    for (size_t i = 0; i < before->values; i++)
        if (strcmp(before->value[i].name, v->name) == 0 &&
            strcmp(before->value[i].unit, v->unit) == 0) {
            *value = i;
            return true;
        }
    return false;
}

static int match_sides(const struct stacks_diff_options *o, struct stacks_diff *out)
{
    SCOPED(stacks_flat_release) struct stacks_flat before = {0}, after = {0};
    int r = stacks_flat_of(out->from, out->value_before, o->cumulative, &before);
    if (r == 0)
        r = stacks_flat_of(out->to, out->value, o->cumulative, &after);
    if (r == 0)
        r = stacks_renames_find(&before, &after, out->rename);
    if (r >= 0)
        out->renames = (size_t)r;
    if (r >= 0)
        r = match_rows(&before, &after, o->cumulative, out);
    out->before = side_of(out->from, before.total);
    out->after = side_of(out->to, after.total);
    return r;
}

int stacks_diff_make(const struct stacks *before, const struct stacks *after,
                     const struct stacks_diff_options *o, struct stacks_diff *out,
                     struct fail *fail)
{
    *out = (struct stacks_diff){
        .from = before, .to = after, .value = after->values - 1, .absolute = o->absolute};
    if (!find_value(before, after, &out->value_before))
        return fail_set(fail, 0, "the old profile does not count %s in %s",
                        after->value[out->value].name, after->value[out->value].unit);
    int r = match_sides(o, out);
    if (r < 0)
        return fail_set(fail, -r, "comparing");
    for (size_t i = 0; i < out->rows; i++)
        judge_row(out, &out->row[i]);
    sort_array(out->row, out->rows, sizeof *out->row, o->absolute ? by_difference : by_points);
    return 0;
}

void stacks_diff_release(struct stacks_diff *d)
{
    free(d->row);
    *d = (struct stacks_diff){0};
}
