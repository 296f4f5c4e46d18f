#include "plat/trace.h"

#include "trace_files.h"
#include "tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BEFORE_OTHERS = -15 }; /* nice */
enum { PAGE_MOST = 1 << 20, LEAST_BYTES = 64 << 10, CPUS_MOST = 4096 };

struct pipe {
    int cpu, fd;
};

struct trace {
    char tracefs[PATH_MAX / 4], dir[PATH_MAX / 2];
    bool made; /* dir is there, and ours */
    bool hurried;
    int nice; /* before */
    size_t buffer_bytes;
    struct pipe *pipe;
    size_t pipes;
    uint8_t *page;
};

/* --- the instance --- */

static int refused(const char *what, int err, struct fail *f)
{
    fail_set(f, err, "%s", what);
    if (err == EACCES || err == EPERM)
        fail_hint(f, "tracing is root's: run it by sudo, or as root");
    return -err;
}

static int find_tracefs(struct trace *t, struct fail *f)
{
    if (tracefs_find(t->tracefs, sizeof t->tracefs))
        return 0;
    fail_set(f, ENOENT, "tracefs");
    fail_hint(f, access("/sys/kernel/tracing", F_OK) == 0
                     ? "as root, `mount -t tracefs tracefs /sys/kernel/tracing'"
                     : "this kernel was built without CONFIG_FTRACE, or sysfs is not mounted");
    return -ENOENT;
}

static int make_instance(struct trace *t, struct fail *f)
{
    trace_remove_leftovers(t->tracefs);
    snprintf(t->dir, sizeof t->dir, "%s/instances/psuite-%d", t->tracefs, getpid());
    if (mkdir(t->dir, 0700) < 0 &&
        (errno != EEXIST || rmdir(t->dir) < 0 || mkdir(t->dir, 0700) < 0))
        return refused(t->dir, errno, f);
    t->made = true;
    return 0;
}

static size_t default_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (pages <= 0 || page <= 0 || cpus <= 0)
        return TRACE_BUFFER_BYTES;
    uint64_t share = (uint64_t)pages * (uint64_t)page / 16 / (uint64_t)cpus;
    return share < TRACE_BUFFER_BYTES ? (size_t)share : TRACE_BUFFER_BYTES;
}

/* As much as the kernel gives, halving. */
static int size_buffer(struct trace *t, size_t want, struct fail *f)
{
    size_t bytes = want ? want : default_bytes();
    int r;
    if (bytes > TRACE_BUFFER_BYTES)
        bytes = TRACE_BUFFER_BYTES;
    do {
        char text[24];
        t->buffer_bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
        snprintf(text, sizeof text, "%zu", t->buffer_bytes >> 10);
        r = trace_file_write(t->dir, "buffer_size_kb", text);
        bytes /= 2;
    } while (r == -ENOMEM && t->buffer_bytes > LEAST_BYTES);
    return r < 0 ? refused("the trace's buffers", -r, f) : 0;
}

static int set_up(struct trace *t, size_t bytes, struct fail *f)
{
    int r = trace_file_write(t->dir, "tracing_on", "0");
    if (r == 0)
        r = trace_file_write(t->dir, "trace_clock", "mono");
    return r < 0 ? refused(t->dir, -r, f) : size_buffer(t, bytes, f);
}

static bool add_pipe(struct trace *t, int cpu)
{
    char path[PATH_MAX];
    struct pipe *grown = realloc(t->pipe, (t->pipes + 1) * sizeof *grown);
    if (!grown)
        return false;
    t->pipe = grown;
    snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace_pipe_raw", t->dir, cpu);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    t->pipe[t->pipes++] = (struct pipe){cpu, fd};
    return true;
}

