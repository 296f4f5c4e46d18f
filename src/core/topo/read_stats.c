/* The machine and the human form: a record a function. */
#include "quoted.h"
#include "read_forms.h"

#include "core/base/buf.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

struct record {
    uint32_t function;
    uint64_t total, local, calls, depths;
};

static void skip_blanks(struct topo_text *x)
{
    while (x->at < x->end && isspace((unsigned char)*x->at))
        x->at++;
}

static bool fail_at(struct topo_text *x, const char *wrong)
{
    if (!x->wrong)
        x->wrong = wrong;
    return false;
}

/* Behind blanks; what cannot be read is named by its own text. */
static bool skip_word(struct topo_text *x, const char *word, const char *wrong)
{
    size_t len = strlen(word);
    skip_blanks(x);
    if ((size_t)(x->end - x->at) < len || memcmp(x->at, word, len) != 0)
        return fail_at(x, wrong);
    x->at += len;
    return true;
}

static bool is_next(struct topo_text *x, char c)
{
    skip_blanks(x);
    return x->at < x->end && *x->at == c;
}

static bool read_number(struct topo_text *x, uint64_t *out)
{
    const char *first;
    skip_blanks(x);
    *out = 0;
    for (first = x->at; x->at < x->end && isdigit((unsigned char)*x->at); x->at++)
        if (__builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(*x->at - '0'), out))
            return fail_at(x, "a number is too large");
    return x->at > first || fail_at(x, "a number is missing");
}

/* [ITEM, ITEM]: read_item reads one. */
static bool read_list(struct topo_text *x, struct topo *t, struct record *r,
                      bool (*read_item)(struct topo_text *, struct topo *, struct record *))
{
    if (!skip_word(x, "[", "a list [...] is missing"))
        return false;
    if (!is_next(x, ']'))
        do
            if (!read_item(x, t, r))
                return false;
        while (is_next(x, ',') && x->at++);
    return skip_word(x, "]", "a list does not end with ]");
}

static bool read_depth(struct topo_text *x, struct topo *t, struct record *r)
{
    uint64_t depth;
    if (!read_number(x, &depth))
        return false;
    if (depth > TOPO_MAX_DEPTH)
        return fail_at(x, "a call depth is too large");
    topo_add_depths(t, r->function, (uint32_t)depth, 1);
    r->depths++;
    return true;
}

/* TOPO_NONE also without memory. */
static uint32_t read_name(struct topo_text *x, struct topo *t)
{
    SCOPED_BUF name = BUF_INIT;
    skip_blanks(x);
    const char *start = x->at;
    bool read = quoted_read(&x->at, x->end, &name);
    if (!read) {
        x->at = start;
        fail_at(x, "a name in quotes is missing");
    }
    return read && !buf_error(&name) ? topo_function(t, buf_str(&name)) : TOPO_NONE;
}

static bool read_caller(struct topo_text *x, struct topo *t, struct record *r)
{
    uint32_t caller = read_name(x, t);
    topo_relate(t, caller, r->function, 0, 0);
    return caller != TOPO_NONE;
}

static bool read_callee(struct topo_text *x, struct topo *t, struct record *r)
{
    uint32_t callee = read_name(x, t);
    topo_relate(t, r->function, callee, 0, 0);
    return callee != TOPO_NONE;
}

static bool check_record(struct topo_text *x, const struct record *r)
{
    if (r->calls != r->depths)
        return fail_at(x, "the call count is not the number of depths");
    if (!r->calls)
        return fail_at(x, "a function without a call");
    return r->local <= r->total || fail_at(x, "more local time than total time");
}

static bool add_times(struct topo_text *x, struct topo *t, const struct record *r)
{
    t->function[r->function].total = r->total;
    t->function[r->function].local = r->local;
    return check_record(x, r);
}

static bool is_new(struct topo_text *x, const struct topo *t, uint32_t function)
{
    return function != TOPO_NONE &&
           (!t->function[function].calls || fail_at(x, "a function a second time"));
}

static bool read_machine_record(struct topo_text *x, struct topo *t)
{
    static const char comma[] = "a comma is missing";
    struct record r = {0};
    return skip_word(x, machine_start, "not a record of topo") &&
           is_new(x, t, r.function = read_name(x, t)) && skip_word(x, ",", comma) &&
           read_number(x, &r.total) && skip_word(x, ",", comma) && read_number(x, &r.local) &&
           skip_word(x, ",", comma) && read_list(x, t, &r, read_depth) &&
           skip_word(x, ",", comma) && read_number(x, &r.calls) && skip_word(x, ",", comma) &&
           read_list(x, t, &r, read_caller) && skip_word(x, ",", comma) &&
           read_list(x, t, &r, read_callee) && skip_word(x, ")", "a ) is missing") &&
           add_times(x, t, &r);
}

/* Up to its total time on the same line. */
static uint32_t read_plain_name(struct topo_text *x, struct topo *t)
{
    SCOPED_BUF name = BUF_INIT;
    skip_blanks(x);
    const char *newline = memchr(x->at, '\n', (size_t)(x->end - x->at));
    const char *stop = newline ? newline : x->end;
    const char *end = memmem(x->at, (size_t)(stop - x->at), human_total, strlen(human_total));
    if (end)
        buf_add(&name, x->at, (size_t)(end - x->at));
    bool named = name.len && !memchr(name.data, '\0', name.len);
    if (!named)
        fail_at(x, "not a record of topo");
    uint32_t i = named && !buf_error(&name) ? topo_function(t, name.data) : TOPO_NONE;
    x->at += named ? name.len : 0;
    return i;
}

static bool read_human_record(struct topo_text *x, struct topo *t)
{
    struct record r = {0};
    return is_new(x, t, r.function = read_plain_name(x, t)) &&
           skip_word(x, human_total, "`total time:' is missing") && read_number(x, &r.total) &&
           skip_word(x, ", contrib time:", "`contrib time:' is missing") &&
           read_number(x, &r.local) && skip_word(x, ", depths:", "`depths:' is missing") &&
           read_list(x, t, &r, read_depth) &&
           skip_word(x, ", call count:", "`call count:' is missing") && read_number(x, &r.calls) &&
           skip_word(x, ", callers:", "`callers:' is missing") &&
           read_list(x, t, &r, read_caller) &&
           skip_word(x, ", callees:", "`callees:' is missing") &&
           read_list(x, t, &r, read_callee) && add_times(x, t, &r);
}

static int read_records(struct topo_text *x, struct topo *t,
                        bool (*read_record)(struct topo_text *, struct topo *))
{
    for (skip_blanks(x); x->at < x->end; skip_blanks(x))
        if (!read_record(x, t))
            return x->wrong ? -EINVAL : -ENOMEM;
    for (size_t i = 0; i < t->functions; i++)
        if (!t->function[i].calls) {
            fail_at(x, "the record of a function that is named before is missing");
            return -EINVAL;
        }
    return 0;
}

int read_machine(struct topo_text *text, struct topo *t)
{
    return read_records(text, t, read_machine_record);
}

int read_human(struct topo_text *text, struct topo *t)
{
    return read_records(text, t, read_human_record);
}
