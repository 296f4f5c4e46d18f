#include "engine/trace/function_run.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "function_types.h"
#include "plat/clock.h"
#include "plat/host.h"
#include "plat/limits.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 4096, MAX_CALLS = 1024 };

/* --- which functions --- */

static int add_function(struct function_run *t, const struct traced_function *one, struct fail *f)
{
    return GROW_ADD(t->function, t->function_cap, t->functions, *one)
               ? 0
               : fail_set(f, ENOMEM, "functions");
}

static int take_symbol(void *arg, const struct symbol *s, struct fail *f)
{
    struct function_run *t = arg;
    return add_function(t,
                        &(struct traced_function){.start = s->start,
                                                  .last = kernel_text_last(&t->text, s),
                                                  .symbol = s,
                                                  .args = KTRACE_ARGS},
                        f);
}

static bool is_in_list(const char *list, const char *call)
{
    char pattern[FUNCTION_LIST_NAME];
    bool found = false;
    while (!found && function_list_next(&list, pattern))
        found = function_name_matches(pattern, call, strlen(call));
    return found;
}

static bool is_call_asked_for(const struct function_run *t, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < t->want->patterns && !found; i++)
        found = is_in_list(t->want->pattern[i], name);
    return found;
}

static int no_such_call(const char *pattern, struct fail *f)
{
    fail_set(f, 0, "%s: there is no such system call", pattern);
    fail_hint(f, "quote patterns: --calls='open*'");
    return -ESRCH;
}

/* -ESRCH: one of the patterns matches none of the calls that were found. */
static int check_calls(const struct function_run *t, struct fail *f)
{
    char pattern[FUNCTION_LIST_NAME];
    for (size_t i = 0; i < t->want->patterns; i++)
        for (const char *list = t->want->pattern[i]; function_list_next(&list, pattern);) {
            bool found = false;
            for (size_t k = 0; k < t->functions && !found; k++) {
                const char *name = t->function[k].symbol->name;
                found = function_name_matches(pattern, name, strlen(name));
            }
            if (!found)
                return no_such_call(pattern, f);
        }
    return t->functions ? 0 : no_such_call(t->want->pattern[0], f);
}

/* By the table of this processor: programs of another kind have no such events. */
static int find_calls(struct function_run *t, struct fail *f)
{
    struct host host;
    host_describe(&host);
    enum syscall_machine machine = syscall_machine_by_name(host.machine);
    t->call = calloc(MAX_CALLS, sizeof *t->call);
    if (!t->call)
        return fail_set(f, ENOMEM, "system calls");
    for (uint32_t i = 0; i < MAX_CALLS; i++) {
        const char *name = syscall_name(machine, i);
        if (!name || !is_call_asked_for(t, name))
            continue;
        t->call[i].name = name;
        int r = add_function(t, &(struct traced_function){.symbol = &t->call[i]}, f);
        if (r < 0)
            return r;
    }
    return check_calls(t, f);
}

static int find_targets(struct function_run *t, struct fail *f)
{
    int r = t->want->calls ? find_calls(t, f) : kernel_text_read(&t->text, f);
    if (r == 0 && !t->want->calls)
        r = kernel_text_find(&t->text, t->want->pattern, t->want->patterns, take_symbol, t, f);
    if (r < 0)
        return r;
    r = t->want->calls ? ktrace_signatures_init(&t->signatures, t->functions) : function_types(t);
    return r < 0 ? fail_set(f, ENOMEM, "types of functions") : 0;
}

/* --- start --- */

static void take_call(void *arg, const struct ktrace_call *c)
{
    struct function_run *t = arg;
    t->count++;
    t->want->call(t->want->arg, t, c);
}

static void take_event(void *arg, const struct ktrace_event *e, const struct ktrace_more *more)
{
    struct function_run *t = arg;
    ktrace_calls_add(&t->calls, e, more);
}

