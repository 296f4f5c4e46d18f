/* Counts the instructions of a command. */
#include "coverage_parts.h"
#include "guarded_breaks.h"

#include <errno.h>
#include <stdlib.h>

static int check_counting(const struct coverage_counting *c, struct fail *f)
{
    if (c->failed)
        return fail_set(f, ENOMEM, "counts");
    if (!c->record->modules)
        return fail_set(f, 0, "%s: no code of it was executed that could be counted",
                        c->want->modules ? c->want->module[0]
                        : c->program     ? c->program
                                         : "command");
    return 0;
}

static int run_counting(struct coverage_counting *c, struct child_end *end, struct fail *f)
{
    const struct breaks_callbacks to = coverage_callbacks(c);
    uint64_t lost = 0;
    int r = guarded_breaks(c->want->command, &to, end, &lost, f);
    c->unset += lost;
    return r;
}

int coverage_run(const struct coverage_want *want, struct coverage_record *r, struct child_end *end,
                 struct fail *f)
{
    struct coverage_counting c = {.want = want, .record = r};
    int err = run_counting(&c, end, f);
    if (err == 0)
        err = check_counting(&c, f);
    r->unset += c.unset;
    coverage_files_release(&c);
    free(c.program);
    return err;
}
