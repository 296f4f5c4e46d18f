#include "parts.h"

#include "core/doctor/facts.h"
#include "fs/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void reach(struct facts *out, const char *key, const char *dir, const char *name, int mode)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    probe_result(out, key, faccessat(AT_FDCWD, path, mode, AT_EACCESS) < 0 ? -errno : 0);
}

void probe_tracefs(struct facts *out)
{
    char dir[PATH_MAX / 2], path[PATH_MAX];
    if (!tracefs_find(dir, sizeof dir)) {
        facts_fail(out, "tracefs", -ENOENT);
        return;
    }
    facts_addf(out, "tracefs", "%s", dir);
    snprintf(path, sizeof path, "%s/available_tracers", dir);
    probe_head(out, "tracefs.tracers", path, 4096, false);
    reach(out, "tracefs.instances", dir, "instances", W_OK | X_OK);
    reach(out, "tracefs.kprobes", dir, "kprobe_events", W_OK);
    reach(out, "tracefs.sched", dir, "events/sched/sched_switch/format", R_OK);
    reach(out, "tracefs.syscalls", dir, "events/raw_syscalls/sys_enter/format", R_OK);
}
