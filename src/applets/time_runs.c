#include "applets/time_runs.h"

#include "applets/applet.h"
#include "applets/progress.h"
#include "core/base/buf.h"
#include "plat/wait.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TIME_COUNTERS == (int)RUNS_COUNTERS,
               "as many counters are reported as are taken");

static void draw_progress(struct progress *p, unsigned long made, unsigned long all)
{
    size_t width;
    uint64_t spent_ns;
    if (!progress_due(p, &width, &spent_ns))
        return;
    struct buf line = BUF_INIT;
    time_progress(made, all, (double)spent_ns, width, &line);
    progress_draw(p, buf_str(&line));
    buf_release(&line);
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

static int add_run(struct time_runs *t, const struct runs_end *e)
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

/* A whole command line in quotes, as hyperfine takes it. */
static void hint_at_shell(const struct time_report *r, struct fail *f)
{
    for (size_t i = 0; i < r->commands; i++) {
        const char *name = r->command[i].argv[0];
        if (f->err == ENOENT && strchr(name, ' ') && !r->command[i].argv[1])
            fail_hint(f, "write it without quotes, or run a shell: sh -c '%s'", name);
    }
}

/* `-c cycles', where -ccycles was meant. */
static void hint_at_events(const struct time_report *r, struct fail *f)
{
    struct count_event event;
    const char *name = r->command[0].argv[0];
    if (f->err == ENOENT && r->counters && count_find(name, strcspn(name, ","), &event, NULL) == 0)
        fail_hint(f, "events are joined to the option: -c%s", name);
}

static int not_run(const struct applet *a, const struct time_report *r, struct fail *f)
{
    hint_at_shell(r, f);
    hint_at_events(r, f);
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
static void handle_interrupt(struct time_runs *t, struct runs *r)
{
    int signal = interrupt_read(NULL);
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
            handle_interrupt(t, r);
    }
    return runs_next(r, end, f);
}

/* Whether the run ended, or failed, because of the interrupt: it says nothing about the command. */
static bool cut_short(const struct time_runs *t, const struct runs_end *e)
{
    return t->series && (e->interrupted || (t->report.interrupted && child_status(&e->end) != 0));
}

static int gather_runs(const struct applet *a, struct time_runs *t, struct runs *r)
{
    struct time_report *report = &t->report;
    struct progress p;
    unsigned long made = 0, all = (report->wanted + report->warmups) * report->commands;
    struct runs_end end;
    struct fail f;
    int got, err = 0;
    progress_start(&p, t->series);
    while (err == 0 && (got = next_end(t, r, &end, &f)) > 0 && !end.exec_errno) {
        if (cut_short(t, &end)) {
            report->interrupted = true;
            t->status = child_status(&end.end);
        } else if (made++ >= report->warmups * report->commands)
            err = add_run(t, &end);
        draw_progress(&p, made, all);
    }
    progress_wipe(&p);
    if (err < 0)
        got = fail_set(&f, -err, "runs");
    if (got <= 0)
        return got < 0 ? applet_fail(a, &f) : 0;
    fail_set(&f, end.exec_errno, "%s", report->command[end.command].argv[0]);
    return not_run(a, report, &f);
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
    int status = runs_start(&plan, &r, &f) < 0 ? not_run(a, report, &f) : 0;
    if (status == 0) {
        status = gather_runs(a, t, r);
        runs_free(r);
    }
    free(argvs);
    return status;
}
