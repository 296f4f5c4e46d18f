#include "core/interrupts.h"

#include "grow.h"
#include "scan.h"

#include <errno.h>

static int read_cpus(const char *s, struct interrupts *t)
{
    size_t room = 0, len;
    uint64_t cpu;
    for (; (len = scan_word(&s)) != 0 && t->cpus < INTERRUPTS_MOST_CPUS; t->cpus++) {
        const char *number = s + 3;
        if (len < 4 || strncmp(s, "CPU", 3) != 0 || !scan_u64(&number, &cpu) || cpu > UINT32_MAX ||
            (t->cpus && cpu <= t->of[t->cpus - 1].cpu))
            return -EINVAL;
        if (!grow((void **)&t->of, &room, t->cpus, sizeof *t->of))
            return -ENOMEM;
        t->of[t->cpus] = (struct interrupts_cpu){(uint32_t)cpu, 0};
        s += len;
    }
    return t->cpus ? 0 : -EINVAL;
}

static bool is_of_no_cpu(const char *label, size_t len)
{
    return len == 4 && (memcmp(label, "ERR:", 4) == 0 || memcmp(label, "MIS:", 4) == 0);
}

static void add_line(const char *s, uint64_t *number, struct interrupts *t)
{
    size_t len = scan_word(&s), n = 0;
    if (!len || s[len - 1] != ':' || is_of_no_cpu(s, len))
        return;
    s += len;
    while (n < t->cpus && scan_u64(&s, &number[n]))
        n++;
    for (size_t i = 0; n == t->cpus && i < n; i++)
        t->of[i].count += number[i];
}

int interrupts_parse(const char *text, struct interrupts *out)
{
    struct interrupts t = {0};
    int r = read_cpus(text, &t);
    uint64_t *number = r == 0 ? malloc(t.cpus * sizeof *number) : NULL;
    if (r == 0 && !number)
        r = -ENOMEM;
    for (const char *s = r == 0 ? scan_next(text) : NULL; s; s = scan_next(s))
        add_line(s, number, &t);
    free(number);
    if (r < 0)
        interrupts_release(&t);
    else
        *out = t;
    return r;
}

void interrupts_release(struct interrupts *t)
{
    free(t->of);
    *t = (struct interrupts){0};
}

static int compare(const void *cpu, const void *of)
{
    uint32_t a = *(const uint32_t *)cpu, b = ((const struct interrupts_cpu *)of)->cpu;
    return a < b ? -1 : a > b;
}

bool interrupts_of(const struct interrupts *t, uint32_t cpu, uint64_t *count)
{
    const struct interrupts_cpu *c =
        t->cpus ? bsearch(&cpu, t->of, t->cpus, sizeof *t->of, compare) : NULL;
    if (c)
        *count = c->count;
    return c != NULL;
}
