#include "plat/cpucount.h"

#include "perf.h"
#include "plat/sample.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

struct cpucount {
    size_t count;
    struct one {
        uint32_t cpu;
        int fd;
    } * one; /* in the order of CPUs */
};

static int refused(int err, const char *event, size_t had, struct fail *f)
{
    fail_set(f, err, "counting %s on all CPUs", event);
    if (err == EACCES || err == EPERM)
        perf_denied_hint(0, f);
    else if (err == EMFILE)
        fail_hint(f, "one descriptor a CPU is needed, %zu were had: raise `ulimit -n'", had);
    else if (err == ENOSYS)
        fail_hint(f, "this kernel was built without CONFIG_PERF_EVENTS");
    return -err;
}

/* A CPU that went offline meanwhile is passed over. */
static int open_all(struct cpucount *c, const struct sample_event *e, const int *cpu, int cpus,
                    struct fail *f)
{
    struct perf_event_attr attr = {
        .type = e->type,
        .size = sizeof attr,
        .config = e->config,
        .config1 = e->config1,
        .config2 = e->config2,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .exclude_hv = 1,
    };
    for (int i = 0; i < cpus; i++) {
        int fd = perf_open(&attr, -1, cpu[i], -1, PERF_FLAG_FD_CLOEXEC);
        if (fd < 0 && errno != ENODEV)
            return refused(errno, e->name, c->count, f);
        if (fd >= 0)
            c->one[c->count++] = (struct one){(uint32_t)cpu[i], fd};
    }
    return c->count ? 0 : refused(ENODEV, e->name, 0, f);
}

int cpucount_open(const char *event, struct cpucount **out, struct fail *f)
{
    struct sample_event e = {0};
    int *cpu = NULL;
    int r = sample_event_find(event, &e, f);
    int cpus = r == 0 ? perf_cpus(&cpu) : 0;
    struct cpucount *c = r == 0 ? calloc(1, sizeof *c) : NULL;
    if (c && cpus > 0)
        c->one = malloc((size_t)cpus * sizeof *c->one);
    if (r == 0)
        r = c && c->one ? open_all(c, &e, cpu, cpus, f) : fail_set(f, ENOMEM, "%s", event);
    free(cpu);
    if (r < 0)
        cpucount_close(c);
    else
        *out = c;
    return r;
}

void cpucount_close(struct cpucount *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++)
        close(c->one[i].fd);
    free(c->one);
    free(c);
}

static int compare(const void *cpu, const void *one)
{
    uint32_t a = *(const uint32_t *)cpu, b = ((const struct one *)one)->cpu;
    return a < b ? -1 : a > b;
}

bool cpucount_read(const struct cpucount *c, uint32_t cpu, uint64_t *count)
{
    uint64_t raw[3];
    const struct one *o = bsearch(&cpu, c->one, c->count, sizeof *c->one, compare);
    if (!o || read(o->fd, raw, sizeof raw) != sizeof raw)
        return false;
    bool part = raw[2] && raw[2] < raw[1];
    *count = part ? (uint64_t)((double)raw[0] * ((double)raw[1] / (double)raw[2])) : raw[0];
    return true;
}
