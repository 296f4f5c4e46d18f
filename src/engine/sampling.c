#include "engine/sampling.h"

#include "core/order.h"
#include "core/unwind.h"
#include "plat/clock.h"
#include "plat/host.h"
#include "plat/proc.h"
#include "plat/sample.h"
#include "plat/wait.h"
#include "sampling_books.h"
#include "sampling_sleepers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_MS = 100,
    SHORT_ROUND_MS = 10, /* where stacks are read after their samples were taken */
    SHORT_AT_FIRST = 30, /* rounds: until it shows */
    MOST_HANDLES = 512,
    MOST_NAMES = 4096,
    MOST_PROCESSES = 32768,
    LONGEST_RECORD = 1 << 16
};

/* --- records --- */

static void take_ordered(void *arg, const void *record, size_t len)
{
    struct sampling *s = arg;
    struct perfrec r;
    if (perfrec_decode(record, len, &s->format, &r))
        sampled_take(&s->sampled, &r);
}

static void take_raw(void *arg, const void *record, size_t len)
{
    struct sampling *s = arg;
    struct perfrec r;
    if (!perfrec_decode(record, len, &s->format, &r))
        return;
    size_t trimmed = perfrec_trim(record, len, &r, s->trimmed);
    order_add(s->order, trimmed < len ? s->trimmed : record, trimmed, r.time);
}

static void read_round(struct sampling *s)
{
    sample_read(s->sampler, take_raw, s);
    sampled_round(&s->sampled);
    order_round(s->order, take_ordered, s);
}

/* Also writes out the recording; false once that fails. */
static bool end_round(struct sampling *s)
{
    return recorder_round(&s->recorder, &s->sampled);
}

/* Before the sampling, whose samples would be lost for a misspelt name. */
static int check_binary(const char *path, struct fail *f)
{
    struct image image;
    int r = path ? file_map_regular(path, &image, f) : 0;
    if (path && r == 0)
        file_unmap(&image);
    return r;
}

/* --- a process that runs already --- */

static void need_image(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end)
{
    struct sampling *s = arg;
    if (!m->kernel)
        symbols_need(&s->symbols, m, (int)pid, start, end);
}

static size_t read_stack(void *arg, uint32_t pid, uint64_t from, void *bytes, size_t len)
{
    (void)arg;
    return proc_memory((int)pid, from, bytes, len);
}

static void learn_names(struct sampling *s, int pid)
{
    int *tid = malloc(MOST_NAMES * sizeof *tid);
    int n = tid ? proc_threads(pid, tid, MOST_NAMES, NULL) : 0;
    struct buf name = BUF_INIT;
    for (int i = 0; i < n && i < MOST_NAMES; i++) {
        char path[32];
        snprintf(path, sizeof path, "task/%d/comm", tid[i]);
        buf_clear(&name);
        if (proc_text(pid, path, &name, NULL) == 0)
            sampled_name(&s->sampled, (uint32_t)pid, (uint32_t)tid[i], buf_str(&name));
    }
    buf_release(&name);
    free(tid);
}

/* After the sampler is open, so that no mapping falls between; what maps told is then only told
 * twice. */
static int learn_process(struct sampling *s, int pid, struct fail *f)
{
    struct buf maps = BUF_INIT, program = BUF_INIT;
    bool only_kernel = s->sampled.want.no_user;
    int r = only_kernel ? 0 : proc_text(pid, "maps", &maps, f);
    proc_program(pid, &program);
    if (r == 0 && !only_kernel)
        sampled_maps(&s->sampled, (uint32_t)pid, buf_str(&program), buf_str(&maps));
    if (r == 0 && (s->sampled.want.by != SAMPLED_WHOLE || s->recorder.path))
        learn_names(s, pid);
    buf_release(&maps);
    buf_release(&program);
    return r;
}

/* --- everything --- */

