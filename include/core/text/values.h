/*
 * values: up to 16 values of different types as one argument, TEXT_VALUES(pid, name, 0.5). What is
 * written of them is decided by their type: members of JSON (core/text/json.h), cells of a table
 * (core/text/table.h). NULL is nothing: null in JSON, `-' in a table. A value that may be a number
 * or nothing is KNOWN ? text_value_u64(NUMBER) : text_value_text(NULL).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct text_value {
    enum { VALUE_END, VALUE_U64, VALUE_I64, VALUE_BOOL, VALUE_DOUBLE, VALUE_TEXT } type;
    union {
        uint64_t u64;
        int64_t i64;
        double number;
        const char *text;
    };
};

static inline struct text_value text_value_u64(uint64_t v)
{
    return (struct text_value){.type = VALUE_U64, .u64 = v};
}

static inline struct text_value text_value_i64(int64_t v)
{
    return (struct text_value){.type = VALUE_I64, .i64 = v};
}

static inline struct text_value text_value_bool(bool v)
{
    return (struct text_value){.type = VALUE_BOOL, .u64 = v};
}

static inline struct text_value text_value_double(double v)
{
    return (struct text_value){.type = VALUE_DOUBLE, .number = v};
}

static inline struct text_value text_value_text(const char *v)
{
    return (struct text_value){.type = VALUE_TEXT, .text = v};
}

/* A number, if it is known. */
static inline struct text_value text_value_if(bool known, uint64_t v)
{
    return known ? text_value_u64(v) : text_value_text(0);
}

static inline struct text_value text_value_same(struct text_value v)
{
    return v;
}

/* clang-format off */
#define TEXT_VALUE(v) _Generic((v), struct text_value: text_value_same, \
    char *: text_value_text, const char *: text_value_text, void *: text_value_text, /* NULL */ \
    signed char: text_value_i64, short: text_value_i64, int: text_value_i64, \
    long: text_value_i64, long long: text_value_i64, \
    float: text_value_double, double: text_value_double, default: text_value_u64)(v)

#define TEXT_1(v)       TEXT_VALUE(v)
#define TEXT_2(v, ...)  TEXT_VALUE(v), TEXT_1(__VA_ARGS__)
#define TEXT_3(v, ...)  TEXT_VALUE(v), TEXT_2(__VA_ARGS__)
#define TEXT_4(v, ...)  TEXT_VALUE(v), TEXT_3(__VA_ARGS__)
#define TEXT_5(v, ...)  TEXT_VALUE(v), TEXT_4(__VA_ARGS__)
#define TEXT_6(v, ...)  TEXT_VALUE(v), TEXT_5(__VA_ARGS__)
#define TEXT_7(v, ...)  TEXT_VALUE(v), TEXT_6(__VA_ARGS__)
#define TEXT_8(v, ...)  TEXT_VALUE(v), TEXT_7(__VA_ARGS__)
#define TEXT_9(v, ...)  TEXT_VALUE(v), TEXT_8(__VA_ARGS__)
#define TEXT_10(v, ...) TEXT_VALUE(v), TEXT_9(__VA_ARGS__)
#define TEXT_11(v, ...) TEXT_VALUE(v), TEXT_10(__VA_ARGS__)
#define TEXT_12(v, ...) TEXT_VALUE(v), TEXT_11(__VA_ARGS__)
#define TEXT_13(v, ...) TEXT_VALUE(v), TEXT_12(__VA_ARGS__)
#define TEXT_14(v, ...) TEXT_VALUE(v), TEXT_13(__VA_ARGS__)
#define TEXT_15(v, ...) TEXT_VALUE(v), TEXT_14(__VA_ARGS__)
#define TEXT_16(v, ...) TEXT_VALUE(v), TEXT_15(__VA_ARGS__)
#define TEXT_COUNT(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, COUNTED, ...) COUNTED
#define TEXT_VALUES(...) \
    ((const struct text_value[]){TEXT_COUNT(__VA_ARGS__, TEXT_16, TEXT_15, TEXT_14, TEXT_13, \
        TEXT_12, TEXT_11, TEXT_10, TEXT_9, TEXT_8, TEXT_7, TEXT_6, TEXT_5, TEXT_4, TEXT_3, TEXT_2, \
        TEXT_1, )(__VA_ARGS__), {.type = VALUE_END}})
/* clang-format on */
