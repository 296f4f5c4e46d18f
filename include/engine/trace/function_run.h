/*
 * function_run: traces calls of the kernel's functions from start to end: of a command, of
 * processes until they end, for some seconds, or until an interrupt. Times are ns on the monotonic
 * clock, which the scheduler's events have, too.
 *
 *     function_run(&want, &t, &f);
 *     function_run_release(&t);
 */
#pragma once

#include "core/ktrace/calls.h"
#include "core/ktrace/report.h"
#include "core/ktrace/signature.h"
#include "engine/trace/functions.h"
#include "engine/trace/trace.h"

struct function_run;

struct function_run_want {
    const char *const
        *pattern; /* `*' and `?' in names; MODULE:NAME of a module's functions alone */
    size_t patterns;
    bool calls;                         /* system calls instead of functions */
    bool stacks;                        /* with the stack of each call */
    const struct tracing_want *tracing; /* its command, pids, seconds, buffer_bytes */
    void (*begin)(void *arg, const struct function_run *t); /* the functions are known */
    void (*call)(void *arg, const struct function_run *t, const struct ktrace_call *c);
    bool (*round)(void *arg, const struct function_run *t); /* false ends the tracing */
    void *arg;
};

struct function_run {
    const struct function_run_want *want;
    struct kernel_text text; /* of system calls it is not read */
    struct symbol *call;     /* the system calls by number; NULL: they are functions */
    struct traced_function *function;
    size_t functions, function_cap;
    struct ktrace_signatures signatures;
    struct functions run;
    struct ktrace_calls calls;
    struct tracing_command command;
    uint64_t begin_ns;
    uint64_t count; /* calls so far */
};

/* -ESRCH: no function has such a name, or no process. */
int function_run(const struct function_run_want *want, struct function_run *t, struct fail *f);
void function_run_release(struct function_run *t);

static inline const char *function_run_name(const struct function_run *t, uint32_t function)
{
    return t->function[function].symbol->name;
}

/* For reports; t must stay. */
struct ktrace_shown function_run_shown(const struct function_run *t);
