/* The last seconds of a sampling, into a file whenever they are asked for. */
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/file.h"
#include "plat/memory.h"
#include "plat/proc.h"
#include "plat/sysfile.h"
#include "plat/wait.h"
#include "private.h"

#include <errno.h>

enum {
    MAX_NAMES = 1000000,
    FLUSH_SAMPLES = 1 << 16,
    ROUNDS_IN_ORDER = 2 /* that samples wait for others before them: core/perf/reorder.h */
};

int keeper_open(struct keeper *k, const char *path, bool force, double seconds, struct fail *f)
{
    int r = file_writable(path, force, f);
    if (r < 0)
        return r;
    *k = (struct keeper){.path = path, .force = force};
    kept_init(&k->kept, (uint64_t)(seconds * NS_PER_S),
              kept_samples_for_memory(sysfile_memory_bytes()));
    status_signal_open();
    return 0;
}

void keeper_release(struct keeper *k)
{
    kept_release(&k->kept);
    buf_release(&k->last);
    *k = (struct keeper){0};
}

/* Samples are counted up to this time: where the processor is busy, that is some time ago. */
static uint64_t counted_until(const struct sampling *s)
{
    return s->run.format.mono ? s->run.counted_ns : s->sampled.last_ns;
}

/* --- memory --- */

static void compact(struct sampling *s, bool always)
{
    struct forgotten left;
    if (!kept_compact(&s->run.keeper.kept, &s->sampled, always, &left))
        return;
    symbols_forget(&s->symbols, left.gone, left.gone_count);
    forgotten_release(&left);
    memory_trim();
}

/* What a JIT compiler wrote can be read only as long as its process is held. */
static void read_ended_jits(struct sampling *s)
{
    for (size_t i = 0; i < s->sampled.nodes.count; i++) {
        uint32_t module = sampled_node_at(&s->sampled, (uint32_t)i)->module;
        struct module *m = sampled_module(&s->sampled, module);
        if (m && m->identity.pid && !m->ready && !proc_alive((int)m->identity.pid))
            symbols_ready(&s->symbols, m);
    }
    symbols_sweep_jits(&s->symbols);
}

/* --- files --- */

static void name_file(const struct keeper *k, size_t n, struct buf *out)
{
    buf_clear(out);
    buf_adds(out, k->path);
    if (n)
        buf_printf(out, ".%zu", n);
}

/* The next name that is free; -EEXIST is passed over, so that nothing is lost for a file that is
 * there. */
static int open_next(struct keeper *k, struct recorder *r, struct fail *f)
{
    int e = -EEXIST;
    while (e == -EEXIST && k->named < MAX_NAMES) {
        name_file(k, k->named++, &k->last);
        e = buf_error(&k->last) ? fail_set(f, ENOMEM, "%s", k->path)
                                : recorder_open(r, buf_str(&k->last), k->force, f);
    }
    return e;
}

struct writing {
    struct sampling *sampling;
    struct recorder recorder;
    size_t samples;
};

static void write_sample(void *arg, const struct sampled_one *one)
{
    struct writing *w = arg;
    recorder_sample(&w->recorder, &w->sampling->sampled, one);
    if (++w->samples % FLUSH_SAMPLES == 0)
        recorder_round(&w->recorder, &w->sampling->sampled);
}

static int write_file(struct sampling *s, struct writing *w, struct fail *f)
{
    struct keeper *k = &s->run.keeper;
    uint64_t length_ns = kept_length_ns(&k->kept, counted_until(s));
    int r = open_next(k, &w->recorder, f);
    if (r < 0)
        return r;
    sampling_start_recorder(s, &w->recorder, clock_real_ns() - length_ns);
    kept_each(&k->kept, write_sample, w);
    return recorder_close(&w->recorder, &s->sampled, f);
}

/* A compiler goes on writing what its code is called: it is read again the next time. */
static void renew_jits(struct sampling *s)
{
    const struct modules *all = &s->sampled.mapped.modules;
    for (size_t i = 0; i < all->count; i++)
        if (all->module[i]->identity.pid && proc_alive((int)all->module[i]->identity.pid))
            symbols_renew_jit(&s->symbols, all->module[i]);
}

static int write_kept(struct sampling *s, struct fail *f)
{
    struct writing w = {.sampling = s};
    struct keeper *k = &s->run.keeper;
    compact(s, true);
    sampling_ready_symbols(s);
    int r = write_file(s, &w, f);
    struct keeper_written written = {.path = buf_str(&k->last),
                                     .samples = s->sampled.count.samples,
                                     .length_ns = kept_length_ns(&k->kept, counted_until(s)),
                                     .full = k->kept.full,
                                     .failed = r < 0 ? f : NULL};
    if (k->written)
        k->written(k->arg, &written);
    return r;
}

void sampling_keep(void *arg, const struct sampled *sampled, const struct sampled_one *one)
{
    struct sampling *s = arg;
    sampled_ask_cgroup(&s->sampled, one->thread, recorder_cgroup, NULL);
    kept_add(&s->run.keeper.kept, &s->sampled, one);
}

void sampling_keep_round(struct sampling *s)
{
    struct fail f;
    if (kept_round(&s->run.keeper.kept, &s->sampled, counted_until(s))) {
        read_ended_jits(s);
        compact(s, false);
    }
    if (!status_signal_read())
        return;
    for (int rounds = 0; rounds < ROUNDS_IN_ORDER; rounds++) {
        sampling_note_counted(s);
        sampling_poll(s);
    }
    kept_round(&s->run.keeper.kept, &s->sampled, counted_until(s));
    if (s->sampled.want.waits)
        sampled_waits_until(&s->sampled, counted_until(s));
    write_kept(s, &f);
    renew_jits(s);
}

int sampling_keep_end(struct sampling *s, struct fail *f)
{
    sampling_note_counted(s);
    kept_round(&s->run.keeper.kept, &s->sampled, counted_until(s));
    return write_kept(s, f);
}
