#include "attached.h"

#include "plat/clock.h"

static void poll_sampling(void *arg)
{
    sampling_poll(arg);
}

static int sample_work(struct selftest *t, struct attached *a, uint64_t amount,
                       const struct sampling_want *want, struct fail *f)
{
    struct sampling_want of = *want;
    of.pid = a->work.pid;
    of.hz = t->want->hz;
    int r = sampling_begin(&of, &a->sampling, f);
    if (r < 0)
        return r;
    uint64_t before_ns = clock_cpu_ns();
    r = work_do(t, &a->work, amount, poll_sampling, &a->sampling, f);
    a->own_ns = clock_cpu_ns() - before_ns;
    int stopped = sampling_stop(&a->sampling, r < 0 ? NULL : f);
    return r < 0 ? r : stopped;
}

int attached_run(struct selftest *t, struct attached *a, const char *name, uint64_t amount,
                 const struct sampling_want *want, struct fail *f)
{
    *a = (struct attached){.work = {.pid = 0}};
    int r = work_start(t, &a->work, name, f);
    return r < 0 ? r : sample_work(t, a, amount, want, f);
}

void attached_end(struct attached *a)
{
    if (a->sampling.run.order)
        sampling_release(&a->sampling);
    if (a->work.pid)
        work_end(&a->work);
}

bool attached_is_in(const struct attached *a, const struct sampled_node *n,
                    const struct workload_range *code)
{
    const struct module *m = sampled_module(&a->sampling.sampled, n->module);
    return m && m == mapped_main(&a->sampling.sampled.mapped) && n->offset >= code->start &&
           n->offset < code->end;
}
