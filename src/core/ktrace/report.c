#include "core/ktrace/report.h"

#include "core/base/time_unit.h"
#include "core/ktrace/where.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAX_ERROR = 4095, MAX_PLAIN = 0xffffff, INDENT = 2 };

/* Small numbers are decimal; others are addresses or flags, as far as anyone can know. */
static void add_value(struct buf *out, uint64_t value)
{
    int64_t number = ktrace_signed(value);
    if (number >= -MAX_ERROR && number <= MAX_PLAIN)
        buf_printf(out, "%" PRId64, number);
    else
        buf_printf(out, "0x%" PRIx64, value);
}

static void add_duration(struct buf *out, uint64_t ns)
{
    struct time_unit unit = time_unit_of(KIND_TIME, (double)ns);
    buf_printf(out, "%.*f%s", unit.size > 1 ? 1 : 0, (double)ns / unit.size, unit.name);
}

static uint64_t since(uint64_t begin_ns, uint64_t time_ns)
{
    return time_ns > begin_ns ? time_ns - begin_ns : 0;
}

static int64_t pid_of(const struct ktrace_call *c)
{
    return c->pid == KTRACE_NO_PID ? -1 : (int64_t)c->pid;
}

void ktrace_call_text(const struct ktrace_call *c, const char *name, uint64_t begin_ns,
                      struct buf *out)
{
    buf_printf(out, "%12.6f %7" PRId64 " %*s", (double)since(begin_ns, c->start) / 1e9, pid_of(c),
               INDENT * c->depth + 1, "");
    shown_adds(out, name);
    for (int i = 0; i < KTRACE_ARGS; i++) {
        buf_adds(out, i ? ", " : "(");
        add_value(out, c->arg[i]);
    }
    buf_adds(out, ") = ");
    if (c->ended) {
        add_value(out, c->returned);
        buf_adds(out, "  ");
        add_duration(out, since(c->start, c->end));
    } else {
        buf_adds(out, "?");
    }
    buf_addc(out, '\n');
}

static void add_arguments(const struct ktrace_call *c, struct json *j)
{
    json_array(j, "args");
    for (int i = 0; i < KTRACE_ARGS; i++)
        json_hex(j, NULL, c->arg[i]);
    json_array_end(j);
    if (c->ended)
        json_i64(j, "returned", ktrace_signed(c->returned));
    else
        json_null(j, "returned");
}

void ktrace_call_json(const struct ktrace_call *c, const char *name, uint64_t begin_ns,
                      struct json *j)
{
    json_u64(j, "time_ns", since(begin_ns, c->start));
    json_i64(j, "pid", pid_of(c));
    json_str(j, "function", name);
    json_u64(j, "depth", c->depth);
    add_arguments(c, j);
    if (c->ended)
        json_u64(j, "duration_ns", since(c->start, c->end));
    else
        json_null(j, "duration_ns");
}

void ktrace_call_chrome(const struct ktrace_call *c, const char *name, uint64_t begin_ns,
                        struct json *j)
{
    json_object(j, NULL);
    json_str(j, "ph", c->ended ? "X" : "B");
    json_i64(j, "pid", 1);
    json_i64(j, "tid", pid_of(c));
    json_str(j, "name", name);
    json_decimal(j, "ts", since(begin_ns, c->start), 3);
    if (c->ended)
        json_decimal(j, "dur", since(c->start, c->end), 3);
    json_object(j, "args");
    add_arguments(c, j);
    json_object_end(j);
    json_object_end(j);
}
