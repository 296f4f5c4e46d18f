#include "core/time/parameter.h"

#include "core/base/buf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_value(struct time_parameter *p, const char *text, size_t len)
{
    if (p->values == TIME_MAX_COMMANDS)
        return -E2BIG;
    p->value[p->values] = strndup(text, len);
    return p->value[p->values++] ? 0 : -ENOMEM;
}

static int add_list(struct time_parameter *p, const char *list)
{
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        int r = add_value(p, at, len);
        at += len;
        if (r < 0 || !*at)
            return r;
    }
}

/* FIRST..LAST or FIRST..LAST..STEP */
static bool is_range(const char *text, int *first, int *last, int *step)
{
    int end = 0;
    *step = 1;
    if (sscanf(text, "%9d..%9d%n", first, last, &end) == 2 && !text[end])
        return true;
    return sscanf(text, "%9d..%9d..%9d%n", first, last, step, &end) == 3 && !text[end] && *step > 0;
}

static int add_range(struct time_parameter *p, int first, int last, int step)
{
    int r = first <= last ? 0 : -EINVAL;
    for (int v = first; r == 0 && v <= last; v += step) {
        char text[16];
        snprintf(text, sizeof text, "%d", v);
        r = add_value(p, text, strlen(text));
    }
    return r;
}

int time_parameter_parse(const char *text, struct time_parameter *out)
{
    const char *equals = strchr(text, '=');
    int first, last, step;
    *out = (struct time_parameter){0};
    if (!equals || equals == text || !equals[1])
        return -EINVAL;
    out->name = strndup(text, (size_t)(equals - text));
    out->value = calloc(TIME_MAX_COMMANDS, sizeof *out->value);
    if (!out->name || !out->value)
        return -ENOMEM;
    if (is_range(equals + 1, &first, &last, &step))
        return add_range(out, first, last, step);
    return add_list(out, equals + 1);
}

void time_parameter_release(struct time_parameter *p)
{
    for (size_t i = 0; i < p->values; i++)
        free(p->value[i]);
    free(p->value);
    free(p->name);
    *p = (struct time_parameter){0};
}

size_t time_combinations(const struct time_parameter *p, size_t n)
{
    size_t all = 1;
    for (size_t i = 0; i < n && all; i++)
        all = all * p[i].values <= TIME_MAX_COMMANDS ? all * p[i].values : 0;
    return all;
}

/* The parameter whose name in braces begins at text, or NULL. */
static const struct time_parameter *named_at(const char *text, const struct time_parameter *p,
                                             size_t n, size_t *which)
{
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(p[i].name);
        if (strncmp(text + 1, p[i].name, len) == 0 && text[1 + len] == '}') {
            *which = i;
            return &p[i];
        }
    }
    return NULL;
}

const char *time_parameter_value(const struct time_parameter *p, size_t n, size_t which,
                                 size_t combination)
{
    for (size_t i = n - 1; i > which; i--)
        combination /= p[i].values;
    return p[which].value[combination % p[which].values];
}

char *time_parameter_fill(const char *text, const struct time_parameter *p, size_t n,
                          size_t combination)
{
    SCOPED_BUF out = BUF_INIT;
    size_t which;
    while (*text) {
        const struct time_parameter *one = *text == '{' ? named_at(text, p, n, &which) : NULL;
        if (one) {
            buf_adds(&out, time_parameter_value(p, n, which, combination));
            text += strlen(one->name) + 2;
        } else {
            buf_addc(&out, *text++);
        }
    }
    return buf_error(&out) ? NULL : strdup(buf_str(&out));
}
