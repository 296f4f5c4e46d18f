#include "iostats_machine.h"

#include "applets/applet.h"
#include "applets/progress.h"
#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "engine/iostats/machine.h"

struct reporting {
    const struct iostats_of_machine *q;
    struct progress line;
    int status;
};

static int print_report(const struct reporting *r, const struct io_machine *m, bool now)
{
    SCOPED_BUF out = BUF_INIT;
    const struct io_machine_view view = {.size = r->q->size, .sort = r->q->sort, .now = now};
    (r->q->json ? io_machine_json : io_machine_text)(m, &view, &out);
    int status = applet_print(&applet_iostats, &out, DONE);
    applet_flush();
    return status;
}

/* With -T each round is a report. */
static bool end_round(void *arg, const struct io_machine *m)
{
    struct reporting *r = arg;
    if (!(r->q->interval > 0)) {
        if (progress_due(&r->line))
            progress_draw(&r->line, "%.0f s", (double)r->line.spent_ns / 1e9);
        return true;
    }
    progress_wipe(&r->line);
    r->status = print_report(r, m, true);
    return r->status == DONE;
}

static int run_rounds(struct reporting *r, struct io_machine *m, struct fail *f)
{
    const struct iostats_machine_want want = {.seconds = r->q->seconds,
                                              .interval = r->q->interval,
                                              .sort = r->q->sort,
                                              .round = end_round,
                                              .arg = r};
    if (r->q->top)
        return iostats_machine_top(m, &want, f);
    progress_start(&r->line, true);
    progress_begin(&r->line, "counting the I/O of all processes");
    iostats_machine_run(m, &want);
    progress_wipe(&r->line);
    return 0;
}

int iostats_of_machine(struct iostats_of_machine *q)
{
    struct reporting r = {.q = q, .status = DONE};
    struct io_machine *m;
    struct fail f;
    if (iostats_machine_start(&m, &f) < 0)
        return applet_fail(&applet_iostats, &f);
    report_screen(&q->size, false, 0);
    int err = run_rounds(&r, m, &f);
    if (err < 0)
        r.status = applet_fail(&applet_iostats, &f);
    else if (q->top || !(q->interval > 0))
        r.status = print_report(&r, m, false);
    io_machine_free(m);
    return r.status;
}
