#include "parts.h"

#include "core/doctor/facts.h"
#include "fs/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static void probe_access(struct facts *out, const char *key, const char *dir, const char *name,
                         int mode)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    probe_result(out, key, faccessat(AT_FDCWD, path, mode, AT_EACCESS) < 0 ? -errno : 0);
}

void probe_tracefs(struct facts *out)
{
    char dir[PATH_MAX / 2], path[PATH_MAX];
    int r = tracefs_find(dir, sizeof dir);
    if (r < 0) {
        facts_fail(out, "tracefs", r);
        return;
    }
    facts_addf(out, "tracefs", "%s", tracefs_is_private(dir) ? "private" : dir);
    snprintf(path, sizeof path, "%s/available_tracers", dir);
    probe_head(out, "tracefs.tracers", path, 4096, false);
    probe_access(out, "tracefs.instances", dir, "instances", W_OK | X_OK);
    probe_access(out, "tracefs.kprobes", dir, "kprobe_events", W_OK);
    probe_access(out, "tracefs.sched", dir, "events/sched/sched_switch/format", R_OK);
    probe_access(out, "tracefs.syscalls", dir, "events/raw_syscalls/sys_enter/format", R_OK);
}
