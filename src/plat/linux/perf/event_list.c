/* The events that have names, and which of them the kernel samples us by. */
#include "event_find.h"
#include "event_names.h"

#include <errno.h>
#include <linux/perf_event.h>

/* 0 or errno. */
static int try_sampling(const struct sample_event *e)
{
    return -event_try(e, event_in_kernel(e->type, e->config));
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
