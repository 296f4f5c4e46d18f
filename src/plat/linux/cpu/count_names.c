/* Counters by the names that perf gives them. */
#include "plat/count.h"

#include "perf/event_names.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

static bool find_event(const char *name, size_t len, struct count_event *out)
{
    const struct event_name *known = event_name_find(name, len);
    if (known) {
        out->type = known->type;
        out->config = known->config;
        out->in_kernel = event_in_kernel(known->type, known->config);
        return true;
    }
    out->type = PERF_TYPE_RAW;
    return event_name_raw(name, len, &out->config);
}

/* The length without `:u', `:k' or `:uk', which it notes. */
static size_t parse_modifier(const char *name, size_t len, struct count_event *out)
{
    const char *colon = memchr(name, ':', len);
    size_t rest = colon ? len - (size_t)(colon - name) : 0;
    out->user = rest == 0 || memchr(name + len - rest, 'u', rest);
    out->kernel = rest == 0 || memchr(name + len - rest, 'k', rest);
    bool sound = rest == 0 || (rest > 1 && strspn(colon + 1, "uk") >= rest - 1);
    return sound ? len - rest : 0;
}

int count_find(const char *name, size_t len, struct count_event *out, struct fail *f)
{
    struct count_event e = {0};
    size_t bare = parse_modifier(name, len, &e);
    if (len >= sizeof e.name || !find_event(name, bare, &e)) {
        fail_set(f, 0, "%.*s: no such counter", (int)len, name);
        return -ENOENT;
    }
    memcpy(e.name, name, len);
    *out = e;
    return 0;
}

const char *count_names(void)
{
    static char names[1024];
    char *at = names;
    for (size_t i = 0; event_name_at(i); i++)
        at = stpcpy(stpcpy(at, i ? " " : ""), event_name_at(i)->name);
    return names;
}
