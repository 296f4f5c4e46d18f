#include "core/ktrace/where.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERROR = 4095 }; /* include/linux/err.h */

int64_t ktrace_signed(uint64_t returned)
{
    bool is_int_error = returned >> 32 == 0 && (int32_t)(uint32_t)returned < 0 &&
                        (int32_t)(uint32_t)returned >= -MAX_ERROR;
    return is_int_error ? (int32_t)(uint32_t)returned : (int64_t)returned;
}

/* --- reading --- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

static bool read_value(const char **at, struct ktrace_condition *c)
{
    if (strncmp(*at, "ret", 3) == 0) {
        c->value = KTRACE_ARGS;
        *at += 3;
        return true;
    }
    if (strncmp(*at, "arg", 3) != 0 || (*at)[3] < '1' || (*at)[3] > '0' + KTRACE_ARGS)
        return false;
    c->value = (uint8_t)((*at)[3] - '1');
    *at += 4;
    return true;
}

static bool read_op(const char **at, struct ktrace_condition *c)
{
    static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">", "&"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strncmp(*at, ops[i], strlen(ops[i])) == 0) {
            strcpy(c->op, ops[i]);
            *at += strlen(ops[i]);
            return true;
        }
    return false;
}

static bool read_number(const char **at, struct ktrace_condition *c)
{
    char *end;
    c->negative = **at == '-';
    if (!isdigit((unsigned char)(*at)[c->negative]))
        return false;
    errno = 0;
    c->number = c->negative ? (uint64_t)strtoll(*at, &end, 0) : strtoull(*at, &end, 0);
    *at = end;
    return errno == 0;
}

static bool read_condition(const char **at, struct ktrace_condition *c)
{
    *at = skip_blanks(*at);
    if (!read_value(at, c))
        return false;
    *at = skip_blanks(*at);
    if (!read_op(at, c))
        return false;
    *at = skip_blanks(*at);
    if (!read_number(at, c))
        return false;
    *at = skip_blanks(*at);
    return true;
}

int ktrace_where_read(struct ktrace_where *w, const char *text, struct fail *f)
{
    for (const char *at = text;; at += 2) {
        const char *start = skip_blanks(at);
        if (w->count == KTRACE_MAX_CONDITIONS)
            return fail_set(f, 0, "%s: at most %d conditions", text, KTRACE_MAX_CONDITIONS);
        if (!read_condition(&at, &w->condition[w->count]) || (*at && strncmp(at, "&&", 2) != 0)) {
            fail_set(f, 0, "%s: not a condition", *start ? start : text);
            fail_hint(f, "conditions are like 'arg3 > 4096' or 'arg1 == 3 && ret < 0'");
            return -EINVAL;
        }
        w->count++;
        if (!*at)
            return 0;
    }
}

int ktrace_read_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;
    double v = isdigit((unsigned char)text[0]) || text[0] == '.' ? strtod(text, &end) : -1;
    for (size_t i = 0; v >= 0 && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0 && v * units[i].ns < 1e18) {
            *ns = (uint64_t)(v * units[i].ns + 0.5);
            return 0;
        }
    return -EINVAL;
}

/* --- judging --- */

static int compare_values(const struct ktrace_condition *c, uint64_t value)
{
    if (c->negative || c->value == KTRACE_ARGS)
        return (int64_t)value < (int64_t)c->number ? -1 : (int64_t)value > (int64_t)c->number;
    return value < c->number ? -1 : value > c->number;
}

static bool condition_holds(const struct ktrace_condition *c, const struct ktrace_call *call)
{
    bool returned = c->value == KTRACE_ARGS;
    uint64_t value = returned ? (uint64_t)ktrace_signed(call->returned) : call->arg[c->value];
    if (returned && !call->ended)
        return false;
    if (c->op[0] == '&')
        return (value & c->number) != 0;
    int order = compare_values(c, value);
    bool equal = c->op[1] == '=' && order == 0;
    return c->op[0] == '!'   ? order != 0
           : c->op[0] == '<' ? order < 0 || equal
           : c->op[0] == '>' ? order > 0 || equal
                             : order == 0;
}

bool ktrace_where_holds(const struct ktrace_where *w, const struct ktrace_call *c)
{
    for (size_t i = 0; i < w->count; i++)
        if (!condition_holds(&w->condition[i], c))
            return false;
    return true;
}