/* What runs already; a process that ends meanwhile is passed over. */
static int learn_all(struct sampling *s, struct fail *f)
{
    if (s->sampled.want.no_user && s->sampled.want.by == SAMPLED_WHOLE)
        return 0;
    int *pid = malloc(MOST_PROCESSES * sizeof *pid);
    int n = pid ? proc_all(pid, MOST_PROCESSES, f) : fail_set(f, ENOMEM, "processes");
    for (int i = 0; i < n && i < MOST_PROCESSES; i++)
        learn_process(s, pid[i], NULL);
    free(pid);
    return n < 0 ? n : 0;
}

/* Before all that runs is sampled, or a command among it. */
static int open_sampler(struct sampling *s, const struct sample_want *want, struct fail *f)
{
    int r = want->kernel && s->sampled.want.no_user ? symbols_kernel_check(&s->symbols, f) : 0;
    if (r == 0)
        r = sample_open(want, &s->sampler, f);
    if (r == 0 && s->sampled.want.kernel)
        symbols_map_kernel(&s->symbols, &s->sampled);
    if (r == 0 && !want->pid)
        sampling_read_cpus(&s->cpus_before);
    return r;
}

static int attach(struct sampling *s, const struct sample_want *want, struct fail *f)
{
    if (want->pid && !proc_alive(want->pid))
        return fail_set(f, ESRCH, "process %d", want->pid);
    int r = open_sampler(s, want, f);
    if (r < 0 || !want->pid)
        return r < 0 ? r : learn_all(s, f);
    s->booked_before_ms = sampling_booked_ms(s, want->pid);
    r = learn_process(s, want->pid, f);
    if (r == 0 && want->waits)
        sampling_learn_sleepers(s, want->pid);
    return r;
}

/* --- a command --- */

static int launch(struct sampling *s, struct sample_want *how, const struct sampling_want *want,
                  struct fail *f)
{
    int r = child_hold(want->command, &s->child, f);
    if (r < 0)
        return r;
    if (!want->everything) {
        s->sampled.want.pid = (uint32_t)s->child.pid;
        how->pid = s->child.pid;
        how->on_exec = how->children = true;
    }
    r = open_sampler(s, how, f);
    if (r == 0 && want->everything)
        r = learn_all(s, f);
    if (r < 0) {
        child_drop(&s->child);
        return r;
    }
    r = child_release(&s->child, f);
    s->executed = s->child_runs = r == 0;
    return r;
}

/* --- the loop --- */

static int ms_left(const struct sampling_want *want, uint64_t end_ns)
{
    if (want->seconds <= 0)
        return ROUND_MS;
    uint64_t now = clock_mono_ns();
    if (now >= end_ns)
        return 0;
    uint64_t ms = (end_ns - now + 999999) / 1000000;
    return ms < ROUND_MS ? (int)ms : ROUND_MS;
}

static int most_ms(const struct sampling *s, const struct sampling_want *want, size_t rounds)
{
    bool early = s->format.fields & PERFREC_STACK_USER && rounds < SHORT_AT_FIRST;
    bool live = want->wait || want->round;
    return !live && (early || sampled_reads_late(&s->sampled)) ? SHORT_ROUND_MS : ROUND_MS;
}

/* A command has what is typed from the terminal; what was sent to us alone it gets from us. */
static int pass_on_interrupt(struct sampling *s)
{
    bool typed;
    int sig = interrupt_take(&typed);
    if (sig && s->child_runs && !typed)
        child_signal(&s->child, sig);
    return sig;
}

/* The sampling ends at once when there is no command, else at the second interrupt. */
static bool interrupt_ends(struct sampling *s)
{
    bool again = s->interrupted != 0;
    int sig = pass_on_interrupt(s);
    if (sig)
        s->interrupted = sig;
    return sig && (again || !s->child_runs);
}

/* A ring whose first thread has ended would be ready for ever: the rounds read it all the same. */
static void pass_over_gone(struct wait_on *on, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (on[i].gone)
            on[i].handle = -1;
}

static bool wait_next(const struct sampling_want *want, struct wait_on *on, size_t n, int timeout)
{
    if (want->wait)
        return want->wait(want->arg, on, n, timeout);
    wait_ready(on, n, timeout);
    return true;
}

