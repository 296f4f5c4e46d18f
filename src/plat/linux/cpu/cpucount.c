#include "plat/cpucount.h"

#include "core/base/search.h"
#include "perf/event_names.h"
#include "perf/perf.h"
#include "plat/sample.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_GROUP_MEMBERS = 8 };

/* What a read of a group gives (PERF_FORMAT_GROUP). */
struct group {
    uint64_t count, enabled_ns, running_ns, value[MAX_GROUP_MEMBERS];
};

struct cpucount {
    struct cpucount *leader; /* itself, or the one it is read with */
    size_t members;          /* of a leader, with itself */
    size_t group_index;      /* of its value in the group */
    size_t count;
    struct one {
        uint32_t cpu;
        int fd;
        bool enabled, is_valid;
        struct group read; /* of a leader: the last reading */
    } * one;               /* in the order of CPUs */
};

static struct one *find_cpu(const struct cpucount *c, uint32_t cpu)
{
    size_t at = FIRST_WHERE(c->count, i, c->one[i].cpu >= cpu);
    return at < c->count && c->one[at].cpu == cpu ? &c->one[at] : NULL;
}

/* The descriptor of the leader's event on a CPU; -1: the event is a leader itself. */
static int group_fd(const struct cpucount *c, uint32_t cpu)
{
    const struct one *leads = c->leader == c ? NULL : find_cpu(c->leader, cpu);
    return leads ? leads->fd : -1;
}

static int fail_counting(int err, const char *event, size_t had, struct fail *f)
{
    fail_set(f, err, "counting %s on all CPUs", event);
    if (err == EACCES || err == EPERM)
        perf_denied_hint(0, f);
    else if (err == EMFILE)
        fail_hint(
            f, "it needs one descriptor per CPU, but only %zu could be opened: raise `ulimit -n'",
            had);
    else if (err == ENOSYS)
        fail_hint(f, "this kernel was built without CONFIG_PERF_EVENTS");
    return -err;
}

/* A CPU that went offline meanwhile, or that the leader does not count, is passed over. */
static int open_counters(struct cpucount *c, const struct sample_event *e, const int *cpu, int cpus,
                         struct fail *f)
{
    struct perf_event_attr attr = {
        .type = e->type,
        .size = sizeof attr,
        .config = e->config,
        .config1 = e->config1,
        .config2 = e->config2,
        .read_format =
            PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .exclude_hv = 1,
        /* Those count from their first reading on: what joins one that counts may not count. */
        .disabled = c->leader == c && !event_is_counter(e->type),
    };
    for (int i = 0; i < cpus; i++) {
        int group = group_fd(c, (uint32_t)cpu[i]);
        if (c->leader != c && group < 0)
            continue;
        int fd = perf_open(&attr, -1, cpu[i], group, PERF_FLAG_FD_CLOEXEC);
        if (fd < 0 && errno != ENODEV)
            return fail_counting(errno, e->name, c->count, f);
        if (fd >= 0)
            c->one[c->count++] = (struct one){.cpu = (uint32_t)cpu[i], .fd = fd};
    }
    return c->count ? 0 : fail_counting(ENODEV, e->name, 0, f);
}

static struct cpucount *count_new(size_t cpus, struct cpucount *leader)
{
    struct cpucount *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->members = 1;
    c->leader = leader && leader->leader->members < MAX_GROUP_MEMBERS ? leader->leader : c;
    c->group_index = c->leader == c ? 0 : c->leader->members;
    c->one = malloc(cpus * sizeof *c->one);
    if (!c->one) {
        free(c);
        return NULL;
    }
    return c;
}

int cpucount_open(const char *event, struct cpucount *leader, struct cpucount **out, struct fail *f)
{
    struct sample_event e = {0};
    int *cpu = NULL;
    int r = sample_event_find(event, &e, f);
    int cpus = r == 0 ? perf_cpus(&cpu) : 0;
    struct cpucount *c = cpus > 0 ? count_new((size_t)cpus, leader) : NULL;
    if (r == 0)
        r = c ? open_counters(c, &e, cpu, cpus, f) : fail_set(f, ENOMEM, "%s", event);
    free(cpu);
    if (r < 0) {
        cpucount_close(c);
        return r;
    }
    c->leader->members += c->leader != c;
    *out = c;
    return 0;
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

/* A member that was closed leaves no place: the values behind it would be another's. */
static bool read_group(const struct cpucount *leader, struct one *o)
{
    ssize_t n = read(o->fd, &o->read, sizeof o->read);
    size_t bytes = offsetof(struct group, value) + leader->members * sizeof o->read.value[0];
    return n == (ssize_t)bytes && o->read.count == leader->members;
}

bool cpucount_read(struct cpucount *c, uint32_t cpu, uint64_t *count)
{
    struct one *own = find_cpu(c, cpu), *o = find_cpu(c->leader, cpu);
    if (!own || !o)
        return false;
    if (c->leader == c && !o->enabled)
        o->enabled = ioctl(o->fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
    if (c->leader == c)
        o->is_valid = read_group(c, o);
    if (!o->is_valid)
        return false;
    uint64_t raw = o->read.value[c->group_index];
    bool part = o->read.running_ns && o->read.running_ns < o->read.enabled_ns;
    *count =
        part ? (uint64_t)((double)raw * ((double)o->read.enabled_ns / (double)o->read.running_ns))
             : raw;
    return true;
}
