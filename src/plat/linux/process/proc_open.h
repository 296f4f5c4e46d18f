/* proc_open: files of /proc/PID, open for reading: a descriptor or -errno. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

/* NAME of the process: "status", "ns/mnt". */
static inline int proc_open(int pid, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* NAME of the one thread. */
static inline int proc_open_thread(int tid, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "task/%d/%s", tid, name);
    return proc_open(tid, path);
}
