/* Tracepoints: /sys/kernel/tracing/events/GROUP/NAME/id. */
#include "event_find.h"

#include "fs/tracefs.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int event_file(const char *path, char *text, size_t size)
{
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = descriptor_text(fd, text, size);
    text[strcspn(text, "\n")] = '\0';
    return n < 0 ? -errno : n ? 0 : -ENODATA;
}

/* A file's name, which leads to no other folder. */
static bool is_plain(const char *s, size_t len)
{
    return len > 0 && len < 128 && s[0] != '.' && !memchr(s, '/', len);
}

static int fail_no_tracepoint(int err, const char *dir, const char *name, int len, struct fail *f)
{
    bool closed = err == EACCES || access(dir, X_OK) < 0;
    fail_set(f, closed ? EACCES : 0, closed ? "%.*s" : "%.*s: no such tracepoint", len, name);
    if (!closed && tracefs_is_private(dir))
        fail_hint(
            f,
            "`mount -t tracefs tracefs /sys/kernel/tracing', then look in its events/GROUP/NAME");
    else if (closed)
        fail_hint(f, "only root can read %s: as root `mount -o remount,mode=755 %s'", dir, dir);
    else
        fail_hint(f, "tracepoints are the directories %s/events/GROUP/NAME", dir);
    return closed ? -EACCES : -ENOENT;
}

static int fail_no_tracefs(int err, const char *name, int len, struct fail *f)
{
    char what[160];
    snprintf(what, sizeof what, "%.*s", len, name);
    return tracefs_refused(what, err, f);
}

int event_find_trace(const char *name, size_t len, struct sample_event *out, struct fail *f)
{
    char dir[PATH_MAX / 2], path[PATH_MAX], id[32];
    const char *colon = memchr(name, ':', len);
    size_t group = colon ? (size_t)(colon - name) : 0, rest = len - group - 1;
    if (!is_plain(name, group) || !is_plain(colon + 1, rest)) {
        fail_set(f, 0, "%.*s: no such event", (int)len, name);
        return -ENOENT;
    }
    int r = tracefs_find(dir, sizeof dir);
    if (r < 0)
        return fail_no_tracefs(r, name, (int)len, f);
    snprintf(path, sizeof path, "%s/events/%.*s/%.*s/id", dir, (int)group, name, (int)rest,
             colon + 1);
    r = event_file(path, id, sizeof id);
    if (r < 0)
        return fail_no_tracepoint(-r, dir, name, (int)len, f);
    out->type = PERF_TYPE_TRACEPOINT;
    out->config = strtoull(id, NULL, 10);
    return 0;
}
