#include "core/ktrace/report.h"

#include "core/base/time_ns.h"
#include "core/base/time_unit.h"
#include "core/ktrace/where.h"
#include "core/text/shown.h"
#include "value.h"
#include "value_names.h"

#include <inttypes.h>
#include <stdio.h>

enum { INDENT = 2, STACK_INDENT = 24 };

static void add_duration(struct buf *out, uint64_t ns)
{
    struct time_unit unit = time_unit_of(KIND_TIME, (double)ns);
    buf_printf(out, "%.*f%s", unit.size > 1 ? 1 : 0, (double)ns / unit.size, unit.name);
}

static int64_t pid_of(const struct ktrace_call *c)
{
    return c->pid == KTRACE_NO_PID ? -1 : (int64_t)c->pid;
}

/* Of a function that is not known there are the registers that have arguments in most. */
static int arguments_of(const struct ktrace_signature *s)
{
    return s->known ? s->args : KTRACE_ARGS;
}

/* False: the value has no name. */
static bool add_value_name(const struct ktrace_shown *show, const struct ktrace_call *c, int i,
                           struct buf *out)
{
    const struct ktrace_type *type = &ktrace_signature(show->signatures, c->function)->arg[i];
    uint64_t value = c->arg[i];
    if (type->bytes == 4)
        value &= UINT32_MAX;
    return value_names_text(value_names_by(type->names, c->arg), show->signatures->machine, value,
                            out);
}

static void add_arguments(const struct ktrace_shown *show, const struct ktrace_call *c,
                          struct buf *out)
{
    const struct ktrace_signature *s = ktrace_signature(show->signatures, c->function);
    int count = arguments_of(s);
    for (int i = 0; i < count; i++) {
        buf_adds(out, i ? ", " : "");
        if (s->arg[i].name) {
            shown_adds(out, s->arg[i].name);
            buf_addc(out, '=');
        }
        if (!add_value_name(show, c, i, out))
            ktrace_value_text(show, &s->arg[i], c->arg[i], c->text[i], false, out);
    }
    if (s->more)
        buf_adds(out, count ? ", ..." : "...");
}

static void add_returned(const struct ktrace_shown *show, const struct ktrace_call *c,
                         struct buf *out)
{
    const struct ktrace_signature *s = ktrace_signature(show->signatures, c->function);
    if (s->returned.kind != KTRACE_NOTHING) {
        buf_adds(out, " = ");
        ktrace_value_text(show, &s->returned, c->returned, c->text[KTRACE_MAX_ARGS], true, out);
    }
    buf_adds(out, "  ");
    add_duration(out, ns_between(c->start, c->end));
}

/* Without the function itself, which is its first frame. */
static void add_stack(const struct ktrace_shown *show, const struct ktrace_call *c, struct buf *out)
{
    for (uint32_t i = 1; i < c->frames; i++) {
        buf_printf(out, "%*s", STACK_INDENT + INDENT * c->depth, "");
        ktrace_code_text(show, c->frame[i], out);
        buf_addc(out, '\n');
    }
}

void ktrace_call_text(const struct ktrace_shown *show, const struct ktrace_call *c, struct buf *out)
{
    buf_printf(out, "%12.6f %7" PRId64 " %*s", (double)ns_between(show->begin_ns, c->start) / 1e9,
               pid_of(c), INDENT * c->depth + 1, "");
    shown_adds(out, show->function(show->arg, c->function));
    buf_addc(out, '(');
    add_arguments(show, c, out);
    buf_addc(out, ')');
    if (c->ended)
        add_returned(show, c, out);
    else
        buf_adds(out, " = ?");
    buf_addc(out, '\n');
    add_stack(show, c, out);
}

/* --- JSON --- */

static void add_registers(const struct ktrace_call *c, int count, struct json *j)
{
    json_array(j, "args");
    for (int i = 0; i < count; i++)
        json_hex(j, NULL, c->arg[i]);
    json_array_end(j);
}

static void add_named(const struct ktrace_shown *show, const struct ktrace_call *c,
                      const struct ktrace_signature *s, struct json *j)
{
    json_object(j, "arguments");
    for (int i = 0; i < s->args; i++) {
        char number[16];
        snprintf(number, sizeof number, "arg%d", i + 1);
        const char *name = s->arg[i].name ? s->arg[i].name : number;
        ktrace_value_json(show, &s->arg[i], c->arg[i], c->text[i], name, j);
    }
    json_object_end(j);
}

/* Words only: numbers are above. */
static void add_value_names(const struct ktrace_shown *show, const struct ktrace_call *c,
                            const struct ktrace_signature *s, struct json *j)
{
    SCOPED_BUF name = BUF_INIT;
    bool any = false;
    for (int i = 0; i < s->args; i++) {
        buf_clear(&name);
        if (!add_value_name(show, c, i, &name) || !s->arg[i].name ||
            buf_str(&name)[0] < 'A') /* a digit or a sign */
            continue;
        if (!any)
            json_object(j, "names");
        any = true;
        json_str(j, s->arg[i].name, buf_str(&name));
    }
    if (any)
        json_object_end(j);
}

static void add_values(const struct ktrace_shown *show, const struct ktrace_call *c, struct json *j)
{
    const struct ktrace_signature *s = ktrace_signature(show->signatures, c->function);
    add_registers(c, arguments_of(s), j);
    if (s->known)
        add_named(show, c, s, j);
    if (s->known)
        add_value_names(show, c, s, j);
    if (!c->ended || s->returned.kind == KTRACE_NOTHING)
        json_null(j, "returned");
    else if (s->returned.kind != KTRACE_RAW)
        ktrace_value_json(show, &s->returned, c->returned, c->text[KTRACE_MAX_ARGS], "returned", j);
    else
        json_i64(j, "returned", ktrace_signed(c->returned));
}

static void add_stack_json(const struct ktrace_shown *show, const struct ktrace_call *c,
                           struct json *j)
{
    SCOPED_BUF name = BUF_INIT;
    if (!c->frames)
        return;
    json_array(j, "stack");
    for (uint32_t i = 1; i < c->frames; i++) {
        buf_clear(&name);
        ktrace_code_text(show, c->frame[i], &name);
        json_str(j, NULL, buf_str(&name));
    }
    json_array_end(j);
}

void ktrace_call_json(const struct ktrace_shown *show, const struct ktrace_call *c, struct json *j)
{
    json_members(j, "time_ns pid function depth", ns_between(show->begin_ns, c->start), pid_of(c),
                 show->function(show->arg, c->function), c->depth);
    add_values(show, c, j);
    json_members(j, "duration_ns", text_value_if(c->ended, ns_between(c->start, c->end)));
    add_stack_json(show, c, j);
}

void ktrace_call_chrome(const struct ktrace_shown *show, const struct ktrace_call *c,
                        struct json *j)
{
    json_object(j, NULL);
    json_members(j, "ph pid tid name ts/3", c->ended ? "X" : "B", 1, pid_of(c),
                 show->function(show->arg, c->function), ns_between(show->begin_ns, c->start));
    if (c->ended)
        json_decimal(j, "dur", ns_between(c->start, c->end), 3);
    json_object(j, "args");
    add_values(show, c, j);
    add_stack_json(show, c, j);
    json_object_end(j);
    json_object_end(j);
}
