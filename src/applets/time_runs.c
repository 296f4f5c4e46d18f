#include "applets/time_runs.h"

#include "applets/applet.h"
#include "core/buf.h"
#include "plat/clock.h"
#include "plat/tty.h"
#include "plat/wait.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TIME_COUNTERS == (int)RUNS_COUNTERS,
               "as many counters are reported as are taken");

/* A line on the terminal that is drawn over itself, not before the first two seconds, five times a
 * second. */
struct progress {
    int width; /* 0: nobody is looking */
    uint64_t start_ns, drawn_ns;
    unsigned long made, all;
};

static void draw(struct progress *p)
{
    const uint64_t patience_ns = 2000000000u, again_ns = 200000000u;
    uint64_t now_ns = p->width ? clock_mono_ns() : 0;
    if (!p->width || now_ns - p->start_ns < patience_ns || now_ns - p->drawn_ns < again_ns)
        return;
    struct buf line = BUF_INIT;
    size_t width = (size_t)p->width - 1;
    time_progress(p->made, p->all, (double)(now_ns - p->start_ns), width, &line);
    fprintf(stderr, "\r%-*s", (int)width, buf_str(&line));
    fflush(stderr);
    buf_release(&line);
    p->drawn_ns = now_ns;
}

static void wipe(const struct progress *p)
{
    if (p->drawn_ns)
        fprintf(stderr, "\r%*s\r", p->width - 1, "");
}

static void basic_values(const struct child_end *e, double *value)
{
    value[TIME_REAL] = (double)e->real_ns;
    value[TIME_USER] = (double)e->user_ns;
    value[TIME_SYSTEM] = (double)e->sys_ns;
    value[TIME_PEAK_RSS] = (double)e->peak_rss_bytes;
    value[TIME_MINOR_FAULTS] = (double)e->minor_faults;
    value[TIME_MAJOR_FAULTS] = (double)e->major_faults;
    value[TIME_VOLUNTARY] = (double)e->voluntary_switches;
    value[TIME_INVOLUNTARY] = (double)e->involuntary_switches;
    value[TIME_BLOCKS_IN] = (double)e->blocks_in;
    value[TIME_BLOCKS_OUT] = (double)e->blocks_out;
}

static int keep(struct time_runs *t, const struct runs_end *e)
{
    struct time_run run = {
        .signalled = e->end.signalled,
        .core = e->end.core,
        .code = e->end.code,
        .rss_at_floor = e->end.peak_rss_bytes <= e->end.floor_rss_bytes,
    };
    basic_values(&e->end, run.value);
    for (size_t i = 0; i < t->events; i++) {
        t->report.counter[i].state = e->count[i].state;
        run.value[TIME_BASIC + i] = counter_scaled(&e->count[i]);
        run.share[i] = counter_share(&e->count[i]);
    }
    if (time_failed(&run))
        t->status = child_status(&e->end);
    return time_command_add(&t->report.command[e->command], &run);
}

static int not_run(const struct applet *a, const struct fail *f)
{
    applet_fail(a, f);
    switch (f->err) {
    case ENOENT:
    case ENOTDIR:
        return NOT_FOUND;
    case EACCES:
    case ENOEXEC:
        return NOT_EXECUTABLE;
    default:
        return FAILED;
    }
}

/* A single run is the command's own business to end; of a series it is the last. */
static void take_interrupt(struct time_runs *t, struct runs *r)
{
    int signal = interrupt_take(NULL);
    if (!signal || (signal == SIGINT && !t->series))
        return;
    t->report.interrupted = t->series;
    if (t->series)
        t->status = SIGNALLED + signal;
    runs_stop(r, signal == SIGINT ? 0 : signal);
}

/* Waits for a run's end while answering interrupts: 1, 0 when all are made, negative with f set. */
static int next_end(struct time_runs *t, struct runs *r, struct runs_end *end, struct fail *f)
{
    struct wait_on set[] = {{.handle = interrupt_open()}, {.handle = runs_handle(r)}};
    while (!set[1].ready) {
        wait_ready(set, 2, -1);
        if (set[0].ready)
            take_interrupt(t, r);
    }
    return runs_next(r, end, f);
}

/* Whether the run ended, or failed, because of the interrupt: it says nothing about the command. */
static bool cut_short(const struct time_runs *t, const struct runs_end *e)
{
    return t->series && (e->interrupted || (t->report.interrupted && child_status(&e->end) != 0));
}

static int gather(const struct applet *a, struct time_runs *t, struct runs *r)
{
    struct time_report *report = &t->report;
    struct progress p = {.start_ns = clock_mono_ns(), .width = t->series ? tty_err_width() : 0};
    p.all = (report->wanted + report->warmups) * report->commands;
    struct runs_end end;
    struct fail f;
    int got, err = 0;
    while (err == 0 && (got = next_end(t, r, &end, &f)) > 0 && !end.exec_errno) {
        if (cut_short(t, &end)) {
            report->interrupted = true;
            t->status = child_status(&end.end);
        } else if (p.made++ >= report->warmups * report->commands)
            err = keep(t, &end);
        draw(&p);
    }
    wipe(&p);
    if (err < 0)
        got = fail_set(&f, -err, "runs");
    if (got <= 0)
        return got < 0 ? applet_fail(a, &f) : 0;
    fail_set(&f, end.exec_errno, "%s", report->command[end.command].argv[0]);
    return not_run(a, &f);
}

int time_runs_make(const struct applet *a, struct time_runs *t)
{
    struct time_report *report = &t->report;
    struct runs *r;
    struct fail f;
    char *const **argvs = calloc(report->commands, sizeof *argvs);
    if (!argvs)
        return applet_error(a, "commands: %s", strerror(ENOMEM));
    for (size_t i = 0; i < report->commands; i++)
        argvs[i] = report->command[i].argv;
    struct runs_plan plan = {argvs, report->commands, report->wanted + report->warmups, t->event,
                             t->events};
    interrupt_open();
    int status = runs_start(&plan, &r, &f) < 0 ? not_run(a, &f) : 0;
    if (status == 0) {
        status = gather(a, t, r);
        runs_free(r);
    }
    free(argvs);
    return status;
}
