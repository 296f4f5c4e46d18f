/* What is sampled by, from its name. */
#include "event_find.h"

#include "event_names.h"
#include "perf.h"
#include "process/descriptors.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

/* The length without `:u', `:k' or `:uk' (behind a slash the colon may lack), which it notes. */
static size_t parse_modifier(const char *name, size_t len, struct sample_event *out)
{
    size_t at = len;
    while (at > 0 && (name[at - 1] == 'u' || name[at - 1] == 'k'))
        at--;
    bool colon = at > 0 && name[at - 1] == ':', slash = at > 0 && name[at - 1] == '/';
    bool term = slash && memchr(name, '/', at - 1) == NULL; /* cpu/k: an event's name */
    if (at == len || (!colon && (!slash || term)))
        return len;
    out->user = memchr(name + at, 'u', len - at);
    out->kernel = memchr(name + at, 'k', len - at);
    return at - colon;
}

static int fail_no_event(const char *name, struct fail *f)
{
    fail_set(f, 0, "%s: no such event", name);
    fail_hint(f, "use cpu-clock, cycles, page-faults and the like, a tracepoint GROUP:NAME, rHEX, "
                 "or a PMU's event; only `:u' or `:k' may follow");
    return -ENOENT;
}

/* A known name with something else behind it, "cycles:pp". */
static bool is_known_with_suffix(const char *name, size_t len)
{
    const char *colon = memchr(name, ':', len);
    return colon && event_name_find(name, (size_t)(colon - name));
}

static int find_event(const char *name, size_t len, struct sample_event *out, struct fail *f)
{
    const struct event_name *known = event_name_find(name, len);
    if (known) {
        out->type = known->type;
        out->config = known->config;
        return 0;
    }
    if (event_name_raw(name, len, &out->config)) {
        out->type = PERF_TYPE_RAW;
        return 0;
    }
    if (memchr(name, '/', len))
        return event_find_pmu(name, len, out, f);
    if (is_known_with_suffix(name, len))
        return fail_no_event(name, f);
    if (memchr(name, ':', len))
        return event_find_trace(name, len, out, f);
    int e = event_find_any_pmu(name, len, out, f);
    return e == -ENOENT ? fail_no_event(name, f) : e;
}

/* --- whether the processor has it --- */

int event_try(const struct sample_event *e, bool kernel)
{
    struct perf_event_attr attr = {
        .type = e->type,
        .size = sizeof attr,
        .config = e->config,
        .config1 = e->config1,
        .config2 = e->config2,
        .sample_period = 1000000000,
        .disabled = 1,
        .exclude_kernel = !kernel,
        .exclude_hv = 1,
    };
    SCOPED_FD fd = perf_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : 0;
}

/* Only errors that no privilege cures; others are reported when it is opened for its target. */
static int check_counter(const struct sample_event *e, struct fail *f)
{
    int r = event_try(e, false);
    if (r == -EOPNOTSUPP)
        r = event_try(e, true);
    if (r != -ENOENT && r != -EOPNOTSUPP && r != -ENODEV)
        return 0;
    fail_set(f, EOPNOTSUPP, "%s", e->name);
    fail_hint(
        f,
        r == -EOPNOTSUPP
            ? "this counter cannot interrupt: use cpu-clock"
            : "this processor has no such counter, or a virtual machine hides it: use cpu-clock");
    return -EOPNOTSUPP;
}

int sample_event_find(const char *name, struct sample_event *out, struct fail *f)
{
    struct sample_event e = {0};
    size_t len = strlen(name);
    if (len == 0 || len >= sizeof e.name)
        return fail_no_event(name, f);
    memcpy(e.name, name, len);
    int r = find_event(name, parse_modifier(name, len, &e), &e, f);
    if (r == 0 && event_is_counter(e.type))
        r = check_counter(&e, f);
    if (r < 0)
        return r;
    e.clock = event_is_clock(e.type, e.config);
    e.in_kernel = event_in_kernel(e.type, e.config);
    if (!e.period && !e.clock && !event_is_counter(e.type))
        e.period = 1;
    *out = e;
    return 0;
}
