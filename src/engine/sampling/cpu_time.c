/* The kernel's own accounting of the time that is sampled. */
#include "cpu_time.h"

#include "core/procfs/proc_stat.h"
#include "plat/cpustat.h"
#include "plat/proc.h"

uint64_t sampling_time_of_modes(const struct sampling *s, uint64_t user, uint64_t kernel)
{
    const struct sampled_want *w = &s->sampled.want;
    return (w->no_user ? 0 : user) + (w->kernel ? kernel : 0);
}

/* Of a process that is gone the kernel keeps no time. */
static bool add_cpu_time(const struct sampling *s, uint32_t pid, uint64_t *ms)
{
    SCOPED_BUF text = BUF_INIT;
    struct proc_stat stat = {0};
    bool known =
        proc_text((int)pid, "stat", &text, NULL) == 0 && proc_stat_parse(buf_str(&text), &stat);
    *ms += sampling_time_of_modes(s, stat.user_ticks, stat.sys_ticks) * 1000 / proc_ticks_hz();
    return known;
}

uint64_t sampling_cpu_time_of_all_ms(const struct sampling *s)
{
    const struct sampled_want *w = &s->sampled.want;
    uint64_t ms = 0;
    bool known = add_cpu_time(s, w->pid, &ms);
    for (size_t i = 0; known && i < w->others; i++)
        known = add_cpu_time(s, w->other[i], &ms);
    return known ? ms : 0;
}

void sampling_read_cpus(struct cpu_times *out)
{
    SCOPED_BUF text = BUF_INIT;
    struct cpu_stat now;
    *out = (struct cpu_times){0};
    if (cpustat_text(&text, NULL) == 0 && cpu_stat_parse(buf_str(&text), cpustat_hz(), &now) == 0) {
        *out = now.total;
        cpu_stat_release(&now);
    }
}

void sampling_account_cpus(struct sampling *s)
{
    struct cpu_times now, passed;
    sampling_read_cpus(&now);
    cpu_times_since(&s->run.cpus_before, &now, &passed);
    s->sampled.accounted.idle_ms = passed.idle_ms + passed.iowait_ms;
    s->sampled.accounted.irq_ms = passed.irq_ms;
    s->sampled.accounted.softirq_ms = passed.softirq_ms;
}
