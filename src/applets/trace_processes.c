/* The processes that trace is asked for: that they are there. */
#include "core/base/buf.h"
#include "plat/file.h"
#include "plat/file_stream.h"
#include "plat/proc.h"
#include "trace_request.h"

#include <errno.h>
#include <string.h>

/* As Plan 9's trace: of a process whose events FILE serves, ctl is in FILE's directory. */
static int order_trace(const char *file, int pid, struct fail *f)
{
    static const char order[] = "trace 1";
    const char *slash = strrchr(file, '/');
    SCOPED_BUF path = BUF_INIT;
    buf_printf(&path, "%.*s%d/ctl", slash ? (int)(slash - file + 1) : 0, file, pid);
    return file_extend(buf_str(&path), order, sizeof order - 1, f);
}

static int find_process(const struct trace_request *q, int pid, struct fail *f)
{
    if (!q->file)
        return proc_alive(pid) ? 0 : fail_set(f, ESRCH, "process %d", pid);
    return file_stream_kind(q->file) == FILE_SERVED ? order_trace(q->file, pid, f) : 0;
}

int trace_drop_missing(struct trace_request *q)
{
    size_t found = 0, asked = q->want.pids;
    struct fail f = {0};
    for (size_t i = 0; i < asked; i++)
        if (find_process(q, q->pid[i], &f) == 0)
            q->pid[found++] = q->pid[i];
        else
            applet_fail(&applet_trace, &f);
    q->want.pids = found;
    return asked && !found ? FAILED : DONE;
}

int trace_check_trigger(const struct trace_request *q)
{
    struct fail f;
    int pid = q->trigger.run_pid;
    if (!pid || q->file || proc_alive(pid))
        return DONE;
    fail_set(&f, ESRCH, "-t: process %d", pid);
    fail_hint(&f, "-s SECONDS is the time limit");
    return applet_fail(&applet_trace, &f);
}
