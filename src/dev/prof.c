/*
 * #P, prof(3): profiles of files of code, in all processes.
 *   ctl                 takes the words of core/profdev/device.h
 *   N/name, N/path      of a module that was seen since the start, in the order of appearance
 *   N/histogram         its counts when it was opened, a pair a read
 *   N/pctl              takes nothing
 * All processes are sampled from start to stop, or until the name space is released. The list of
 * modules and the interval hold from the next start on; while it runs, from their message on.
 * What needs breakpoints counts in programs that the name space starts, where it starts any; a
 * process that is named is counted by single steps.
 */
#include "dev.h"

#include "core/profdev/device.h"
#include "engine/prof/module_counting.h"
#include "engine/sampling/by_module.h"

#include <errno.h>

enum {
    KINDS = 1u << PROFDEV_SAMPLES, /* everywhere */
    KINDS_OF_PROGRAMS =
        KINDS | 1u << PROFDEV_COVERAGE | 1u << PROFDEV_MEMORY, /* where programs are started */
};

struct device {
    struct profdev state;
    bool runs_programs;
    struct module_sampling *sampling; /* of PROFDEV_SAMPLES, while it runs */
    struct module_counting *counting; /* of the other kinds */
};

/* --- profiling --- */

static bool is_running(const struct device *d)
{
    return d->sampling || d->counting;
}

static int start_counting(struct device *d, struct fail *f)
{
    const struct profdev *p = &d->state;
    int r = module_counting_start(p, &d->counting, f);
    if (r == 0 && p->pid)
        r = module_counting_process(d->counting, (int)p->pid, f);
    if (r < 0) {
        module_counting_free(d->counting);
        d->counting = NULL;
    }
    return r;
}

static int start_run(struct device *d, struct fail *f)
{
    struct profdev *p = &d->state;
    int r = p->running == PROFDEV_SAMPLES ? module_sampling_start(p->interval_ms, &d->sampling, f)
                                          : start_counting(d, f);
    if (r < 0)
        p->running = PROFDEV_NONE;
    return r;
}

static int count_run(struct device *d, bool all, struct fail *f)
{
    if (d->sampling)
        return module_sampling_count(d->sampling, all, &d->state, f);
    return d->counting ? module_counting_count(d->counting, all, &d->state, f) : 0;
}

static int stop_run(struct device *d, struct fail *f)
{
    int r = count_run(d, true, f);
    module_sampling_free(d->sampling);
    module_counting_free(d->counting);
    d->sampling = NULL;
    d->counting = NULL;
    return r < 0 ? r : profdev_settle(&d->state) < 0 ? fail_set(f, ENOMEM, "histogram") : 0;
}

static int count_so_far(struct device *d, struct fail *f)
{
    return count_run(d, false, f);
}

/* The interval is that of samples. */
static bool is_new_run(const struct device *d, const struct profdev_message *m)
{
    return is_running(d) && m->word != PROFDEV_START &&
           !(d->counting && m->word == PROFDEV_INTERVAL);
}

/* The first module is the program that is counted. */
static int check_start(const struct device *d, const struct profdev_message *m, struct fail *f)
{
    if (m->word != PROFDEV_START || m->kind == PROFDEV_SAMPLES)
        return 0;
    if (m->pid || d->state.wanted.len)
        return 0;
    fail_set(f, 0, "no program was named whose instructions or memory are to be counted");
    fail_hint(f, "write `module PROGRAM' to the same file first");
    return -EINVAL;
}

/* What was counted until now is by what held until now. */
static int handle_message(void *device, uint64_t directory, const char *message, struct fail *f)
{
    struct device *d = device;
    struct profdev_message m;
    int r = profdev_read_message(message, d->runs_programs ? KINDS_OF_PROGRAMS : KINDS, &m, f);
    if (r == 0)
        r = check_start(d, &m, f);
    if (r == 0 && is_new_run(d, &m))
        r = stop_run(d, f);
    if (r == 0)
        r = profdev_apply(&d->state, &m, f);
    if (r == 0 && d->state.running && !is_running(d))
        r = start_run(d, f);
    return r;
}

