/*
 * sampledump [-akucPsSl] [-p PID] [-e EVENT] [-F HZ] [-t SECONDS] [-B BYTES] [COMMAND...]: what the
 * kernel's sampling gives, a line a record; -s: counts instead.
 *   -a all CPUs  -k the kernel, too  -u not user mode  -c chains  -P by ptrace  -B of a ring
 *   -S slices of the stack  -l all is read late: when the command has ended
 */
#include "core/perf/perfrec.h"
#include "plat/child.h"
#include "plat/clock.h"
#include "plat/sample.h"
#include "plat/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dump {
    struct perfrec_format format;
    bool sums;
    uint64_t records[16], bad, user, kernel, idle, weight, lost, chained, cpus;
};

static void print_chain(const struct perfrec *r)
{
    for (size_t i = 0; i < r->sample.chain_len; i++) {
        uint64_t at;
        memcpy(&at, r->sample.chain + 8 * i, 8);
        if (at == PERFREC_CHAIN_KERNEL || at == PERFREC_CHAIN_USER)
            printf(" %c:", at == PERFREC_CHAIN_USER ? 'u' : 'k');
        else
            printf(" %llx", (unsigned long long)at);
    }
}

static void print_record(const struct perfrec *r)
{
    static const char *const type[16] = {
        [PERFREC_LOST] = "lost",     [PERFREC_COMM] = "comm",
        [PERFREC_EXIT] = "exit",     [PERFREC_THROTTLE] = "throttle",
        [PERFREC_FORK] = "fork",     [PERFREC_UNTHROTTLE] = "unthrottle",
        [PERFREC_SAMPLE] = "sample", [PERFREC_MMAP] = "mmap",
        [PERFREC_MMAP2] = "mmap"};
    printf("%s %u %u %llu cpu=%u", type[r->type & 15], r->pid, r->tid, (unsigned long long)r->time,
           r->cpu);
    if (r->type == PERFREC_SAMPLE) {
        printf(" %s %llx period=%llu", r->mode == PERFREC_KERNEL ? "kernel" : "user",
               (unsigned long long)r->sample.pc, (unsigned long long)r->sample.period);
        print_chain(r);
    }
    printf(r->name ? " %s\n" : "\n", r->name);
}

static void take(void *arg, const void *record, size_t len)
{
    struct dump *d = arg;
    struct perfrec r;
    if (!perfrec_decode(record, len, &d->format, &r)) {
        d->bad++;
        return;
    }
    d->records[r.type & 15]++;
    d->lost += r.lost;
    if (r.type == PERFREC_SAMPLE) {
        *(r.pid == 0 ? &d->idle : r.mode == PERFREC_KERNEL ? &d->kernel : &d->user) += 1;
        d->weight += r.sample.period;
        d->chained += r.sample.chain_len > 2;
        d->cpus |= 1ull << (r.cpu & 63);
    }
    if (!d->sums)
        print_record(&r);
}

static int failed(const struct fail *f)
{
    fprintf(stderr, "sampledump: %s%s%s\n", f->what, f->err ? ": " : "",
            f->err ? strerror(f->err) : "");
    if (f->hint[0])
        fprintf(stderr, "sampledump: hint: %s\n", f->hint);
    return 1;
}

static void run(struct sampler *s, struct dump *d, int target, double seconds, bool late)
{
    uint64_t end = clock_mono_ns() + (uint64_t)(seconds * 1e9);
    struct wait_on on = {.handle = target};
    do {
        wait_ready(&on, 1, 50);
        if (!late)
            sample_read(s, take, d);
    } while (!on.ready && clock_mono_ns() < end);
    sample_stop(s);
    sample_read(s, take, d);
}

static void print_sums(const struct dump *d, const struct sampler *s)
{
    int cpus = __builtin_popcountll(d->cpus);
    printf("method=%s hz=%llu\n", sample_method(s), (unsigned long long)sample_hz(s));
    printf("user=%llu kernel=%llu idle=%llu weight=%llu chained=%llu cpus=%d\n",
           (unsigned long long)d->user, (unsigned long long)d->kernel, (unsigned long long)d->idle,
           (unsigned long long)d->weight, (unsigned long long)d->chained, cpus);
    printf("mmap=%llu fork=%llu comm=%llu exit=%llu lost=%llu bad=%llu\n",
           (unsigned long long)(d->records[PERFREC_MMAP] + d->records[PERFREC_MMAP2]),
           (unsigned long long)d->records[PERFREC_FORK],
           (unsigned long long)d->records[PERFREC_COMM],
           (unsigned long long)d->records[PERFREC_EXIT], (unsigned long long)d->lost,
           (unsigned long long)d->bad);
    printf("lost_in_all=%llu\n", (unsigned long long)sample_lost(s));
}

static const char *options(int argc, char **argv, struct sample_want *w, double *seconds,
                           bool *sums, bool *all, bool *late)
{
    const char *event = NULL;
    for (int c; (c = getopt(argc, argv, "+akucPsSlp:e:F:t:B:")) != -1;)
        switch (c) {
        case 'a':
            *all = true;
            break;
        case 'k':
            w->kernel = true;
            break;
        case 'u':
            w->no_user = true;
            break;
        case 'c':
            w->chains = true;
            break;
        case 'P':
            w->backend = SAMPLE_PTRACE;
            break;
        case 'S':
            w->stack_bytes = 65528;
            break;
        case 'l':
            *late = true;
            break;
        case 's':
            *sums = true;
            break;
        case 'p':
            w->pid = atoi(optarg);
            break;
        case 'e':
            event = optarg;
            break;
        case 'F':
            w->hz = strtoull(optarg, NULL, 10);
            break;
        case 'B':
            w->ring_bytes = strtoull(optarg, NULL, 10);
            break;
        case 't':
            *seconds = atof(optarg);
            break;
        }
    return event;
}

int main(int argc, char **argv)
{
    struct sample_want want = {.hz = 997};
    struct dump dump = {0};
    struct child child = {0};
    struct child_end end;
    struct sampler *s;
    struct fail f = {0};
    double seconds = 1e6;
    bool all = false, late = false;
    const char *event = options(argc, argv, &want, &seconds, &dump.sums, &all, &late);
    char **command = argv[optind] ? argv + optind : NULL;
    if (event && sample_event_find(event, &want.event, &f) < 0)
        return failed(&f);
    if (command && child_hold(command, &child, &f) < 0)
        return failed(&f);
    if (command && !all) {
        want.pid = child.pid;
        want.on_exec = want.children = true;
    }
    if (sample_open(&want, &s, &f) < 0)
        return failed(&f);
    sample_format(s, &dump.format);
    if (command && child_release(&child, &f) < 0)
        return failed(&f);
    run(s, &dump, command ? child_handle(&child) : -1, seconds, late);
    if (command)
        child_wait(&child, &end, &f);
    if (dump.sums)
        print_sums(&dump, s);
    sample_close(s);
    return 0;
}
