#include "pipes.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"
#include "core/base/scan.h"
#include "core/trace/page.h"
#include "files.h"
#include "process/descriptors.h"

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
    uint64_t lost; /* by the kernel's count, as far as it was handed on */
    bool by_count; /* numbers in pages are not used any more */
};

/* The kernel's count of the events of a CPU that were overwritten; 0: not known. */
static uint64_t read_overrun(const struct trace_pipes *p, int cpu)
{
    char name[64];
    SCOPED_BUF text = BUF_INIT;
    uint64_t overrun = 0;
    snprintf(name, sizeof name, "per_cpu/cpu%d/stats", cpu);
    if (trace_file_read(p->dir, name, &text) == 0)
        scan_key(buf_str(&text), "overrun:", &overrun);
    return overrun;
}

static bool add_pipe(struct trace_pipes *p, const char *dir, int cpu)
{
    char path[PATH_MAX];
    if (!grow(&p->pipe, &p->cap, p->pipes, sizeof *p->pipe))
        return false;
    snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    p->pipe[p->pipes++] = (struct trace_pipe){.cpu = cpu, .fd = fd, .lost = read_overrun(p, cpu)};
    return true;
}

static void read_layout(struct trace_pipes *p)
{
    SCOPED_BUF text = BUF_INIT;
    trace_file_read(p->dir, "events/header_page", &text);
    if (trace_page_layout_read(buf_str(&text), text.len, &p->layout) < 0)
        p->layout = (struct trace_page_layout){.page_size = 0};
}

int trace_pipes_open(struct trace_pipes *p, const char *trace_dir, struct fail *f)
{
    char path[PATH_MAX];
    bool whole = true;
    p->dir = trace_dir;
    read_layout(p);
    snprintf(path, sizeof path, "%s/per_cpu", trace_dir);
    SCOPED_DIR dir = opendir(path);
    struct dirent *d;
    while (dir && whole && (d = readdir(dir))) {
        int cpu;
        if (sscanf(d->d_name, "cpu%d", &cpu) == 1 && cpu >= 0 && cpu < MAX_CPUS)
            whole = add_pipe(p, trace_dir, cpu);
    }
    int err = errno;
    p->page = malloc(MAX_PAGE_BYTES + TRACE_PAGE_MISSED);
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

/* Puts the number of events that were lost behind a page that only says that there were some: by
 * the kernel's count, less what was handed on. It may have grown since the page was read, so from
 * there on that count is used for all pages of the CPU. */
static size_t add_missed(const struct trace_pipes *t, struct trace_pipe *p, size_t len)
{
    struct trace_page page;
    if (len != t->layout.page_size || trace_page_open(&page, &t->layout, t->page, len) < 0 ||
        !page.missed)
        return len;
    if (page.missed != TRACE_MISSED_MANY && !p->by_count) {
        p->lost += page.missed;
        return len;
    }
    uint64_t overrun = read_overrun(t, p->cpu), more = overrun > p->lost ? overrun - p->lost : 0;
    if (!more && page.missed == TRACE_MISSED_MANY)
        return len;
    put_le64(t->page + len, more);
    p->lost += more;
    p->by_count = true;
    return len + TRACE_PAGE_MISSED;
}

static size_t read_pipe(const struct trace_pipes *t, struct trace_pipe *p, size_t max_bytes,
                        trace_bytes_fn *emit, void *arg)
{
    size_t bytes = 0;
    while (bytes < max_bytes) {
        ssize_t n = read(p->fd, t->page, MAX_PAGE_BYTES);
        if (n <= 0)
            break;
        emit(arg, p->cpu, t->page, add_missed(t, p, (size_t)n));
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
