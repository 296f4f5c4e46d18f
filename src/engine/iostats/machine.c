#include "engine/iostats/machine.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/report/io_top.h"
#include "engine/base/screen.h"
#include "machine_read.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "plat/sysfile.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdio.h>

/* --- the first round --- */

static int check_accounting(struct fail *f)
{
    char path[32];
    SCOPED_BUF text = BUF_INIT;
    int r = proc_check(f);
    if (r < 0)
        return r;
    snprintf(path, sizeof path, "/proc/%d/io", sysfile_self());
    r = sysfile_text(path, &text, f);
    if (r == -ENOENT)
        fail_hint(f, "kernel options CONFIG_TASKSTATS=y CONFIG_TASK_XACCT=y "
                     "CONFIG_TASK_IO_ACCOUNTING=y");
    return r;
}

int iostats_machine_start(struct io_machine **m, struct fail *f)
{
    int r = check_accounting(f);
    if (r < 0)
        return r;
    *m = io_machine_new();
    if (!*m)
        return fail_set(f, ENOMEM, "the processes");
    machine_read(*m);
    return 0;
}

/* --- rounds --- */

struct pace {
    uint64_t next_ns, interval_ns, end_ns; /* the next round, the last one; end 0: never */
};

static struct pace start_pace(const struct iostats_machine_want *want)
{
    uint64_t now = clock_mono_ns();
    struct pace p = {.interval_ns = (uint64_t)((want->interval > 0 ? want->interval : 1) * 1e9)};
    p.next_ns = now + p.interval_ns;
    p.end_ns = want->seconds > 0 ? now + (uint64_t)(want->seconds * 1e9) : 0;
    return p;
}

static int pace_wait_ms(const struct pace *p)
{
    uint64_t next = p->end_ns && p->end_ns < p->next_ns ? p->end_ns : p->next_ns;
    return ms_until(clock_mono_ns(), next);
}

static bool pace_is_over(const struct pace *p, uint64_t now)
{
    return p->end_ns && now >= p->end_ns;
}

/* Whether a round is due; the one after it is due at the next multiple of the interval. */
static bool pace_step(struct pace *p)
{
    uint64_t now = clock_mono_ns();
    if (now < p->next_ns && !pace_is_over(p, now))
        return false;
    while (p->next_ns <= now)
        p->next_ns += p->interval_ns;
    return true;
}

static bool run_round(struct io_machine *m, const struct iostats_machine_want *want)
{
    machine_read(m);
    return !want->round || want->round(want->arg, m);
}

void iostats_machine_run(struct io_machine *m, const struct iostats_machine_want *want)
{
    struct wait_on on = {.handle = interrupt_open()};
    struct pace pace = start_pace(want);
    bool goes_on = true;
    while (goes_on && !pace_is_over(&pace, clock_mono_ns())) {
        wait_ready(&on, 1, pace_wait_ms(&pace));
        goes_on = !(on.ready && interrupt_read(NULL));
        if (pace_step(&pace) || !goes_on)
            goes_on &= run_round(m, want);
    }
}

/* --- live --- */

struct live {
    struct screen screen;
    struct io_top top;
};

static void draw_view(struct live *l)
{
    io_top_draw(&l->top, &l->screen.canvas);
    screen_show(&l->screen);
}

/* False when the view shall end. */
static bool handle_event(struct live *l, enum screen_kind kind, const struct screen_event *e)
{
    if (kind == SCREEN_KEY && !io_top_press(&l->top, &e->key, l->screen.canvas.height))
        return false;
    if (kind == SCREEN_KEY || kind == SCREEN_DRAW)
        draw_view(l);
    return kind != SCREEN_INTERRUPT && kind != SCREEN_GONE;
}

int iostats_machine_top(struct io_machine *m, const struct iostats_machine_want *want,
                        struct fail *f)
{
    struct live l = {.top = {.sort = want->sort}};
    struct screen_event e;
    struct pace pace = start_pace(want);
    int r = screen_open(&l.screen, true, f);
    if (r < 0) {
        fail_hint(f, "use -t SECONDS instead of --top for a report");
        return r;
    }
    draw_view(&l);
    while (!pace_is_over(&pace, clock_mono_ns()) &&
           handle_event(&l, screen_event(&l.screen, NULL, 0, pace_wait_ms(&pace), &e), &e)) {
        if (!pace_step(&pace))
            continue;
        machine_read(m);
        io_top_update(&l.top, m);
        draw_view(&l);
    }
    screen_close(&l.screen);
    io_top_release(&l.top);
    machine_read(m);
    return 0;
}
