#include "core/selftest/selftest.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/table.h"
#include "core/text/text_fold.h"

#include <string.h>

enum { WIDTH = 80 };

/* --- text --- */

static void print_head(const struct selftest_report *r, struct buf *out)
{
    struct table t;
    const char *const line[][2] = {{"psuite", r->version},
                                   {"machine", r->machine},
                                   {"kernel", r->kernel},
                                   {"processor", r->processor}};
    table_init(&t, "<selftest <");
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++)
        table_cells(&t, line[i][0], line[i][1][0] ? line[i][1] : "not known");
    table_print(&t, out, WIDTH);
}

static void print_number(struct table *t, const struct selftest_check *c, bool known, double value)
{
    if (known)
        table_cell(t, "%.*f", c->decimals, value);
    else
        table_cell(t, "-");
}

static void print_allowed(struct table *t, const struct selftest_check *c)
{
    if (!c->has_truth)
        table_cell(t, "-");
    else if (c->min == c->max)
        table_cell(t, "%.*f", c->decimals, c->min);
    else
        table_cell(t, "%.*f..%.*f", c->decimals, c->min, c->decimals, c->max);
}

static int print_checks(const struct selftest_report *r, struct buf *out)
{
    struct table t;
    table_init(&t, "<check >expected >allowed >measured <unit <verdict");
    for (size_t i = 0; i < r->count; i++) {
        const struct selftest_check *c = &r->check[i];
        table_cell(&t, "%s", c->name);
        print_number(&t, c, c->has_truth, c->expected);
        print_allowed(&t, c);
        print_number(&t, c, c->has_measured, c->measured);
        table_cells(&t, c->unit, selftest_word(selftest_verdict_of(c)));
    }
    return table_print(&t, out, WIDTH);
}

static bool same_cause(const struct selftest_check *a, const struct selftest_check *b)
{
    return strcmp(a->why, b->why) == 0 && strcmp(a->remedy, b->remedy) == 0 &&
           strcmp(a->how, b->how) == 0;
}

static bool has_note(const struct selftest_check *c)
{
    return c->why[0] || c->how[0];
}

/* Whether a check before has the same cause: it is printed there. */
static bool is_noted(const struct selftest_report *r, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_cause(&r->check[k], &r->check[i]))
            return true;
    return false;
}

static void add_names(const struct selftest_report *r, size_t i, struct buf *names)
{
    for (size_t k = i; k < r->count; k++)
        if (same_cause(&r->check[i], &r->check[k]))
            buf_printf(names, "%s%s", names->len ? ", " : "", r->check[k].name);
}

static void print_note(const struct selftest_report *r, size_t i, struct buf *out)
{
    const struct selftest_check *c = &r->check[i];
    SCOPED_BUF note = BUF_INIT;
    add_names(r, i, &note);
    buf_printf(&note, ": %s", c->why[0] ? c->why : c->how);
    buf_adds(out, "- ");
    text_fold(out, buf_str(&note), WIDTH - 2, 2);
    buf_addc(out, '\n');
    if (c->remedy[0]) {
        buf_adds(out, "      ");
        text_fold(out, c->remedy, WIDTH - 6, 6);
        buf_addc(out, '\n');
    }
}

static void print_notes(const struct selftest_report *r, struct buf *out)
{
    size_t notes = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (!has_note(&r->check[i]) || is_noted(r, i))
            continue;
        if (notes++ == 0)
            buf_addc(out, '\n');
        print_note(r, i, out);
    }
}

int selftest_text(const struct selftest_report *r, struct buf *out)
{
    print_head(r, out);
    buf_addc(out, '\n');
    int err = print_checks(r, out);
    print_notes(r, out);
    buf_printf(out, "\n%zu checks: %zu ok, %zu wrong, %zu not verified, %zu not available\n",
               r->count, selftest_sum(r, SELFTEST_OK), selftest_sum(r, SELFTEST_WRONG),
               selftest_sum(r, SELFTEST_NOT_VERIFIED), selftest_sum(r, SELFTEST_NOT_AVAILABLE));
    return err < 0 ? err : buf_error(out);
}

/* --- JSON --- */

static void json_head(struct json *j, const struct selftest_report *r)
{
    json_record(j, "selftest", "version machine kernel processor seconds.3", r->version, r->machine,
                r->kernel, r->processor, r->seconds);
}

static void json_check(struct json *j, const struct selftest_check *c)
{
    json_object(j, NULL);
    json_members(j, "name [unit] verdict", c->name, c->unit, selftest_word(selftest_verdict_of(c)));
    if (c->has_truth)
        json_members(j, "expected.6 min.6 max.6", c->expected, c->min, c->max);
    if (c->has_measured)
        json_num(j, "measured", c->measured, 6);
    json_members(j, "[how] [why] [remedy]", c->how, c->why, c->remedy);
    json_object_end(j);
}

static void json_summary(struct json *j, const struct selftest_report *r)
{
    json_record(j, "summary", "ok wrong not_verified not_available", selftest_sum(r, SELFTEST_OK),
                selftest_sum(r, SELFTEST_WRONG), selftest_sum(r, SELFTEST_NOT_VERIFIED),
                selftest_sum(r, SELFTEST_NOT_AVAILABLE));
}

int selftest_json(const struct selftest_report *r, struct buf *out)
{
    struct json j;
    json_start(&j, out, "doctor");
    json_head(&j, r);
    json_array(&j, "checks");
    for (size_t i = 0; i < r->count; i++)
        json_check(&j, &r->check[i]);
    json_array_end(&j);
    json_summary(&j, r);
    json_end(&j);
    return buf_error(out);
}
