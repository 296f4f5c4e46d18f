/*
 * time_parameter: {NAME} in a command, replaced by one value after another; with several
 * parameters, by each combination of their values.
 */
#pragma once

#include <stddef.h>

enum { TIME_MAX_COMMANDS = 1000 };

struct time_parameter {
    char *name, **value;
    size_t values;
};

/* NAME=VALUE,VALUE... or NAME=FIRST..LAST or NAME=FIRST..LAST..STEP of whole numbers. 0; -EINVAL:
 * it is not of that form; -E2BIG: over TIME_MAX_COMMANDS values; -ENOMEM. To be released in any
 * case. */
int time_parameter_parse(const char *text, struct time_parameter *out);
void time_parameter_release(struct time_parameter *p);

/* 1 without parameters; 0: over TIME_MAX_COMMANDS. */
size_t time_combinations(const struct time_parameter *p, size_t n);

/* The value of one of the n parameters in a combination. */
const char *time_parameter_value(const struct time_parameter *p, size_t n, size_t which,
                                 size_t combination);

/* The text for one combination; the last parameter changes fastest. NULL without memory; the caller
 * frees it. */
char *time_parameter_fill(const char *text, const struct time_parameter *p, size_t n,
                          size_t combination);
