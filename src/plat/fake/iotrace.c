/* Traced calls as a script, all of one thread of x86-64:
 *
 *   iofd FD PATH                       what a descriptor leads to; -100: the directory
 *   iostring ADDRESS TEXT              what is in the thread's memory
 *   iocall NUMBER RESULT [ARG...]      a call, a microsecond long
 *
 * It ends as the command of child.c's; fail iotrace ERRNO refuses to trace. */
#include "plat/iotrace.h"

#include "child_line.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD = 4711 };

struct iotrace {
    struct iotrace_callbacks callbacks;
};

static int start_trace(const struct iotrace_callbacks *callbacks, struct iotrace **out,
                       struct fail *f)
{
    int r = scenario_fail("iotrace", f);
    if (r < 0)
        return r;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail_set(f, ENOMEM, "tracing");
    (*out)->callbacks = *callbacks;
    return 0;
}

int iotrace_command(char *const argv[], const struct iotrace_callbacks *callbacks,
                    struct iotrace **out, struct fail *f)
{
    return start_trace(callbacks, out, f);
}

RETURNS(, void, iotrace_watch, struct iotrace *t)

int iotrace_process(int pid, const struct iotrace_callbacks *callbacks, struct iotrace **out,
                    struct fail *f)
{
    return start_trace(callbacks, out, f);
}

static bool read_call(const char *line, struct io_called *c)
{
    char *rest;
    *c = (struct io_called){.call = io_call_find(IO_X86_64, strtoull(line, &rest, 10))};
    c->result = strtoll(rest, &rest, 10);
    for (int i = 0; i < 6; i++)
        c->arg[i] = strtoull(rest, &rest, 0);
    return c->call != NULL;
}

static void play_calls(const struct iotrace_callbacks *callbacks)
{
    const char *line;
    struct io_called c;
    void *of = callbacks->thread_started(callbacks->arg, NULL, false);
    for (size_t i = 0; (line = scenario_nth("iocall", i)); i++) {
        if (!read_call(line, &c))
            continue;
        c.start_ns = i * 10000;
        c.end_ns = c.start_ns + 1000;
        if (callbacks->call_entered(callbacks->arg, of, THREAD, &c))
            callbacks->call_returned(callbacks->arg, &of, THREAD, &c);
    }
    callbacks->thread_exited(callbacks->arg, of);
}

int iotrace_run(struct iotrace *t, uint64_t end_ns, struct child_end *end, struct fail *f)
{
    play_calls(&t->callbacks);
    child_line_end(child_line(0), end);
    return 0;
}

/* All of it at once, so that the report has it. */
int iotrace_attach_held(int pid, const struct iotrace_callbacks *callbacks, struct iotrace **out,
                        struct fail *f)
{
    int r = start_trace(callbacks, out, f);
    if (r == 0)
        play_calls(callbacks);
    return r;
}

RETURNS(, void, iotrace_quiet, struct iotrace *t)
RETURNS(false, bool, iotrace_is_orphaned, const struct iotrace *t)
RETURNS("ptrace, seccomp", const char *, iotrace_method, const struct iotrace *t)
RETURNS(, void, iotrace_finish, struct iotrace *t, int status)

void iotrace_free(struct iotrace *t)
{
    free(t);
}

size_t iotrace_path(void *arg, int tid, int fd, char *to, size_t cap)
{
    const char *line;
    int n, at;
    for (size_t i = 0; (line = scenario_nth("iofd", i)); i++)
        if (sscanf(line, "%d %n", &n, &at) == 1 && n == fd)
            return (size_t)snprintf(to, cap, "%s", line + at);
    return 0;
}

bool iotrace_is_open(void *arg, int tid, int fd)
{
    char path[4096];
    return iotrace_path(arg, tid, fd, path, sizeof path) != 0;
}

int iotrace_string(int tid, uint64_t address, char *to, size_t cap)
{
    const char *line;
    char *text;
    for (size_t i = 0; (line = scenario_nth("iostring", i)); i++)
        if (strtoull(line, &text, 0) == address)
            return snprintf(to, cap, "%s", text + (*text == ' '));
    return -EFAULT;
}
