/*
 * #T, trace(3): entries and exits of the kernel's functions.
 *   tracectl   takes the words of core/ktrace/device.h, and reads as words that make its state
 *              again; comments have what was lost, where anything was
 *   trace      the events as lines of 121 bytes, each read once. A read has whole lines; 0 when
 *              none waits
 * The functions whose first byte lies in a range that is on are probed from start to stop, or until
 * the name space is released. Times are ticks of the processor's counter. Calls by this process are
 * left out. kpctl and kpdata, which #T has too, are those of #K.
 */
#include "dev.h"

#include "core/base/grow.h"
#include "core/ktrace/device.h"
#include "engine/trace/functions.h"
#include "engine/trace/kernel_text.h"
#include "plat/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Events on other CPUs that are being written are seen this much later. */
enum { LEAST_ROUND_NS = 10 * 1000 * 1000 };

struct lost {
    uint64_t in_buffers, places, missed, own, refused, kernel;
};

struct device {
    struct ktrace state;
    struct kernel_text text;
    struct functions run;
    unsigned armed; /* state.changes, as it runs now */
    uint64_t round_ns;
    struct traced_function *function; /* those that are probed */
    size_t functions, function_cap;
    struct lost lost; /* before this run */
};

/* --- probes --- */

static bool add_function(struct device *d, const struct ktrace_range *range, const struct symbol *s)
{
    uint64_t last = kernel_text_last(&d->text, s);
    if (!grow_within(&d->function, &d->function_cap, d->functions, FUNCTIONS_MAX + 1,
                     sizeof *d->function))
        return false;
    d->function[d->functions++] =
        (struct traced_function){.start = s->start,
                                 .last = last < range->end ? last : range->end,
                                 .symbol = s,
                                 .args = KTRACE_ARGS};
    return true;
}

/* Of each range one more than may be traced at most: then the tracing is refused. */
static int add_range(struct device *d, const struct ktrace_range *range, struct fail *f)
{
    const struct symtab *t = d->text.names.symbols;
    const struct symbol *s = symtab_find(t, range->start);
    if (!s || s->start != range->start)
        s = symtab_next(t, range->start);
    for (; s && s->start < range->end && d->functions <= FUNCTIONS_MAX;
         s = symtab_next(t, s->start))
        if (s->name[0] && !add_function(d, range, s))
            return fail_set(f, ENOMEM, "trace");
    return 0;
}

static void add_event(void *arg, const struct ktrace_event *e, const struct ktrace_more *more)
{
    struct device *d = arg;
    ktrace_add(&d->state, e);
}

static int arm(struct device *d, struct fail *f)
{
    int r = 0;
    d->functions = 0;
    for (size_t i = 0; r == 0 && i < d->state.ranges; i++)
        if (d->state.range[i].on)
            r = add_range(d, &d->state.range[i], f);
    struct functions_want want = {.text = &d->text,
                                  .function = d->function,
                                  .count = d->functions,
                                  .ticks = true,
                                  .event = add_event,
                                  .arg = d};
    return r < 0 || !d->functions ? r : functions_start(&d->run, &want, f);
}

static struct lost lost_so_far(const struct device *d)
{
    struct lost sum = d->lost;
    sum.in_buffers += d->run.decoder.lost;
    sum.places += d->run.decoder.losses;
    sum.missed += d->run.counts.missed;
    sum.kernel += d->run.counts.entries + d->run.counts.exits;
    sum.own += d->run.own;
    sum.refused = d->run.refused;
    return sum;
}

static int disarm(struct device *d, struct fail *f)
{
    int r = functions_stop(&d->run, f);
    d->lost = lost_so_far(d);
    d->run = (struct functions){
        .hz = d->run.hz, .converted = d->run.converted, .refused = d->run.refused};
    return r;
}

/* What still comes is of the time before: with its `all'. */
static int rearm(struct device *d, bool all_before, struct fail *f)
{
    bool all = d->state.all;
    d->state.all = all_before;
    int r = disarm(d, f);
    d->state.all = all;
    if (r == 0 && d->state.active)
        r = arm(d, f);
    if (r < 0)
        d->state.active = d->state.all = false;
    d->armed = d->state.changes;
    return r;
}

/* --- tracectl --- */

static int read_kernel(struct device *d, const char *message, struct fail *f)
{
    if (d->text.names.symbols || !strstr(message, "new"))
        return 0;
    int r = kernel_text_read(&d->text, f);
    d->state.ktzero = d->text.start;
    d->state.etext = d->text.end;
    return r;
}

static int handle_message(void *device, uint64_t directory, const char *message, struct fail *f)
{
    struct device *d = device;
    bool all = d->state.all;
    int r = read_kernel(d, message, f);
    if (r == 0)
        r = ktrace_command(&d->state, message, f);
    if (d->armed == d->state.changes)
        return r;
    int armed = rearm(d, all, r < 0 ? NULL : f);
    return r < 0 ? r : armed;
}

static void add_comment(struct buf *out, const char *word, uint64_t n)
{
    if (n)
        buf_printf(out, "#%s %" PRIu64 "\n", word, n);
}

static int show_state(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    const struct device *d = device;
    struct lost lost = lost_so_far(d);
    ktrace_state_text(&d->state, out);
    add_comment(out, "lost", lost.in_buffers);
    add_comment(out, "lostplaces", lost.places);
    add_comment(out, "missed", lost.missed);
    add_comment(out, "ownevents", lost.own);
    add_comment(out, "noprobe", lost.refused);
    add_comment(out, "kernelhits", lost.kernel);
    if (d->run.converted && d->run.hz)
        buf_printf(out, "#clock ns, as ticks of %" PRIu64 " Hz\n", d->run.hz);
    else if (d->run.converted)
        buf_adds(out, "#clock ns\n");
    return 0;
}

/* --- trace --- */

static long read_events(void *device, void *opened, void *bytes, size_t len, struct fail *f)
{
    struct device *d = device;
    return (long)ktrace_read(&d->state, bytes, len);
}

/* --- itself --- */

static int start_device(void *device)
{
    struct device *d = device;
    ktrace_init(&d->state);
    return 0;
}

static void free_device(void *device)
{
    struct device *d = device;
    functions_stop(&d->run, NULL);
    ktrace_release(&d->state);
    kernel_text_release(&d->text);
    free(d->function);
}

static int tend_device(void *device)
{
    struct device *d = device;
    uint64_t now = clock_mono_ns();
    if (!d->run.trace)
        return -1;
    if (now - d->round_ns >= LEAST_ROUND_NS) {
        functions_round(&d->run);
        d->round_ns = now;
    }
    return FUNCTIONS_ROUND_MS;
}

static const struct dev_stream events = {.read = read_events};
static const struct dev_file files[] = {
    {.name = "trace", .mode = 0440, .stream = &events},
    {.name = "tracectl", .mode = 0664, .text = show_state, .write = handle_message},
    {.name = NULL},
};
static const char *const names[] = {"#T", "/dev", NULL};

const struct dev dev_ktrace = {.names = names,
                               .files = files,
                               .bytes = sizeof(struct device),
                               .start = start_device,
                               .end = free_device,
                               .tend = tend_device};
