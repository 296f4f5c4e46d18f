#include "core/procfs/cpu_stat.h"

#include "core/base/grow.h"
#include "core/base/scan.h"

#include <errno.h>

enum { COLUMNS = 8, MIN_COLUMNS = 4 };

/* Where a column goes. */
static uint64_t *find_column(struct cpu_times *t, size_t i)
{
    uint64_t *const to[COLUMNS] = {&t->user_ms,   &t->nice_ms, &t->system_ms,  &t->idle_ms,
                                   &t->iowait_ms, &t->irq_ms,  &t->softirq_ms, &t->steal_ms};
    return to[i];
}

static uint64_t ticks_ms(uint64_t ticks, uint64_t hz)
{
    uint64_t whole = ticks / hz;
    return whole > UINT64_MAX / 1000 - 1 ? UINT64_MAX : whole * 1000 + ticks % hz * 1000 / hz;
}

/* What follows "cpu": a number, unless the line is of all; then the columns. */
static bool read_line(const char *s, uint64_t hz, bool *of_all, struct cpu_times *out)
{
    struct cpu_times t = {0};
    uint64_t cpu = 0, ticks;
    size_t columns = 0;
    *of_all = *s == ' ';
    if (!*of_all && (!scan_u64(&s, &cpu) || cpu > UINT32_MAX))
        return false;
    while (columns < COLUMNS && scan_u64(&s, &ticks))
        *find_column(&t, columns++) = ticks_ms(ticks, hz);
    t.cpu = (uint32_t)cpu;
    *out = t;
    return columns >= MIN_COLUMNS;
}

static bool add_cpu(struct cpu_stat *s, size_t *cap, const struct cpu_times *t)
{
    return s->cpus == CPU_STAT_MAX || GROW_ADD(s->cpu, *cap, s->cpus, *t);
}

int cpu_stat_parse(const char *text, uint64_t hz, struct cpu_stat *out)
{
    struct cpu_stat s = {0};
    struct cpu_times t;
    size_t cap = 0;
    bool of_all, known = false, kept = true;
    for (const char *line = text; line && hz && kept; line = scan_next(line)) {
        if (strncmp(line, "cpu", 3) != 0 || !read_line(line + 3, hz, &of_all, &t))
            continue;
        if (of_all) {
            s.total = t;
            known = true;
        } else {
            kept = add_cpu(&s, &cap, &t);
        }
    }
    if (!known || !kept) {
        cpu_stat_release(&s);
        return kept ? -EINVAL : -ENOMEM;
    }
    *out = s;
    return 0;
}

void cpu_stat_release(struct cpu_stat *s)
{
    free(s->cpu);
    *s = (struct cpu_stat){0};
}

void cpu_times_since(const struct cpu_times *before, const struct cpu_times *now,
                     struct cpu_times *out)
{
    struct cpu_times then = *before, t = *now;
    for (size_t i = 0; i < COLUMNS; i++) {
        uint64_t *to = find_column(&t, i), from = *find_column(&then, i);
        *to = *to > from ? *to - from : 0;
    }
    *out = t;
}

uint64_t cpu_times_total_ms(const struct cpu_times *t)
{
    struct cpu_times copy = *t;
    uint64_t sum = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        sum += *find_column(&copy, i);
    return sum;
}
