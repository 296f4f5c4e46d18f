#include "engine/snap/record.h"

#include "core/base/time_ns.h"
#include "core/text/shell_words.h"
#include "part.h"
#include "plat/clock.h"
#include "plat/host.h"
#include "plat/wait.h"
#include "plat/workload.h"

#include <inttypes.h>
#include <stdio.h>

/* Doctor, and the beginning of the others, take a second or two on a small board, and much longer
 * on a busy one. One that is refused ends. */
enum { DOCTOR_SECONDS = 30, BEGIN_SECONDS = 60, END_SECONDS = 120, ROUND_MS = 100 };
enum { SAMPLES, SCHEDULER, STATS, PARTS, DOCTOR = PARTS, ALL }; /* doctor runs before the parts */

struct session {
    const struct snap_want *want;
    struct snap_recorded *to;
    struct snap_part part[ALL];
    struct child child;
    bool held, runs;
    char pid[16], hz[24];
    struct buf bytes;
    int err; /* what write returned */
    int interrupted;
};

/* --- the parts --- */

static void add_trial(struct snap_part *p, const char *records, const char *const *words)
{
    struct snap_try *t = &p->trial[p->trials++];
    size_t n = 0;
    t->records = records;
    t->word[n++] = workload_program;
    for (; *words && n < SNAP_PART_WORDS - 1; words++)
        t->word[n++] = *words;
}

/* The whole machine; without the kernel where only that is refused; the command alone. */
static void add_samples(struct session *s)
{
    struct snap_part *p = &s->part[SAMPLES];
    const char *const everything[] = {"tprof", "-a",  "-k",       "-g", "-q",
                                      "-F",    s->hz, "--record", "-",  NULL};
    const char *const users[] = {"tprof", "-a", "-g", "-q", "-F", s->hz, "--record", "-", NULL};
    const char *const command[] = {"tprof", "-p",  s->pid,     "--children", "-g", "-q",
                                   "-F",    s->hz, "--record", "-",          NULL};
    *p = (struct snap_part){.stream = SNAP_SAMPLES, .name = "samples"};
    add_trial(p, "all processes, user and kernel mode", everything);
    add_trial(p, "all processes, user mode alone", users);
    if (s->want->command)
        add_trial(p, "the command alone, user mode alone", command);
}

static void make_parts(struct session *s)
{
    static const char *const scheduler[] = {"trace", "-o", "-", NULL},
                             *const stats[] = {"stats", "-T", "0.25", "--record", "-", NULL},
                             *const doctor[] = {"doctor", "--json", NULL};
    snprintf(s->hz, sizeof s->hz, "%" PRIu64, s->want->hz);
    snprintf(s->pid, sizeof s->pid, "%d", s->child.pid);
    add_samples(s);
    s->part[SCHEDULER] = (struct snap_part){.stream = SNAP_SCHEDULER, .name = "scheduler"};
    add_trial(&s->part[SCHEDULER], NULL, scheduler);
    s->part[STATS] = (struct snap_part){.stream = SNAP_STATS, .name = "stats"};
    add_trial(&s->part[STATS], NULL, stats);
    s->part[DOCTOR] = (struct snap_part){.stream = SNAP_DOCTOR, .name = "doctor"};
    add_trial(&s->part[DOCTOR], NULL, doctor);
}

/* --- rounds --- */

static void write_bytes(struct session *s)
{
    int err = buf_error(&s->bytes);
    if (!s->err && (err || s->bytes.len))
        s->err = err ? err : s->want->write(s->want->arg, &s->bytes);
    buf_clear(&s->bytes);
}

/* Reads what the parts have, for a moment at most; notes an interrupt. */
static void read_parts(struct session *s, uint64_t until_ns)
{
    enum { HANDLES = 2 * ALL + 2 };
    struct wait_on on[HANDLES] = {{.handle = interrupt_open(), .until_ns = until_ns},
                                  {.handle = s->runs ? child_handle(&s->child) : -1}};
    bool typed = false;
    for (size_t i = 0; i < ALL; i++)
        snap_part_wait(&s->part[i], on + 2 + 2 * i);
    wait_ready(on, HANDLES, ROUND_MS);
    for (size_t i = 0; i < ALL; i++)
        if (s->part[i].runs)
            snap_part_read(&s->part[i], &s->bytes, &s->to->notes);
    write_bytes(s);
    int signal = interrupt_read(&typed);
    if (signal && s->runs && !typed)
        child_signal(&s->child, signal);
    s->interrupted = signal ? signal : s->interrupted;
    if (s->want->round)
        s->want->round(s->want->arg);
}

static bool goes_on(const struct session *s, uint64_t until_ns)
{
    return !s->err && !s->interrupted && (!until_ns || clock_mono_ns() < until_ns);
}

static bool any_runs(const struct session *s)
{
    bool runs = false;
    for (size_t i = 0; i < PARTS; i++)
        runs = runs || s->part[i].runs;
    return runs;
}

static bool all_begun(const struct session *s)
{
    bool all = true;
    for (size_t i = 0; i < PARTS; i++)
        all = all && (s->part[i].begun || !s->part[i].runs);
    return all;
}

static bool has_ended(struct session *s)
{
    struct wait_on on = {.handle = child_handle(&s->child)};
    return s->want->command && wait_ready(&on, 1, 0) > 0;
}

/* --- the steps --- */

