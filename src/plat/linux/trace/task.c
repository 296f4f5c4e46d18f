/* Requests related to a trace: deadlines, and marks in other processes' traces. */
#include "plat/trace.h"

#include "files.h"
#include "fs/tracefs.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* include/uapi/linux/sched/types.h, its first version. */
struct attr {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};
enum { POLICY_DEADLINE = 6 };

int trace_deadline(int pid, struct trace_deadline *out)
{
    struct attr a = {.size = sizeof a};
    if (syscall(SYS_sched_getattr, pid, &a, sizeof a, 0) < 0)
        return -errno;
    if (a.policy != POLICY_DEADLINE)
        return -EINVAL;
    *out = (struct trace_deadline){a.runtime, a.deadline, a.period ? a.period : a.deadline};
    return 0;
}

/* PROC_PID_INIT_INO of the kernel's include/linux/proc_ns.h: the first namespace's. */
bool trace_names_ours(void)
{
    enum { FIRST = 0xEFFFFFFC };
    struct stat s;
    return stat("/proc/self/ns/pid", &s) < 0 || (uint32_t)s.st_ino == (uint32_t)FIRST;
}

struct marking {
    const char *text;
    int marked, err;
};

static void mark_one(void *arg, const char *dir, int pid)
{
    struct marking *m = arg;
    int r = trace_file_write(dir, "trace_marker", m->text);
    m->marked += r == 0;
    m->err = r < 0 && r != -EBADF ? -r : m->err; /* that one has not begun, or has ended */
}

int trace_mark(const char *text, struct fail *f)
{
    char dir[PATH_MAX / 4];
    struct marking m = {.text = text};
    if (tracefs_find(dir, sizeof dir) == 0)
        trace_each_instance(dir, mark_one, &m);
    if (m.marked)
        return m.marked;
    fail_set(f, m.err ? m.err : geteuid() ? EACCES : ESRCH, "no trace to mark");
    fail_hint(f, "run it as root, while `psuite trace' runs");
    return m.err ? -m.err : -ESRCH;
}
