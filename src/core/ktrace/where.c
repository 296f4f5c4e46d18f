#include "core/ktrace/where.h"

#include "core/base/duration.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
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

static const char **skip_blanks(const char **at)
{
    *at += strspn(*at, " \t");
    return at;
}

/* `ret', `arg1' and so on; anything else is an argument's name. */
static void name_value(struct ktrace_condition *c, const char *word, size_t len)
{
    bool numbered = len == 4 && strncmp(word, "arg", 3) == 0 && word[3] >= '1' &&
                    word[3] <= '0' + KTRACE_MAX_ARGS;
    c->name[0] = '\0';
    if (len == 3 && strncmp(word, "ret", 3) == 0)
        c->value = KTRACE_MAX_ARGS;
    else if (numbered)
        c->value = (uint8_t)(word[3] - '1');
    else
        snprintf(c->name, sizeof c->name, "%.*s", (int)len, word);
}

static bool is_reserved(const char *word, size_t len)
{
    return len == 4 && strncmp(word, "arg", 3) == 0 && isdigit((unsigned char)word[3]) &&
           (word[3] < '1' || word[3] > '0' + KTRACE_MAX_ARGS);
}

static bool read_value(const char **at, struct ktrace_condition *c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t len = strspn(*at, letters);
    if (!len || len >= KTRACE_WORD_BYTES || isdigit((unsigned char)**at) || is_reserved(*at, len))
        return false;
    name_value(c, *at, len);
    *at += len;
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
    return read_value(skip_blanks(at), c) && read_op(skip_blanks(at), c) &&
           read_number(skip_blanks(at), c) && skip_blanks(at);
}

int ktrace_where_read(struct ktrace_where *w, const char *text, struct fail *f)
{
    for (const char *at = text;; at += 2) {
        const char *start = *skip_blanks(&at);
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
    double time_ns;
    if (!duration_parse(text, 0, &time_ns) || time_ns >= 1e18)
        return -EINVAL;
    *ns = (uint64_t)(time_ns + 0.5);
    return 0;
}

/* --- judging --- */

/* The argument's number, or what stands for the returned value; -1: the function has none. */
static int find_value(const struct ktrace_condition *c, const struct ktrace_signature *s)
{
    if (!c->name[0])
        return c->value < KTRACE_MAX_ARGS && s->known && c->value >= s->args ? -1 : c->value;
    for (int i = 0; i < s->args; i++)
        if (s->arg[i].name && strcmp(s->arg[i].name, c->name) == 0)
            return i;
    return -1;
}

struct value {
    uint64_t number;
    bool is_signed;
};

static struct value value_of(const struct ktrace_call *call, const struct ktrace_signature *s,
                             int which)
{
    bool returned = which == KTRACE_MAX_ARGS;
    const struct ktrace_type *type = returned ? &s->returned : &s->arg[which];
    uint64_t reg = returned ? call->returned : call->arg[which];
    if (s->known && type->kind != KTRACE_RAW)
        return (struct value){ktrace_value(type, reg), ktrace_is_signed(type)};
    return (struct value){returned ? (uint64_t)ktrace_signed(reg) : reg, returned};
}

static int compare_values(const struct ktrace_condition *c, const struct value *v)
{
    uint64_t a = v->number, b = c->number;
    if (c->negative || v->is_signed)
        return (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b;
    return a < b ? -1 : a > b;
}

static bool is_in_order(const char *op, int order)
{
    bool equal = op[1] == '=' && order == 0;
    return op[0] == '!'   ? order != 0
           : op[0] == '<' ? order < 0 || equal
           : op[0] == '>' ? order > 0 || equal
                          : order == 0;
}

static bool condition_holds(const struct ktrace_condition *c, const struct ktrace_call *call,
                            const struct ktrace_signature *s)
{
    int which = find_value(c, s);
    if (which < 0 || (which == KTRACE_MAX_ARGS && !call->ended))
        return false;
    struct value v = value_of(call, s, which);
    return c->op[0] == '&' ? (v.number & c->number) != 0
                           : is_in_order(c->op, compare_values(c, &v));
}

bool ktrace_where_holds(const struct ktrace_where *w, const struct ktrace_call *c,
                        const struct ktrace_signature *s)
{
    for (size_t i = 0; i < w->count; i++)
        if (!condition_holds(&w->condition[i], c, s))
            return false;
    return true;
}

bool ktrace_where_applies(const struct ktrace_where *w, const struct ktrace_signature *s)
{
    for (size_t i = 0; i < w->count; i++)
        if (find_value(&w->condition[i], s) < 0)
            return false;
    return true;
}