static void add_head(struct session *s)
{
    struct host host;
    SCOPED_BUF words = BUF_INIT;
    host_describe(&host);
    snap_file_start(&s->bytes);
    snap_file_fact(&s->bytes, SNAP_HOST, host.name);
    snap_file_fact(&s->bytes, SNAP_MACHINE, host.machine);
    snap_file_fact(&s->bytes, SNAP_KERNEL, host.kernel);
    snap_file_fact_u64(&s->bytes, SNAP_CPUS, host.cpus);
    if (s->want->command)
        shell_words_add(&words, s->want->command);
    if (words.len)
        snap_file_fact(&s->bytes, SNAP_COMMAND, buf_str(&words));
}

/* Both clocks, read one after the other: stats' times are put on the other by them. */
static uint64_t add_clocks(struct session *s, const char *mono_key, const char *real_key)
{
    uint64_t before_ns = clock_mono_ns(), real_ns = clock_real_ns(), after_ns = clock_mono_ns();
    snap_file_fact_u64(&s->bytes, mono_key, before_ns + (after_ns - before_ns) / 2);
    snap_file_fact_u64(&s->bytes, real_key, real_ns);
    return after_ns;
}

static void examine(struct session *s)
{
    uint64_t until_ns = clock_mono_ns() + DOCTOR_SECONDS * (uint64_t)NS_PER_S;
    struct snap_part *doctor = &s->part[DOCTOR];
    snap_part_start(doctor, &s->to->notes);
    while (doctor->runs && goes_on(s, until_ns))
        read_parts(s, until_ns);
    snap_part_end(doctor, &s->to->notes);
}

static void begin_parts(struct session *s)
{
    uint64_t until_ns = clock_mono_ns() + BEGIN_SECONDS * (uint64_t)NS_PER_S;
    for (size_t i = 0; i < PARTS; i++)
        snap_part_start(&s->part[i], &s->to->notes);
    while (!all_begun(s) && goes_on(s, until_ns))
        read_parts(s, until_ns);
}

static int release_command(struct session *s, struct fail *f)
{
    if (!s->held)
        return 0;
    s->held = false;
    int r = child_release(&s->child, f);
    s->runs = s->to->executed = r == 0;
    return r;
}

static int record(struct session *s, struct fail *f)
{
    uint64_t begin_ns = add_clocks(s, SNAP_BEGIN_MONO, SNAP_BEGIN_REAL);
    uint64_t until_ns =
        s->want->seconds > 0 ? begin_ns + (uint64_t)(s->want->seconds * (double)NS_PER_S) : 0;
    int r = release_command(s, f);
    while (r == 0 && any_runs(s) && goes_on(s, until_ns) && !has_ended(s))
        read_parts(s, until_ns);
    add_clocks(s, SNAP_END_MONO, SNAP_END_REAL);
    return r;
}

/* They write what they have kept back, such as the names of the functions that were sampled. A
 * second interrupt ends that, too. */
static void end_parts(struct session *s)
{
    uint64_t until_ns = clock_mono_ns() + END_SECONDS * (uint64_t)NS_PER_S;
    s->interrupted = 0;
    for (size_t i = 0; i < PARTS; i++) {
        s->part[i].next = s->part[i].trials; /* what is refused now is not tried otherwise */
        if (s->part[i].runs)
            coprocess_interrupt(&s->part[i].process);
    }
    while (any_runs(s) && goes_on(s, until_ns))
        read_parts(s, until_ns);
    for (size_t i = 0; i < PARTS; i++)
        snap_part_end(&s->part[i], &s->to->notes);
}

static void add_end(struct session *s)
{
    const char *sampled = snap_part_records(&s->part[SAMPLES]);
    if (sampled)
        snap_file_fact(&s->bytes, SNAP_SAMPLED, sampled);
    snap_file_chunk(&s->bytes, SNAP_NOTES, buf_str(&s->to->notes), s->to->notes.len);
    snap_file_chunk(&s->bytes, SNAP_END, "", 0);
    write_bytes(s);
}

static bool nothing_recorded(const struct session *s)
{
    bool any = false;
    for (size_t i = 0; i < PARTS; i++)
        any = any || s->part[i].begun;
    return !any;
}

static int record_all(struct session *s, struct fail *f)
{
    add_head(s);
    examine(s);
    if (!s->interrupted)
        begin_parts(s);
    int r = s->interrupted ? fail_set(f, 0, "interrupted before the recording began") : 0;
    if (r == 0 && nothing_recorded(s) && !s->err)
        r = fail_set(f, 0, "nothing can be recorded on this machine");
    if (r == 0)
        r = record(s, f);
    end_parts(s);
    if (r == 0)
        add_end(s);
    return r ? r : s->err;
}

static int wait_command(struct session *s, int r, struct fail *f)
{
    struct fail why;
    if (s->held)
        child_kill(&s->child);
    int waited = s->runs ? child_wait(&s->child, &s->to->end, &why) : 0;
    if (waited < 0 && r == 0 && f)
        *f = why;
    return r ? r : waited;
}

int snap_record(const struct snap_want *want, struct snap_recorded *out, struct fail *f)
{
    struct session s = {.want = want, .to = out};
    *out = (struct snap_recorded){0};
    interrupt_open();
    int r = want->command ? child_hold_traceable(want->command, &s.child, f) : 0;
    if (r < 0)
        return r;
    s.held = want->command != NULL;
    make_parts(&s);
    r = wait_command(&s, record_all(&s, f), f);
    for (size_t i = 0; i < ALL; i++)
        snap_part_release(&s.part[i]);
    buf_release(&s.bytes);
    return r;
}