static int start_tracing(struct function_run *t, const int *pid, size_t pids, struct fail *f)
{
    struct functions_want want = {.text = &t->text,
                                  .function = t->function,
                                  .count = t->functions,
                                  .buffer_bytes = t->want->tracing->buffer_bytes,
                                  .pid = pid,
                                  .pids = pids,
                                  .calls = t->want->calls ? &t->signatures : NULL,
                                  .stacks = t->want->stacks,
                                  .event = take_event,
                                  .arg = t};
    int r = functions_start(&t->run, &want, f);
    t->begin_ns = clock_mono_ns();
    return r;
}

static int start_command(struct function_run *t, struct fail *f)
{
    int r = child_hold(t->want->tracing->command, &t->command.child, f);
    if (r < 0)
        return r;
    r = start_tracing(t, &t->command.child.pid, 1, f);
    return tracing_release_command(&t->command, r, f);
}

static int start_processes(struct function_run *t, struct fail *f)
{
    const struct tracing_want *want = t->want->tracing;
    SCOPED_FREE int *thread = malloc(MAX_THREADS * sizeof *thread);
    int n = 0, r = 0;
    for (size_t i = 0; thread && i < want->pids && n < MAX_THREADS; i++) {
        int found = proc_threads(want->pid[i], thread + n, MAX_THREADS - n, i ? NULL : f);
        r = found < 0 && !n ? found : 0;
        n += found < 0 ? 0 : found < MAX_THREADS - n ? found : MAX_THREADS - n;
    }
    if (!thread)
        r = fail_set(f, ENOMEM, "threads");
    return r == 0 ? start_tracing(t, thread, (size_t)n, f) : r;
}

static int start_any(struct function_run *t, struct fail *f)
{
    return t->want->tracing->command ? start_command(t, f) : start_processes(t, f);
}

/* --- rounds --- */

static void run_rounds(struct function_run *t)
{
    const struct tracing_want *want = t->want->tracing;
    uint64_t end_ns = t->begin_ns + (uint64_t)(want->seconds * NS_PER_S);
    struct wait_on on[WAITED_ON] = {
        {.handle = interrupt_open()},
        {.handle = t->command.runs ? child_handle(&t->command.child) : -1}};
    bool go = true;
    int left;
    while (go && (left = tracing_ms_left(want, end_ns, FUNCTIONS_ROUND_MS)) > 0) {
        wait_ready(on, WAITED_ON, left);
        functions_round(&t->run);
        go = tracing_goes_on(&t->command, want, on) && t->want->round(t->want->arg, t);
    }
}

int function_run(const struct function_run_want *want, struct function_run *t, struct fail *f)
{
    *t = (struct function_run){.want = want};
    ktrace_calls_init(&t->calls, take_call, t);
    limits_first_victim();
    int r = find_targets(t, f);
    if (r < 0)
        return r;
    want->begin(want->arg, t);
    r = start_any(t, f);
    if (r == 0)
        run_rounds(t);
    int stopped = functions_stop(&t->run, r < 0 ? NULL : f);
    ktrace_calls_end(&t->calls);
    int waited = tracing_wait_command(&t->command, r < 0 || stopped < 0 ? NULL : f);
    return r < 0 ? r : stopped < 0 ? stopped : waited;
}

void function_run_release(struct function_run *t)
{
    ktrace_calls_release(&t->calls);
    ktrace_signatures_release(&t->signatures);
    kernel_text_release(&t->text);
    free(t->call);
    free(t->function);
    *t = (struct function_run){.want = NULL};
}

/* --- for reports --- */

static const char *name_function(void *arg, uint32_t function)
{
    return function_run_name(arg, function);
}

static const char *name_code(void *arg, uint64_t address, uint64_t *offset)
{
    const struct function_run *t = arg;
    const struct symbol *s = t->call ? NULL : kallsyms_find(&t->text.names, address);
    *offset = s ? address - s->start : 0;
    return s && s->name[0] ? s->name : NULL;
}

struct ktrace_shown function_run_shown(const struct function_run *t)
{
    return (struct ktrace_shown){.function = name_function,
                                 .code = name_code,
                                 .arg = (void *)(uintptr_t)t,
                                 .signatures = &t->signatures,
                                 .begin_ns = t->begin_ns};
}
