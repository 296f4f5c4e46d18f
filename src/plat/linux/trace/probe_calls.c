/* Texts of system calls: kprobes where their functions begin, and where the kernel has copied a
 * path. A page that is not in memory cannot be read at the beginning. */
#include "backends.h"
#include "probe_registers.h"
#include "probes.h"

#include <errno.h>
#include <stdio.h>

/* getname_flags returns a struct filename: its name, and where the process has it. */
#define PATH_FUNCTION "getname_flags"
#define PATH_ADDRESS  "+%zu($retval)"
#define PATH_TEXT     "+0(+0($retval))"

enum { RETURNS = 512 }; /* paths that are read at once */

static const char *const argument[] = {PROBE_CALL_ARGS};
enum { ARGUMENTS = sizeof argument / sizeof *argument };

static int define_call(struct trace *t, const char *tracefs, size_t i, const struct trace_probed *p)
{
    char name[TRACE_PROBE_NAME_BYTES];
    struct buf line = BUF_INIT;
    buf_printf(&line, "p:%s " PROBE_CALL "%.64s", trace_probe_name(t, i, false, name), p->place);
    for (unsigned a = 0; a < ARGUMENTS; a++)
        if (p->texts >> a & 1)
            buf_printf(&line, " a%u=%s:" PROBE_TYPE " s%u=+0(%s):ustring", a + 1, argument[a],
                       a + 1, argument[a]);
    return trace_probe_define(tracefs, &line);
}

static int define_paths(struct trace *t, const char *tracefs, size_t i)
{
    char name[TRACE_PROBE_NAME_BYTES];
    struct buf line = BUF_INIT;
    buf_printf(&line,
               "r%d:%s " PATH_FUNCTION " a1=" PATH_ADDRESS ":" PROBE_TYPE " s1=" PATH_TEXT
               ":string",
               RETURNS, trace_probe_name(t, i, true, name), sizeof(void *));
    return trace_probe_define(tracefs, &line);
}

/* One that the kernel refuses is left out. */
int trace_probe_call_texts(struct trace *t, const struct trace_probed *call, size_t n,
                           struct fail *f)
{
    char tracefs[PATH_MAX];
    int r = trace_probe_place(t, tracefs, f);
    for (size_t i = 0; r == 0 && i < n; i++) {
        int defined = call[i].texts ? define_call(t, tracefs, i, &call[i]) : 0;
        if (trace_probe_none(defined) && defined != -ENOENT) /* that of another name */
            r = trace_probe_refused(defined, f);
    }
    if (r == 0)
        define_paths(t, tracefs, n);
    return r;
}