static int handle_program(void *device, int pid, struct fail *f)
{
    struct device *d = device;
    d->runs_programs = true;
    return pid && d->counting && !d->state.pid ? module_counting_program(d->counting, pid, f) : 0;
}

static int refuse_message(void *device, uint64_t directory, const char *message, struct fail *f)
{
    return fail_set(f, EPERM, "pctl");
}

/* --- modules --- */

static int find_module(struct device *d, uint64_t id, struct profdev_module **out, struct fail *f)
{
    *out = profdev_find(&d->state, id);
    return *out ? 0 : fail_set(f, 0, "thread exited");
}

static int find_directory(void *device, const char *name, uint64_t *directory, struct fail *f)
{
    struct device *d = device;
    *directory = profdev_id_of(name);
    if (!profdev_find(&d->state, *directory))
        count_so_far(d, NULL);
    return profdev_find(&d->state, *directory) ? 0 : fail_set(f, ENOENT, "%s", name);
}

static int find_nth(void *device, size_t index, uint64_t *directory, struct fail *f)
{
    struct device *d = device;
    int r = index ? 0 : count_so_far(d, f);
    *directory = index + 1;
    return r < 0 ? r : index < d->state.modules;
}

static int name_of(void *device, uint64_t id, char out[NS_NAME_MAX + 1], struct fail *f)
{
    struct profdev_module *m;
    if (find_module(device, id, &m, NULL) < 0)
        return fail_set(f, ENOENT, "module");
    profdev_id_text(m->id, out);
    return 0;
}

static int show_name(void *device, uint64_t id, struct buf *out, struct fail *f)
{
    struct profdev_module *m;
    int r = find_module(device, id, &m, f);
    if (r == 0)
        buf_adds(out, m->name);
    return r;
}

static int show_path(void *device, uint64_t id, struct buf *out, struct fail *f)
{
    struct profdev_module *m;
    int r = find_module(device, id, &m, f);
    if (r == 0)
        buf_adds(out, m->file.path);
    return r;
}

/* --- histogram --- */

static int open_histogram(void *device, uint64_t id, void **opened, struct fail *f)
{
    struct device *d = device;
    struct profdev_module *m;
    struct profdev_histogram *h;
    int r = find_module(d, id, &m, f);
    if (r == 0)
        r = count_so_far(d, f);
    if (r == 0 && profdev_open(m, &h) < 0)
        r = fail_set(f, ENOMEM, "histogram");
    if (r == 0)
        *opened = h;
    return r;
}

static long read_histogram(void *device, void *opened, void *bytes, size_t len, struct fail *f)
{
    return profdev_read(opened, bytes, len, f);
}

static void close_histogram(void *device, void *opened)
{
    profdev_close(opened);
}

/* --- itself --- */

static int start_device(void *device)
{
    struct device *d = device;
    profdev_init(&d->state);
    return 0;
}

static void free_device(void *device)
{
    struct device *d = device;
    module_sampling_free(d->sampling);
    module_counting_free(d->counting);
    profdev_release(&d->state);
}

static int tend_device(void *device)
{
    struct device *d = device;
    return d->sampling ? module_sampling_tend(d->sampling) : -1;
}

static const struct dev_stream histogram = {open_histogram, read_histogram, close_histogram};
static const struct dev_file files[] = {
    {.name = "ctl", .mode = 0222, .owner_only = true, .write = handle_message},
    {.name = NULL},
};
static const struct dev_file inner[] = {
    {.name = "name", .mode = 0444, .owner_only = true, .text = show_name},
    {.name = "path", .mode = 0444, .owner_only = true, .text = show_path},
    {.name = "histogram", .mode = 0444, .owner_only = true, .stream = &histogram},
    {.name = "pctl", .mode = 0222, .owner_only = true, .write = refuse_message},
    {.name = NULL},
};
static const char *const names[] = {"#P", "/prof", NULL};

const struct dev dev_prof = {.names = names,
                             .files = files,
                             .inner = inner,
                             .bytes = sizeof(struct device),
                             .start = start_device,
                             .end = free_device,
                             .tend = tend_device,
                             .program = handle_program,
                             .find = find_directory,
                             .nth = find_nth,
                             .name = name_of};