static int open_pipes(struct trace *t, struct fail *f)
{
    char path[PATH_MAX];
    bool whole = true;
    snprintf(path, sizeof path, "%s/per_cpu", t->dir);
    DIR *dir = opendir(path);
    struct dirent *d;
    while (dir && whole && (d = readdir(dir))) {
        int cpu;
        if (sscanf(d->d_name, "cpu%d", &cpu) == 1 && cpu >= 0 && cpu < CPUS_MOST)
            whole = add_pipe(t, cpu);
    }
    int err = errno;
    if (dir)
        closedir(dir);
    t->page = malloc(PAGE_MOST);
    return whole && t->pipes && t->page ? 0 : refused(path, err ? err : ENOMEM, f);
}

int trace_open(size_t buffer_bytes, struct trace **out, struct fail *f)
{
    struct trace *t = calloc(1, sizeof *t);
    if (!t)
        return fail_set(f, ENOMEM, "trace");
    int r = find_tracefs(t, f);
    if (r == 0)
        r = make_instance(t, f);
    if (r == 0)
        r = set_up(t, buffer_bytes, f);
    if (r == 0)
        r = open_pipes(t, f);
    if (r < 0) {
        trace_close(t);
        return r;
    }
    *out = t;
    return 0;
}

void trace_close(struct trace *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->pipes; i++)
        close(t->pipe[i].fd);
    if (t->made)
        rmdir(t->dir);
    free(t->pipe);
    free(t->page);
    free(t);
}

const char *trace_method(const struct trace *t)
{
    (void)t;
    return "tracefs";
}

size_t trace_buffer_bytes(const struct trace *t)
{
    return t->buffer_bytes;
}

/* --- tracepoints --- */

int trace_text(struct trace *t, const char *name, struct buf *out)
{
    char file[256];
    snprintf(file, sizeof file, "events/%s%s", name, strchr(name, '/') ? "/format" : "");
    return trace_file_read(t->dir, file, out);
}

/* What is written into trace_marker is always there. */
int trace_enable(struct trace *t, const char *name, struct fail *f)
{
    char file[256];
    if (strncmp(name, "ftrace/", 7) == 0)
        return 0;
    snprintf(file, sizeof file, "events/%s/enable", name);
    int r = trace_file_write(t->dir, file, "1");
    return r < 0 ? refused(name, -r, f) : 0;
}

static void hurry(struct trace *t)
{
    t->nice = getpriority(PRIO_PROCESS, 0);
    t->hurried = t->nice > BEFORE_OTHERS && setpriority(PRIO_PROCESS, 0, BEFORE_OTHERS) == 0;
}

static void take_time(struct trace *t)
{
    if (t->hurried)
        setpriority(PRIO_PROCESS, 0, t->nice);
    t->hurried = false;
}

int trace_start(struct trace *t, struct fail *f)
{
    hurry(t);
    int r = trace_file_write(t->dir, "tracing_on", "1");
    return r < 0 ? refused(t->dir, -r, f) : 0;
}

void trace_stop(struct trace *t)
{
    trace_file_write(t->dir, "tracing_on", "0");
    trace_file_write(t->dir, "events/enable", "0");
    take_time(t);
}

/* --- pages --- */

static size_t read_pipe(struct trace *t, const struct pipe *p,
                        void (*take)(void *arg, int cpu, const uint8_t *page, size_t len),
                        void *arg)
{
    size_t bytes = 0;
    while (bytes < t->buffer_bytes) {
        ssize_t n = read(p->fd, t->page, PAGE_MOST);
        if (n <= 0)
            break;
        take(arg, p->cpu, t->page, (size_t)n);
        bytes += (size_t)n;
    }
    return bytes;
}

size_t trace_read(struct trace *t,
                  void (*take)(void *arg, int cpu, const uint8_t *page, size_t len), void *arg)
{
    size_t most = 0;
    for (size_t i = 0; i < t->pipes; i++) {
        size_t bytes = read_pipe(t, &t->pipe[i], take, arg);
        most = bytes > most ? bytes : most;
    }
    return most;
}
