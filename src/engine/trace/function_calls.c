#include "function_calls.h"

#include <errno.h>
#include <stdio.h>

enum { EVENT_BYTES = KTRACE_CALL_BYTES + 32 };

/* The events of a call whose format is there; -ENOENT. */
static int find_event(struct functions *t, const char *call, char enter[EVENT_BYTES],
                      struct buf *format)
{
    char name[KTRACE_CALL_NAMES][KTRACE_CALL_BYTES];
    int count = ktrace_call_names(call, name), r = -ENOENT;
    for (int i = 0; i < count && r < 0; i++) {
        snprintf(enter, EVENT_BYTES, "syscalls/sys_enter_%.*s", KTRACE_CALL_BYTES - 1, name[i]);
        r = trace_text(t->trace, enter, format);
    }
    return r;
}

/* sys_enter_NAME becomes sys_exit_NAME. */
static void name_exit(const char *enter, char exit[EVENT_BYTES])
{
    snprintf(exit, EVENT_BYTES, "syscalls/sys_exit_%s", enter + sizeof "syscalls/sys_enter_" - 1);
}

static int learn_call(struct functions *t, uint32_t i)
{
    char enter[EVENT_BYTES], exit[EVENT_BYTES];
    struct buf format = BUF_INIT;
    int r = find_event(t, t->want.function[i].symbol->name, enter, &format);
    if (r == 0)
        r = ktrace_call_learn(&t->decoder, t->want.calls, i, false, buf_str(&format), format.len);
    name_exit(enter, exit);
    buf_clear(&format);
    if (r == 0)
        r = trace_text(t->trace, exit, &format);
    if (r == 0)
        r = ktrace_call_learn(&t->decoder, t->want.calls, i, true, buf_str(&format), format.len);
    buf_release(&format);
    return r;
}

int function_calls_learn(struct functions *t, struct fail *f)
{
    if (!trace_has_pages(t->trace)) {
        fail_set(f, EOPNOTSUPP, "system calls with arguments: tracefs cannot be written");
        return -EOPNOTSUPP;
    }
    for (uint32_t i = 0; i < t->want.count; i++) {
        int r = learn_call(t, i);
        if (r == -ENOMEM)
            return fail_set(f, ENOMEM, "events of system calls");
        t->refused += r < 0;
    }
    if (t->refused < t->want.count)
        return 0;
    fail_set(f, 0, "the kernel has no events of system calls");
    fail_hint(f, "it needs CONFIG_FTRACE_SYSCALLS");
    return -ESRCH;
}

int function_calls_enable(struct functions *t, struct fail *f)
{
    int r = 0;
    for (uint32_t i = 0; r == 0 && i < t->want.count; i++) {
        char enter[EVENT_BYTES], exit[EVENT_BYTES];
        struct buf format = BUF_INIT;
        bool found = find_event(t, t->want.function[i].symbol->name, enter, &format) == 0;
        buf_release(&format);
        name_exit(enter, exit);
        if (found)
            r = trace_enable(t->trace, enter, f);
        if (found && r == 0)
            r = trace_enable(t->trace, exit, f);
    }
    return r;
}
