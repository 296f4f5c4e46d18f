#include "function_calls.h"

#include "plat/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *name_of(const char *enter)
{
    return enter + sizeof "syscalls/sys_enter_" - 1;
}

static void name_exit(const char *enter, char exit[EVENT_BYTES])
{
    snprintf(exit, EVENT_BYTES, "syscalls/sys_exit_%s", name_of(enter));
}

static int learn_call(struct functions *t, enum syscall_machine machine, uint32_t i)
{
    char enter[EVENT_BYTES], exit[EVENT_BYTES];
    SCOPED_BUF format = BUF_INIT;
    int r = find_event(t, t->want.function[i].symbol->name, enter, &format);
    if (r == 0)
        r = ktrace_call_learn(&t->decoder, t->want.calls, i, false, buf_str(&format), format.len);
    name_exit(enter, exit);
    buf_clear(&format);
    if (r == 0)
        r = trace_text(t->trace, exit, &format);
    if (r == 0)
        r = ktrace_call_learn(&t->decoder, t->want.calls, i, true, buf_str(&format), format.len);
    if (r == 0)
        ktrace_call_name_values(t->want.calls, i, t->want.function[i].symbol->name, machine);
    return r;
}

/* --- texts: where the kernel has no probes, they are shown as addresses --- */

static unsigned texts_of(const struct functions *t, uint32_t i)
{
    const struct ktrace_signature *s = ktrace_signature(t->want.calls, i);
    unsigned texts = 0;
    for (unsigned a = 0; a < s->args; a++)
        if (s->arg[a].kind == KTRACE_TEXT)
            texts |= 1U << a;
    return texts;
}

/* Each has its place in `names', which does not move any more. */
static size_t list_texts(struct functions *t, struct trace_probed *call, struct buf *names)
{
    size_t texts = 0;
    char enter[EVENT_BYTES];
    for (uint32_t i = 0; i < t->want.count; i++) {
        SCOPED_BUF format = BUF_INIT;
        bool found =
            texts_of(t, i) && find_event(t, t->want.function[i].symbol->name, enter, &format) == 0;
        call[i] = (struct trace_probed){.texts = found ? texts_of(t, i) : 0};
        buf_adds(names, found ? name_of(enter) : "");
        buf_addc(names, '\0');
        texts += found;
    }
    const char *at = buf_str(names);
    for (uint32_t i = 0; i < t->want.count && !buf_error(names); i++, at += strlen(at) + 1)
        call[i].place = at;
    return buf_error(names) ? 0 : texts;
}

/* The event of one that was refused is not there. */
static int learn_texts(struct functions *t, size_t i, bool exit)
{
    char name[TRACE_PROBE_NAME_BYTES];
    SCOPED_BUF format = BUF_INIT;
    int r = trace_text(t->trace, trace_probe_name(t->trace, i, exit, name), &format);
    if (r == 0)
        r = ktrace_decoder_learn_texts(&t->decoder, buf_str(&format), format.len);
    t->has_texts = t->has_texts || r == 0;
    return r == -ENOMEM ? r : 0;
}

static int probe_texts(struct functions *t, const struct trace_probed *call)
{
    int r = trace_probe_call_texts(t->trace, call, t->want.count, NULL);
    for (size_t i = 0; r == 0 && i < t->want.count; i++)
        r = call[i].texts ? learn_texts(t, i, false) : 0;
    if (r == 0)
        r = learn_texts(t, t->want.count, true);
    return r == -ENOMEM ? r : 0;
}

static int function_calls_probe(struct functions *t, struct fail *f)
{
    SCOPED_BUF names = BUF_INIT;
    SCOPED_FREE struct trace_probed *call = calloc(t->want.count, sizeof *call);
    int r = call ? 0 : -ENOMEM;
    if (call && list_texts(t, call, &names))
        r = probe_texts(t, call);
    r = r < 0 ? r : buf_error(&names);
    return r < 0 ? fail_set(f, -r, "texts of system calls") : 0;
}

/* --- all --- */

int function_calls_learn(struct functions *t, struct fail *f)
{
    struct host host;
    host_describe(&host);
    enum syscall_machine machine = syscall_machine_by_name(host.machine);
    if (!trace_has_pages(t->trace)) {
        fail_set(f, EOPNOTSUPP, "system calls with arguments: tracefs cannot be written");
        return -EOPNOTSUPP;
    }
    for (uint32_t i = 0; i < t->want.count; i++) {
        int r = learn_call(t, machine, i);
        if (r == -ENOMEM)
            return fail_set(f, ENOMEM, "events of system calls");
        t->refused += r < 0;
    }
    if (t->refused < t->want.count)
        return function_calls_probe(t, f);
    fail_set(f, 0, "the kernel has no events of system calls");
    fail_hint(f, "it needs CONFIG_FTRACE_SYSCALLS");
    return -ESRCH;
}

/* Texts first: each has its call before it. */
int function_calls_enable(struct functions *t, struct fail *f)
{
    char group[TRACE_PROBE_NAME_BYTES];
    int r = 0;
    if (t->has_texts) /* without them, texts are addresses */
        trace_enable(t->trace, trace_probe_group(t->trace, group), NULL);
    for (uint32_t i = 0; r == 0 && i < t->want.count; i++) {
        char enter[EVENT_BYTES], exit[EVENT_BYTES];
        SCOPED_BUF format = BUF_INIT;
        bool found = find_event(t, t->want.function[i].symbol->name, enter, &format) == 0;
        name_exit(enter, exit);
        if (found)
            r = trace_enable(t->trace, enter, f);
        if (found && r == 0)
            r = trace_enable(t->trace, exit, f);
    }
    return r;
}
