#include "pipes.h"

#include "core/base/grow.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_PAGE_BYTES = 1 << 20, MAX_CPUS = 4096 };

struct trace_pipe {
    int cpu, fd;
};

static bool add_pipe(struct trace_pipes *p, const char *dir, int cpu)
{
    char path[PATH_MAX];
    if (!grow(&p->pipe, &p->cap, p->pipes, sizeof *p->pipe))
        return false;
    snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    p->pipe[p->pipes++] = (struct trace_pipe){cpu, fd};
    return true;
}

int trace_pipes_open(struct trace_pipes *p, const char *trace_dir, struct fail *f)
{
    char path[PATH_MAX];
    bool whole = true;
    snprintf(path, sizeof path, "%s/per_cpu", trace_dir);
    DIR *dir = opendir(path);
    struct dirent *d;
    while (dir && whole && (d = readdir(dir))) {
        int cpu;
        if (sscanf(d->d_name, "cpu%d", &cpu) == 1 && cpu >= 0 && cpu < MAX_CPUS)
            whole = add_pipe(p, trace_dir, cpu);
    }
    int err = errno;
    if (dir)
        closedir(dir);
    p->page = malloc(MAX_PAGE_BYTES);
    return whole && p->pipes && p->page ? 0 : trace_refused(path, err ? err : ENOMEM, f);
}

void trace_pipes_close(struct trace_pipes *p)
{
    for (size_t i = 0; i < p->pipes; i++)
        close(p->pipe[i].fd);
    free(p->pipe);
    free(p->page);
    *p = (struct trace_pipes){0};
}

static size_t read_pipe(struct trace_pipes *t, const struct trace_pipe *p, size_t max_bytes,
                        trace_bytes_fn *emit, void *arg)
{
    size_t bytes = 0;
    while (bytes < max_bytes) {
        ssize_t n = read(p->fd, t->page, MAX_PAGE_BYTES);
        if (n <= 0)
            break;
        emit(arg, p->cpu, t->page, (size_t)n);
        bytes += (size_t)n;
    }
    return bytes;
}

size_t trace_pipes_read(struct trace_pipes *p, size_t max_bytes, trace_bytes_fn *emit, void *arg)
{
    size_t most = 0;
    for (size_t i = 0; i < p->pipes; i++) {
        size_t bytes = read_pipe(p, &p->pipe[i], max_bytes, emit, arg);
        most = bytes > most ? bytes : most;
    }
    return most;
}
