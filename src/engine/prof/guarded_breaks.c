#include "guarded_breaks.h"

#include "plat/guard.h"

#include <errno.h>

struct running {
    struct breaks *breaks;
    struct child_end *end;
    struct fail *f;
};

static int run_breaks(void *arg)
{
    struct running *r = arg;
    return breaks_run(r->breaks, r->end, r->f);
}

int guarded_breaks(char *const *command, const struct breaks_callbacks *to, struct child_end *end,
                   uint64_t *lost, struct fail *f)
{
    struct breaks *b;
    struct fail crash;
    int r = breaks_command(command, to, &b, f);
    if (r < 0)
        return r;
    struct running running = {b, end, f};
    r = guard_call(run_breaks, &running, &crash);
    if (r == -EFAULT)
        return fail_set(f, 0, "a program's file: reading it %s: it may have been rewritten",
                        crash.what);
    *lost = breaks_lost(b);
    breaks_free(b);
    return r;
}