static void loop(struct sampling *s, const struct sampling_want *want, int target)
{
    uint64_t end_ns = clock_mono_ns() + (uint64_t)(want->seconds * 1e9);
    const int *rings;
    size_t rounds = 0;
    size_t n = sample_handles(s->sampler, &rings);
    struct wait_on on[MOST_HANDLES + 2] = {{.handle = interrupt_open()}, {.handle = target}};
    if (n > MOST_HANDLES)
        n = MOST_HANDLES;
    for (size_t i = 0; i < n; i++)
        on[i + 2].handle = rings[i];
    for (;;) {
        int timeout = ms_left(want, end_ns), most = most_ms(s, want, rounds++);
        if (timeout == 0)
            return;
        if (timeout > most)
            timeout = most;
        bool go_on = wait_next(want, on, n + 2, timeout);
        read_round(s);
        if (!end_round(s))
            return;
        if (want->waits_live)
            sampled_waits_until(&s->sampled,
                                s->order->entries ? s->order->previous : clock_mono_ns());
        if (want->round)
            want->round(want->arg, &s->sampled);
        pass_over_gone(on + 2, n);
        if (!go_on)
            return;
        if (on[0].ready && interrupt_ends(s))
            return;
        if (on[1].ready ||
            (target < 0 && s->sampled.want.pid && !proc_alive((int)s->sampled.want.pid)))
            return;
    }
}

static int finish(struct sampling *s, int target, struct fail *f)
{
    sample_stop(s->sampler);
    uint64_t stopped_ns = clock_mono_ns();
    sample_read(s->sampler, take_raw, s);
    if (!s->sampled.want.pid)
        sampling_book_cpus(s);
    bool books = s->sampled.want.pid && !s->child.pid && !s->sampled.want.children;
    uint64_t now_ms = books ? sampling_booked_ms(s, (int)s->sampled.want.pid) : 0;
    if (now_ms > s->booked_before_ms) /* else it is gone, and its books with it */
        s->sampled.booked_ms = now_ms - s->booked_before_ms;
    sampled_round(&s->sampled);
    int r = order_flush(s->order, take_ordered, s);
    if (s->sampled.want.waits)
        sampled_waits_end(&s->sampled,
                          stopped_ns > s->order->latest ? stopped_ns : s->order->latest);
    struct wait_on on = {.handle = target};
    if (s->child_runs && wait_ready(&on, 1, 0)) {
        s->child_runs = false;
        if (child_wait(&s->child, &s->end, NULL) == 0 && s->sampled.want.pid)
            s->sampled.booked_ms = sampling_of_modes(s, s->end.user_ns, s->end.sys_ns) / 1000000;
    }
    if (r < 0)
        s->sampled.err = r; /* what was counted stands; the report tells */
    return sampling_finish(s, f);
}

/* What is known once the sampler is open. */
static void describe(struct sampling *s, const struct sampling_want *want,
                     const struct sample_event *event)
{
    struct recorder_facts facts = {s->method, s->mode, want->command, s->sampled.want.pid};
    sample_format(s->sampler, &s->format);
    s->sampled.regs_user = s->format.regs_user;
    s->sampled.want.hz = sample_hz(s->sampler);
    if (!s->format.period)
        s->format.period = s->sampled.want.hz ? 1000000000u / s->sampled.want.hz : 1;
    snprintf(s->method, sizeof s->method, "%s", sample_method(s->sampler));
    if (event->name[0]) {
        snprintf(s->sampled.event.name, sizeof s->sampled.event.name, "%s", event->name);
        s->sampled.event.clock = event->clock;
    }
    if (s->recorder.path)
        recorder_start(&s->recorder, &s->sampled, s->format.period, &facts, &s->symbols);
}

/* The kernel copies so much of the stack into each sample, if there is as much: all that it can. */
enum { SLICE_BYTES = 65528 };

