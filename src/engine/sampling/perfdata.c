/* A perf.data file as a sampling: the records that perf wrote, of one of its events. */
#include "perfdata.h"
#include "private.h"

#include "core/base/time_ns.h"
#include "core/perf/perfdata.h"
#include "core/symbol/jitdump.h"
#include "plat/host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct reading {
    struct sampling *sampling;
    struct perfdata *file;
    bool here;                          /* it was made on this machine */
    enum symbols_trust trust;           /* where no build-id tells which file it was */
    const struct perfdata_event *event; /* whose samples count */
};

/* Which build a file was, as perf noted at the end, where its mapping did not tell. */
static void learn_build_id(const struct perfdata *pd, struct module *m)
{
    for (size_t i = 0; i < perfdata_build_ids(pd) && !m->identity.build_id_len; i++) {
        const struct perfdata_build_id *id = perfdata_build_id(pd, i);
        if (strcmp(m->path, id->path) != 0 || id->id_len > sizeof m->identity.build_id)
            continue;
        memcpy(m->identity.build_id, id->id, id->id_len);
        m->identity.build_id_len = id->id_len;
    }
}

/* At once, as chains may have to be unwound through it. */
static void need_image(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end)
{
    struct sampling *s = arg;
    const struct reading *r = s->source.reading;
    learn_build_id(r->file, m);
    if (m->identity.pid)
        symbols_need_recorded_jit(&s->symbols, (int)pid);
    if (strcmp(m->path, "[vdso]") == 0)
        symbols_need_vdso(&s->symbols, m, start, end, r->here);
    else if (jitdump_is_path(m->path))
        symbols_need_recorded_dump(&s->symbols, m, (int)pid);
    else
        symbols_need_recorded(&s->symbols, m, r->trust);
}

/* Names of the kernel, and those that a JIT compiler wrote, are read last. */
static uint64_t place_read(void *arg, struct module *m, uint64_t offset, uint64_t *end)
{
    struct sampling *s = arg;
    if (m->identity.pid || m->kernel || !m->elf)
        return offset;
    symbols_ready(&s->symbols, m);
    return sampling_function_offset(m, offset, end);
}

/* Samples of other events are passed over; records about mappings and tasks are used from every
 * event. */
static void add_record(void *arg, const struct perfdata_event *event, const struct perfrec *r)
{
    struct reading *to = arg;
    if (r->type != PERFREC_SAMPLE || event == to->event)
        sampled_add_record(&to->sampling->sampled, r);
}

enum { TYPE_SOFTWARE = 1, CPU_CLOCK = 0, TASK_CLOCK = 1, DUMMY = 9 };

/* perf adds an event that never happens, for the sake of its other records. */
static bool is_sampled(const struct perfdata_event *e)
{
    return e->period_or_freq > 0 && !(e->type == TYPE_SOFTWARE && e->config == DUMMY);
}

static unsigned count_events(const struct perfdata *pd)
{
    unsigned n = 0;
    for (size_t i = 0; i < perfdata_events(pd); i++)
        n += is_sampled(perfdata_event(pd, i));
    return n;
}

/* The one asked for, else of those that were sampled by the one of that number. */
static const struct perfdata_event *choose_event(const struct perfdata *pd,
                                                 const struct sampling_want *want, struct fail *f)
{
    SCOPED_BUF names = BUF_INIT;
    const struct perfdata_event *found = NULL;
    unsigned number = 0;
    for (size_t i = 0; i < perfdata_events(pd) && !found; i++) {
        const struct perfdata_event *e = perfdata_event(pd, i);
        buf_printf(&names, "%s%s", i ? " " : "", e->name);
        if (want->event ? sampling_event_named(e->name, want->event)
                        : is_sampled(e) && number++ == want->of_file)
            found = e;
    }
    if (!found) {
        fail_set(f, 0, "no samples of event %s", want->event ? want->event : "at all");
        fail_hint(f, "its events: %s", names.len ? buf_str(&names) : "none");
    }
    return found;
}

static void describe_event(struct sampling *s, const struct perfdata_event *e)
{
    struct sampled *sampled = &s->sampled;
    sampled->event.clock =
        e->type == TYPE_SOFTWARE && (e->config == CPU_CLOCK || e->config == TASK_CLOCK);
    snprintf(sampled->event.name, sizeof sampled->event.name, "%s", e->name);
    sampled->regs_user = e->format.regs_user;
    sampled->want.hz = e->freq ? e->period_or_freq : 0;
    if (!e->freq && sampled->event.clock && e->period_or_freq)
        sampled->want.hz = NS_PER_S / e->period_or_freq;
    sampled->want.no_user = !e->user;
    sampled->want.kernel = e->kernel;
    snprintf(s->method, sizeof s->method, "perf.data %.40s", e->name);
    snprintf(s->mode, sizeof s->mode, "%s",
             !e->kernel ? "user mode"
             : e->user  ? "user and kernel mode"
                        : "kernel mode");
}

