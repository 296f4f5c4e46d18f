/*
 * ktrace_where: conditions on calls: `count > 4096 && ret < 0'. A condition compares arg1 to arg6,
 * an argument by its name, or ret, with a number in C's notations: == != < <= > >=, and & for bits
 * that are set. All of those joined by && must hold. Of a function whose types are known each value
 * has its own type. Else values are unsigned, but ret is signed (see ktrace_signed), and so is all
 * that is compared with a number below 0.
 */
#pragma once

#include "core/base/fail.h"
#include "core/ktrace/calls.h"
#include "core/ktrace/signature.h"

enum { KTRACE_MAX_CONDITIONS = 8, KTRACE_WORD_BYTES = 48 };

struct ktrace_condition {
    char name[KTRACE_WORD_BYTES]; /* of an argument; empty: see value */
    uint8_t value; /* an argument's number from 0; KTRACE_MAX_ARGS: what it returned */
    char op[3];
    bool negative;
    uint64_t number;
};
struct ktrace_where {
    struct ktrace_condition condition[KTRACE_MAX_CONDITIONS];
    size_t count;
};

/* Adds the conditions of a text. -EINVAL: f has the part that is not understood. */
int ktrace_where_read(struct ktrace_where *w, const char *text, struct fail *f);

/* A call that has not returned has no ret, and some have no such argument: no condition on that
 * holds. */
bool ktrace_where_holds(const struct ktrace_where *w, const struct ktrace_call *c,
                        const struct ktrace_signature *s);

/* Whether a function whose types are known has all arguments that are named. */
bool ktrace_where_applies(const struct ktrace_where *w, const struct ktrace_signature *s);

/* What a function returned, as a number. Errors of functions that return an int are in its lower
 * half, above which the register is 0. */
int64_t ktrace_signed(uint64_t returned);

/* A time: `1ms', `500us', `0.5s', `200ns'. -EINVAL. */
int ktrace_read_time(const char *text, uint64_t *ns);
