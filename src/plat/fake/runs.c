/* The runs' ends are the scenario's child lines (child_line.h), in order. */
#include "plat/runs.h"

#include "child_line.h"
#include "count_state.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <stdlib.h>

enum { HANDLE = 902, SIGNAL_INT = 2 };

struct runs {
    struct runs_plan plan;
    size_t made;
    bool stop;
};

int runs_start(const struct runs_plan *plan, struct runs **out, struct fail *f)
{
    int r = scenario_fail("runs_start", f);
    if (r < 0)
        return fail_set(f, -r, "%s", plan->command[0][0]);
    struct runs *runs = calloc(1, sizeof *runs);
    if (!runs)
        return fail_set(f, ENOMEM, "runs");
    runs->plan = *plan;
    *out = runs;
    return 0;
}

RETURNS(HANDLE, int, runs_handle, const struct runs *r)

static size_t next_command(const struct runs *r)
{
    size_t n = r->plan.commands, i = r->made % n;
    return r->made / n % 2 ? n - 1 - i : i;
}

int runs_next(struct runs *r, struct runs_end *out, struct fail *f)
{
    int err = scenario_fail("runs_next", f);
    if (err < 0)
        return err;
    if (r->stop || r->made >= r->plan.rounds * r->plan.commands)
        return 0;
    const char *line = child_line(r->made);
    *out = (struct runs_end){.command = next_command(r),
                             .exec_errno = (int)scenario_number(line, "err", 0)};
    r->made++;
    child_line_end(line, &out->end);
    out->interrupted = out->end.signalled && out->end.code == SIGNAL_INT;
    r->stop = out->exec_errno || out->interrupted;
    for (size_t i = 0; i < r->plan.events; i++)
        count_scripted(r->plan.event[i].name, line, &out->count[i]);
    return 1;
}

void runs_stop(struct runs *r, int signal)
{
    r->stop = true;
}

void runs_free(struct runs *r)
{
    free(r);
}