/* The running kernel's names are the recorded one's when it is the same one. */
static void forbid_kernel_names(struct sampling *s, const struct perfdata_facts *facts)
{
    for (size_t i = 0; i < s->sampled.mapped.modules.count; i++) {
        struct module *m = s->sampled.mapped.modules.module[i];
        if (!m->kernel)
            continue;
        m->ready = true;
        if (*facts->os_release)
            module_set_why(m, "recorded under another kernel, %s", facts->os_release);
        else
            module_set_why(m, "the recording does not say of which kernel it is");
    }
}

static int start_recording(const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    struct recorder_facts facts = {.method = s->method, .mode = s->mode, .of_file = true};
    uint64_t hz = s->sampled.want.hz;
    int r = recorder_open(&s->run.recorder, want->record, want->force, f);
    if (r < 0)
        return r;
    recorder_start(&s->run.recorder, &s->sampled, hz ? NS_PER_S / hz : 1, &facts, &s->symbols);
    s->sampled.hooks.counted = sampling_counted;
    s->sampled.hooks.arg = s;
    return 0;
}

/* Without build-ids, files of another machine are taken for ours, if its programs can run here. A
 * file of which perf did not write the end names no machine: the inodes of its mappings decide. */
static enum symbols_trust trust_of(const struct perfdata_facts *facts, bool here)
{
    struct host host;
    host_describe(&host);
    if (!*facts->host && !*facts->machine)
        return SYMBOLS_MADE_HERE;
    return here                                        ? SYMBOLS_MADE_HERE
           : strcmp(facts->machine, host.machine) == 0 ? SYMBOLS_PATH
                                                       : SYMBOLS_BUILD_ID;
}

static void keep_machine(struct recording *r, const struct perfdata_facts *facts)
{
    buf_adds(&r->fact[RECORDING_HOST], facts->host);
    buf_adds(&r->fact[RECORDING_MACHINE], facts->machine);
}

static int read_all(const struct sampling_want *want, struct sampling *s, struct perfdata *pd,
                    struct fail *f)
{
    const struct perfdata_facts *facts = perfdata_facts(pd);
    keep_machine(&s->source.recording, facts);
    bool here = sampling_made_here(facts->host, facts->os_release);
    struct reading to = {s, pd, here, trust_of(facts, here), choose_event(pd, want, f)};
    if (!to.event)
        return -EINVAL;
    describe_event(s, to.event);
    s->source.events = count_events(pd);
    s->source.reading = &to;
    s->sampled.hooks.arg = s;
    s->sampled.mapped.need_image = need_image;
    s->sampled.mapped.arg = s;
    s->sampled.hooks.need_cfi = sampling_need_cfi;
    s->sampled.want.bulk = true;
    if (want->by_function && !want->binary)
        s->sampled.hooks.place = place_read;
    int r = want->record ? start_recording(want, s, f) : 0;
    if (r == 0)
        r = perfdata_read(pd, add_record, &to, f);
    sampled_count_tally(&s->sampled);
    s->source.reading = NULL;
    s->sampled.hooks.place = NULL;
    if (r < 0)
        return r;
    const struct perfdata_counts *c = perfdata_counts(pd);
    if (c->lost_samples > s->sampled.loss.lost)
        s->sampled.loss.lost = c->lost_samples;
    if (!here)
        forbid_kernel_names(s, facts);
    if (perfdata_warning(pd))
        snprintf(s->source.warning, sizeof s->source.warning, "%s", perfdata_warning(pd));
    r = sampling_finish(s, f);
    int e = recorder_close(&s->run.recorder, &s->sampled, r < 0 ? NULL : f);
    return r < 0 ? r : e;
}

bool sampling_is_perfdata(const uint8_t *bytes, size_t len)
{
    return len >= 8 && memcmp(bytes, "PERFILE2", 8) == 0;
}

static void release_range(void *arg, const void *at, size_t len)
{
    struct sampling *s = arg;
    file_drop_range(&s->source.image, at, len);
    symbols_unload_images(&s->symbols);
}

int sampling_read_perfdata(const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    struct perfdata *pd;
    const struct perfdata_release release = {release_range, s};
    int r = perfdata_open(s->source.image.data, s->source.image.len, &release, &pd, f);
    if (r == 0) {
        r = read_all(want, s, pd, f);
        perfdata_free(pd);
    }
    return r;
}
