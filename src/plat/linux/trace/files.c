#include "files.h"

#include "plat/file.h"
#include "plat/trace.h"
#include "probes.h"
#include "process/descriptors.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 64 << 20 };

static bool set_path(char path[PATH_MAX], const char *dir, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", dir, name) < PATH_MAX;
}

int trace_file_write(const char *dir, const char *name, const char *text)
{
    char path[PATH_MAX];
    return set_path(path, dir, name) ? descriptor_put(path, text) : -ENAMETOOLONG;
}

int trace_file_read(const char *dir, const char *name, struct buf *out)
{
    char path[PATH_MAX];
    return set_path(path, dir, name) ? file_read(path, MAX_FILE_BYTES, out, NULL) : -ENAMETOOLONG;
}

/* The inode of our PID namespace; 0: the first one, or not known. */
static unsigned long pid_namespace(void)
{
    struct stat s;
    return trace_names_ours() || stat("/proc/self/ns/pid", &s) < 0 ? 0 : (unsigned long)s.st_ino;
}

void trace_instance_name(char *out, size_t size)
{
    unsigned long namespace = pid_namespace();
    if (namespace)
        snprintf(out, size, "psuite-%d-%lu", getpid(), namespace);
    else
        snprintf(out, size, "psuite-%d", getpid());
}

int trace_instance_pid(const char *name)
{
    int pid, end = 0;
    unsigned long namespace = 0;
    if (sscanf(name, "psuite-%d%n-%lu%n", &pid, &end, &namespace, &end) < 1 || name[end] ||
        pid <= 0)
        return 0;
    return namespace == pid_namespace() ? pid : -1;
}

void trace_each_instance(const char *tracefs, void (*emit)(void *arg, const char *dir, int pid),
                         void *arg)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/instances", tracefs);
    SCOPED_DIR dir = opendir(path);
    struct dirent *d;
    while (dir && (d = readdir(dir))) {
        int pid = trace_instance_pid(d->d_name);
        if (!pid)
            continue;
        if (snprintf(path, sizeof path, "%s/instances/%s", tracefs, d->d_name) < (int)sizeof path)
            emit(arg, path, pid);
    }
}

static void remove_stale_instance(void *arg, const char *dir, int pid)
{
    if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
        rmdir(dir);
}

void trace_remove_leftovers(const char *tracefs)
{
    trace_each_instance(tracefs, remove_stale_instance, NULL);
    trace_remove_stale_probes(tracefs);
}
