/*
 * #P, prof(3): profiles of files of code, in all processes.
 *   ctl                 takes the words of core/profdev/device.h
 *   N/name, N/path      of a module that was seen since the start, in the order of appearance
 *   N/histogram         its counts when it was opened, a pair a read
 *   N/pctl              takes nothing
 * All processes are sampled from start to stop, or until the name space is released. The list of
 * modules and the interval hold from the next start on; while it runs, from their message on.
 */
#include "dev.h"

#include "core/profdev/device.h"
#include "engine/sampling/by_module.h"

#include <errno.h>
#include <stdlib.h>

enum { KINDS = 1u << PROFDEV_SAMPLES };

struct device {
    struct profdev state;
    struct module_sampling *sampling; /* NULL: it does not run */
};

/* --- profiling --- */

static int start_sampling(struct device *d, struct fail *f)
{
    int r = module_sampling_start(d->state.interval_ms, &d->sampling, f);
    if (r < 0)
        d->state.running = PROFDEV_NONE;
    return r;
}

static int stop_sampling(struct device *d, struct fail *f)
{
    int r = module_sampling_count(d->sampling, true, &d->state, f);
    module_sampling_free(d->sampling);
    d->sampling = NULL;
    return r < 0 ? r : profdev_settle(&d->state) < 0 ? fail_set(f, ENOMEM, "histogram") : 0;
}

static int count_so_far(struct device *d, struct fail *f)
{
    return d->sampling ? module_sampling_count(d->sampling, false, &d->state, f) : 0;
}

/* What was counted until now is by what held until now. */
static int handle_message(void *device, uint64_t directory, const char *message, struct fail *f)
{
    struct device *d = device;
    struct profdev_message m;
    (void)directory;
    int r = profdev_read_message(message, KINDS, &m, f);
    if (r == 0 && d->sampling && m.word != PROFDEV_START)
        r = stop_sampling(d, f);
    if (r == 0)
        r = profdev_apply(&d->state, &m, f);
    if (r == 0 && d->state.running && !d->sampling)
        r = start_sampling(d, f);
    return r;
}

static int refuse_message(void *device, uint64_t directory, const char *message, struct fail *f)
{
    (void)device;
    (void)directory;
    (void)message;
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
    (void)device;
    return profdev_read(opened, bytes, len, f);
}

static void close_histogram(void *device, void *opened)
{
    (void)device;
    profdev_close(opened);
}

/* --- itself --- */

static void *make_device(void)
{
    struct device *d = calloc(1, sizeof *d);
    if (d)
        profdev_init(&d->state);
    return d;
}

static void free_device(void *device)
{
    struct device *d = device;
    module_sampling_free(d->sampling);
    profdev_release(&d->state);
    free(d);
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
                             .start = make_device,
                             .end = free_device,
                             .tend = tend_device,
                             .find = find_directory,
                             .nth = find_nth,
                             .name = name_of};
