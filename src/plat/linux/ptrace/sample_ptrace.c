/* The sampler of plat/sample.h by ptrace: sample_ptrace.h tells how it is done. */
#include "sample_ptrace.h"

#include "core/base/time_ns.h"
#include "perf/ring_size.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct ptrace_sampler {
    struct sampler sampler;
    struct tracer tracer;
    struct ptrace_records records;
    pthread_t thread;
    bool runs;
    sem_t attached; /* posted when attach_err is known */
    int attach_err;
    struct fail fail;
    char method[96];
};

static struct ptrace_sampler *to_ptrace_sampler(const struct sampler *s)
{
    return (struct ptrace_sampler *)(uintptr_t)s;
}

/* --- the timer --- */

/* A signal that psuite does not use otherwise. */
static int tick_signal(void)
{
    return SIGRTMAX - 3;
}

static void ignore_tick_signal(int signal)
{
}

static int start_timer(struct tracer *t)
{
    sigaction(tick_signal(), &(struct sigaction){.sa_handler = ignore_tick_signal}, NULL);
    t->stride = 1;
    return ticker_start(&t->ticker, tick_signal(), t->period_ns);
}

/* --- the thread --- */

static void *tracer_main(void *arg)
{
    struct ptrace_sampler *p = arg;
    int r = tracer_attach(&p->tracer, &p->fail);
    if (r == 0 && (r = start_timer(&p->tracer)) < 0)
        fail_set(&p->fail, -r, "timer");
    p->attach_err = r;
    sem_post(&p->attached);
    if (r == 0) {
        tracer_run(&p->tracer);
        ticker_stop(&p->tracer.ticker);
        ptrace_records_wake(&p->records);
    }
    return NULL;
}

/* It has no signals but its own: all others are for the thread that was there before. */
static int start_tracer(struct ptrace_sampler *p)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, tick_signal());
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&p->thread, NULL, tracer_main, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err)
        return fail_set(&p->fail, err, "thread");
    p->runs = true;
    TEMP_FAILURE_RETRY(sem_wait(&p->attached));
    return p->attach_err;
}

static void join_tracer(struct ptrace_sampler *p)
{
    if (!p->runs)
        return;
    atomic_store(&p->tracer.stop, true);
    pthread_join(p->thread, NULL);
    p->runs = false;
}

/* --- the sampler --- */

static void ptrace_close(struct sampler *s)
{
    SCOPED_FREE struct ptrace_sampler *p = to_ptrace_sampler(s);
    join_tracer(p);
    tracer_release(&p->tracer);
    ptrace_records_release(&p->records);
    sem_destroy(&p->attached);
}

static size_t ptrace_handles(const struct sampler *s, const int **handles)
{
    *handles = to_ptrace_sampler(s)->records.ready;
    return 1;
}

static void ptrace_stop(struct sampler *s)
{
    join_tracer(to_ptrace_sampler(s));
}

static void ptrace_read(struct sampler *s, void (*emit)(void *, const void *, size_t), void *arg)
{
    ptrace_records_read(&to_ptrace_sampler(s)->records, emit, arg);
}

static const struct sampler_ops ops = {
    .close = ptrace_close,
    .handles = ptrace_handles,
    .stop = ptrace_stop,
    .read = ptrace_read,
};

void ptrace_sampler_counts(const struct sampler *s, struct ptrace_counts *out)
{
    *out = to_ptrace_sampler(s)->tracer.counts;
}

/* --- opening --- */

static int check_request(const struct sample_want *w, struct fail *f)
{
    const char *what = NULL;
    if (w->pid <= 0)
        what = "sampling all processes";
    else if (w->kernel || w->no_user)
        what = "sampling the kernel";
    else if (w->event.name[0] && !w->event.clock)
        what = w->event.name;
    if (!what)
        return 0;
    fail_set(f, EOPNOTSUPP, "%s by ptrace", what);
    fail_hint(f, "it needs perf events; ptrace samples only the user code of one process, by time");
    return -EOPNOTSUPP;
}

/* A kernel without high-resolution timers ticks no faster than its own clock. */
static uint64_t granted_hz(uint64_t want)
{
    struct timespec step;
    uint64_t max_hz = PTRACE_MAX_HZ;
    if (clock_getres(CLOCK_MONOTONIC, &step) == 0 && step.tv_sec == 0 && step.tv_nsec > NS_PER_MS)
        max_hz = NS_PER_S / (uint64_t)step.tv_nsec;
    return !want ? 1 : want > max_hz ? max_hz : want;
}

static uint64_t record_fields(const struct sample_want *w)
{
    uint64_t chain = w->chains ? PERFREC_CALLCHAIN : 0;
    uint64_t registers = w->registers ? PERFREC_REGS_USER : 0;
    uint64_t stack = w->stack_bytes ? PERFREC_STACK_USER : 0;
    return PERFREC_IP | PERFREC_TID | PERFREC_TIME | PERFREC_PERIOD | chain | registers | stack;
}

static int init_records(struct ptrace_sampler *p, const struct sample_want *want)
{
    struct ring_size size;
    p->records.ready[0] = p->records.ready[1] = -1;
    int r = ring_size_decide(want->stack_bytes ? BUFFERS_PTRACE_STACKS : BUFFERS_PTRACE, 1,
                             want->ring_bytes, &size, &p->fail);
    if (r < 0)
        return r;
    if (want->stack_bytes && !(p->tracer.stack = malloc(PTRACE_MAX_STACK)))
        return fail_set(&p->fail, ENOMEM, "sampler");
    snprintf(p->method, sizeof p->method, "ptrace");
    ring_size_note(&size, p->method, sizeof p->method);
    r = ptrace_records_init(&p->records, size.bytes);
    if (r < 0)
        return fail_set(&p->fail, -r, "pipe");
    p->records.fields = record_fields(want);
    p->records.registers = want->registers;
    p->sampler.format = (struct perfrec_format){.fields = p->records.fields,
                                                .regs_user = want->registers,
                                                .period = p->tracer.period_ns,
                                                .sample_id_all = true};
    return 0;
}

static int init_sampler(struct ptrace_sampler *p, const struct sample_want *want)
{
    p->sampler.ops = &ops;
    p->sampler.method = p->method;
    p->sampler.hz = granted_hz(want->hz);
    p->tracer.want = *want;
    p->tracer.period_ns = NS_PER_S / p->sampler.hz;
    p->tracer.records = &p->records;
    sem_init(&p->attached, 0, 0);
    int r = init_records(p, want);
    return r < 0 ? r : start_tracer(p);
}

int ptrace_sampler_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    int r = check_request(want, f);
    if (r < 0)
        return r;
    struct ptrace_sampler *p = calloc(1, sizeof *p);
    if (!p)
        return fail_set(f, ENOMEM, "sampler");
    r = init_sampler(p, want);
    if (r < 0) {
        if (f)
            *f = p->fail;
        ptrace_close(&p->sampler);
        return r;
    }
    *out = &p->sampler;
    return 0;
}
