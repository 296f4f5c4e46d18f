/* Tracepoints: /sys/kernel/tracing/events/GROUP/NAME/id. */
#include "event_find.h"

#include "fs/tracefs.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int event_file(const char *path, char *text, size_t size)
{
    FILE *in = fopen(path, "re");
    if (!in)
        return -errno;
    errno = 0;
    char *line = fgets(text, (int)size, in);
    int err = line ? 0 : errno ? errno : ENODATA;
    fclose(in);
    if (line)
        text[strcspn(text, "\n")] = '\0';
    return -err;
}

/* A file's name, which leads to no other folder. */
static bool is_plain(const char *s, size_t len)
{
    return len > 0 && len < 128 && s[0] != '.' && !memchr(s, '/', len);
}

static int not_there(int err, const char *dir, const char *name, int len, struct fail *f)
{
    bool closed = err == EACCES || access(dir, X_OK) < 0;
    fail_set(f, closed ? EACCES : 0, closed ? "%.*s" : "%.*s: no such tracepoint", len, name);
    if (closed)
        fail_hint(f, "%s is for root only: `mount -o remount,mode=755 %s' opens it", dir, dir);
    else
        fail_hint(f, "%s/events has a folder a group, and in it one a tracepoint", dir);
    return closed ? -EACCES : -ENOENT;
}

static int not_mounted(const char *name, int len, struct fail *f)
{
    bool built = access("/sys/kernel/tracing", F_OK) == 0;
    fail_set(f, 0, "%.*s: tracepoints are not to be seen here", len, name);
    fail_hint(f, built ? "as root, `mount -t tracefs tracefs /sys/kernel/tracing'"
                       : "this kernel was built without CONFIG_FTRACE, or sysfs is not mounted");
    return -ENOENT;
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
    if (!tracefs_find(dir, sizeof dir))
        return not_mounted(name, (int)len, f);
    snprintf(path, sizeof path, "%s/events/%.*s/%.*s/id", dir, (int)group, name, (int)rest,
             colon + 1);
    int r = event_file(path, id, sizeof id);
    if (r < 0)
        return not_there(-r, dir, name, (int)len, f);
    out->type = PERF_TYPE_TRACEPOINT;
    out->config = strtoull(id, NULL, 10);
    return 0;
}
