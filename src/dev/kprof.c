/*
 * #K, kprof(3): the kernel's profile.
 *   kpctl   takes `start', `stop', `startclr' (from zero); reads empty
 *   kpdata  the counts so far, in core/report/kpdata.h's form; read at multiples of 4. Its length
 * is served from the first start on, 0 before The kernel is sampled on all CPUs from start to stop,
 * or until the name space is released. Starting what runs, and stopping what does not, changes
 * nothing.
 */
#include "dev.h"

#include "engine/sampling/held.h"

#include <string.h>

struct kprof {
    struct profiling *kernel; /* NULL: it was never started */
};

static int start_counting(struct kprof *k, struct fail *f)
{
    return k->kernel ? profiling_resume(k->kernel, f) : profiling_start(0, &k->kernel, f);
}

static void clear_profile(void *device)
{
    struct kprof *k = device;
    profiling_free(k->kernel);
    k->kernel = NULL;
}

static int handle_message(void *device, uint64_t directory, const char *message, struct fail *f)
{
    struct kprof *k = device;
    if (strcmp(message, "start") == 0)
        return start_counting(k, f);
    if (strcmp(message, "startclr") == 0) {
        clear_profile(k);
        return start_counting(k, f);
    }
    if (strcmp(message, "stop") == 0)
        return k->kernel ? profiling_pause(k->kernel, f) : 0;
    return fail_set(f, 0, "bad process or channel control request");
}

static int show_kpdata(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct kprof *k = device;
    if (!k->kernel)
        return fail_set(f, 0, "kprof is not started");
    return profiling_text(k->kernel, out, f);
}

static size_t file_length(void *device, uint64_t directory)
{
    const struct kprof *k = device;
    return k->kernel ? profiling_length(k->kernel) : 0;
}

static int tend_kprof(void *device)
{
    struct kprof *k = device;
    return k->kernel ? profiling_tend(k->kernel) : -1;
}

static const struct dev_file files[] = {
    {.name = "kpctl", .mode = 0600, .write = handle_message},
    {.name = "kpdata", .mode = 0600, .alignment = 4, .text = show_kpdata, .length = file_length},
    {.name = NULL},
};
/* #T: Inferno's kprof(3). */
static const char *const names[] = {"#K", "#T", "/dev", NULL};

const struct dev dev_kprof = {.names = names,
                              .files = files,
                              .bytes = sizeof(struct kprof),
                              .end = clear_profile,
                              .tend = tend_kprof};
