/* The events that have names, and which of them the kernel samples us by. */
#include "event_find.h"
#include "event_names.h"
#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <unistd.h>

/* Asked for by opening it on this thread, disabled. */
static int try_sampling(const struct sample_event *e)
{
    struct perf_event_attr attr = {.type = e->type,
                                   .size = sizeof attr,
                                   .config = e->config,
                                   .config1 = e->config1,
                                   .config2 = e->config2,
                                   .sample_period = INT32_MAX,
                                   .disabled = 1,
                                   .exclude_kernel = !event_in_kernel(e->type, e->config),
                                   .exclude_hv = 1};
    int fd = perf_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

static const char *kind_of(uint32_t type)
{
    switch (type) {
    case PERF_TYPE_SOFTWARE:
        return "software";
    case PERF_TYPE_HARDWARE:
        return "hardware";
    default:
        return "cache";
    }
}

struct listing {
    void (*emit)(void *arg, const struct sample_listed *e);
    void *arg;
};

static void list_of_pmu(void *arg, const char *name)
{
    const struct listing *l = arg;
    struct sample_event e;
    int err = sample_event_find(name, &e, NULL) < 0 ? EINVAL : try_sampling(&e);
    l->emit(l->arg, &(struct sample_listed){name, "PMU", err});
}

void sample_event_list(void (*emit)(void *arg, const struct sample_listed *e), void *arg)
{
    const struct event_name *known;
    struct listing l = {emit, arg};
    for (size_t i = 0; (known = event_name_at(i)); i++) {
        const struct sample_event e = {.type = known->type, .config = known->config};
        emit(arg, &(struct sample_listed){known->name, kind_of(known->type), try_sampling(&e)});
    }
    event_list_pmus(list_of_pmu, &l);
}
