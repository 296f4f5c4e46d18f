/* counter NAME [counted|user|missing|denied|busy]: a counter that has this name, and its state. */
#include "plat/count.h"

#include "count_state.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <string.h>

int count_find(const char *name, size_t len, struct count_event *out, struct fail *f)
{
    if (len >= sizeof out->name || !scenario_named("counter", name, len)) {
        fail_set(f, 0, "%.*s: no such counter", (int)len, name);
        return -ENOENT;
    }
    *out = (struct count_event){.user = true, .kernel = true};
    memcpy(out->name, name, len);
    return 0;
}

RETURNS("cycles instructions", const char *, count_names, void)

enum counter_state count_state(const char *name)
{
    static const char *const words[] = {"counted", "user", "missing", "denied", "busy"};
    const char *state = scenario_named("counter", name, strlen(name));
    for (int i = 0; state && i < 5; i++)
        if (strcmp(state, words[i]) == 0)
            return (enum counter_state)i;
    return COUNTER_COUNTED;
}

void count_scripted(const char *name, const char *line, struct counter_reading *out)
{
    *out = (struct counter_reading){.state = count_state(name)};
    if (counter_reason(out->state))
        return;
    out->count = scenario_number(line, name, 0);
    out->enabled_ns = scenario_number(line, "enabled", 0);
    out->running_ns = scenario_number(line, "running", 0);
}

int count_open_children(const struct count_event *e, enum counter_state *state)
{
    *state = count_state(e->name);
    return -1;
}

void count_read(int fd, struct counter_reading *out)
{
    out->count = out->enabled_ns = out->running_ns = 0;
}