/* Where the machine's functions can be unwound. */
static void want_stacks(const struct sampling_want *want, struct sample_want *sw)
{
    struct host host;
    enum unwind_machine machine;
    host_describe(&host);
    if (want->chains != CHAINS_CFI || want->no_user ||
        !unwind_machine_named(host.machine, &machine))
        return;
    sw->registers = unwind_perf_mask(machine);
    sw->stack_bytes = SLICE_BYTES;
}

static int start(struct sampling *s, const struct sampling_want *want,
                 const struct sample_event *event, struct fail *f)
{
    struct sample_want sw = {.pid = want->pid,
                             .children = want->children,
                             .kernel = want->kernel,
                             .no_user = want->no_user && !want->user_apart,
                             .chains = want->chains != CHAINS_NONE,
                             .waits = want->waits,
                             .hz = want->hz,
                             .event = *event,
                             .engine = want->engine};
    want_stacks(want, &sw);
    int r = want->command ? launch(s, &sw, want, f) : attach(s, &sw, f);
    if (r == 0)
        describe(s, want, event);
    return r;
}

/* What an event's own name says of the modes outranks what was wanted; samples of one that happens
 * in the kernel are there. */
static struct sampling_want modes_of(const struct sampling_want *want,
                                     const struct sample_event *event)
{
    struct sampling_want w = *want;
    if (event->user || event->kernel) {
        w.kernel = event->kernel;
        w.no_user = !event->user;
    } else if (event->in_kernel) {
        w.kernel = true;
    }
    return w;
}

static int no_clock(const struct sample_event *event, struct fail *f)
{
    fail_set(f, 0, "-w: waits are time, %s is none", event->name);
    fail_hint(f, "without -e, or with -e task-clock, both can be added");
    return -EINVAL;
}

int sampling_run(const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    struct sample_event event = {0};
    int found = want->event ? sample_event_find(want->event, &event, f) : 0;
    struct sampling_want counted_want = modes_of(want, &event);
    sampling_init(&counted_want, s);
    if (found < 0)
        return found;
    if (want->waits && event.name[0] && !event.clock)
        return no_clock(&event, f);
    s->sampled.need_image = need_image;
    s->sampled.need_cfi = sampling_need_cfi;
    s->sampled.read_stack = read_stack;
    s->sampled.counted = want->record ? sampling_counted : NULL;
    s->sampled.arg = s;
    s->order = calloc(1, sizeof *s->order);
    s->trimmed = malloc(LONGEST_RECORD);
    if (!s->order || !s->trimmed)
        return fail_set(f, ENOMEM, "sampling");
    if (check_binary(want->binary, f) < 0)
        return -EINVAL;
    interrupt_open(); /* before the command starts, so that it does not inherit our blocked signals
                       */
    int r = want->record ? recorder_open(&s->recorder, want->record, want->force, f) : 0;
    if (r == 0)
        r = start(s, want, &event, f);
    if (r < 0)
        return r;
    int target = want->command ? child_handle(&s->child) : want->pid ? proc_handle(want->pid) : -1;
    loop(s, want, target);
    r = finish(s, target, f);
    if (!want->command && want->pid)
        proc_handle_close(target);
    int e = recorder_close(&s->recorder, &s->sampled, r < 0 ? NULL : f);
    return r < 0 ? r : e;
}

int sampling_wait(struct sampling *s, struct fail *f)
{
    if (!s->child_runs)
        return 0;
    struct wait_on on[] = {{.handle = interrupt_open()}, {.handle = child_handle(&s->child)}};
    while (!on[1].ready) {
        wait_ready(on, 2, -1);
        if (on[0].ready)
            pass_on_interrupt(s);
    }
    s->child_runs = false;
    return child_wait(&s->child, &s->end, f);
}

void sampling_release(struct sampling *s)
{
    sample_close(s->sampler);
    recorder_close(&s->recorder, &s->sampled, NULL);
    sampled_release(&s->sampled);
    symbols_release(&s->symbols);
    recording_close(&s->recording);
    file_unmap(&s->file);
    if (s->order)
        order_release(s->order);
    free(s->order);
    free(s->trimmed);
    *s = (struct sampling){0};
}
