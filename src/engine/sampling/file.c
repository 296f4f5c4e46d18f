/* A sampling that was recorded, and what all samplings have. */
#include "perfdata.h"
#include "private.h"

#include "core/base/head_words.h"
#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/text/counted.h"
#include "plat/host.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *mode_words(bool user, bool kernel)
{
    return !kernel ? "user mode" : user ? "user and kernel mode" : "kernel mode";
}

void sampling_init(const struct sampling_want *want, struct sampling *s)
{
    struct sampled_want sampled = {.pid = (uint32_t)want->pid,
                                   .children = want->children || want->command,
                                   .same_text = want->same_text,
                                   .kernel = want->kernel,
                                   .no_user = want->no_user,
                                   .user_apart = want->user_apart,
                                   .idle = want->idle,
                                   .waits = want->waits,
                                   .leaf_only = want->waits && want->chains == CHAINS_NONE,
                                   .timeline = want->timeline,
                                   .recent = want->recent,
                                   .by = want->by,
                                   .max_nodes = sampled_nodes_for_memory(sysfile_memory_bytes()),
                                   .hz = want->hz};
    for (; sampled.others < want->others && sampled.others < SAMPLED_MAX_OTHERS; sampled.others++)
        sampled.other[sampled.others] = (uint32_t)want->other[sampled.others];
    *s = (struct sampling){.binary = want->binary, .search = want->search};
    symbols_init(&s->symbols, &s->search);
    sampled_init(&s->sampled, &sampled);
    snprintf(s->mode, sizeof s->mode, "%s", mode_words(!want->no_user, want->kernel));
}

void sampling_counted(void *arg, const struct sampled *sampled, const struct sampled_one *one)
{
    struct sampling *s = arg;
    recorder_sample(&s->run.recorder, sampled, one);
}

void sampling_need_cfi(void *arg, struct module *m)
{
    struct sampling *s = arg;
    symbols_cfi(&s->symbols, m);
}

void sampling_ready_symbols(struct sampling *s)
{
    for (size_t i = 0; i < s->sampled.nodes.count; i++) {
        uint32_t module = sampled_node_at(&s->sampled, (uint32_t)i)->module;
        struct module *m = sampled_module(&s->sampled, module);
        if (m && !m->ready)
            symbols_ready(&s->symbols, m);
    }
}

/* Files that were found by their paths alone, of modules that samples hit. */
static void note_unsure(struct sampling *s)
{
    const struct modules *all = &s->sampled.mapped.modules;
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct module *m = all->module[i];
        if (!m->by_path || !m->elf || !m->ready)
            continue;
        first = first ? first : m->path;
        count++;
    }
    if (count)
        snprintf(s->source.unsure, sizeof s->source.unsure,
                 "%s without build-id: names come from what is now at the path, such as %.160s",
                 counted(count, "file").text, first);
}

/* Of modules that samples hit: the file at the path now is another than the one that ran. */
static bool is_replaced(const struct module *m, bool named)
{
    return m->replaced && !m->elf && m->ready && (m->external.symbols != NULL) == named;
}

/* One note for the file, and for as many more. */
static void note_file(struct module *m, bool named, size_t more)
{
    char files[96] = " was";
    if (more)
        snprintf(files, sizeof files, " and %s were", counted(more, "more file").text);
    module_set_note(m, "%.90s%s rebuilt since: %s", m->path, files,
                    named ? "function names are those recorded, source lines are missing "
                            "(--bundle keeps them)"
                          : "the names of its functions are missing");
}

/* Of many, as after an upgrade, some. */
static void note_replaced(struct sampling *s, bool named)
{
    enum { MAX_NOTES = 3 };
    const struct modules *all = &s->sampled.mapped.modules;
    size_t count = 0, notes = 0;
    for (size_t i = 0; i < all->count; i++)
        count += is_replaced(all->module[i], named);
    for (size_t i = 0; i < all->count && notes < MAX_NOTES; i++)
        if (is_replaced(all->module[i], named))
            note_file(all->module[i], named, ++notes == MAX_NOTES ? count - notes : 0);
}

static void describe(struct sampling *s)
{
    const struct sampled *d = &s->sampled;
    int n = snprintf(s->described, sizeof s->described, "%s, %s", s->method, s->mode);
    if (d->count.own && n >= 0 && (size_t)n < sizeof s->described)
        snprintf(s->described + n, sizeof s->described - (size_t)n,
                 ", without psuite itself (%" PRIu64 "%s)", sampled_amount(d, d->count.own_weight),
                 d->event.clock ? " ms" : "");
}

/* Of all places in the kernel, in order. */
static size_t kernel_places(const struct sampled *s, uint64_t *out)
{
    size_t count = 0;
    for (size_t i = 0; i < s->nodes.count; i++) {
        const struct sampled_node *n = sampled_node_at(s, (uint32_t)i);
        const struct module *m = sampled_module(s, n->module);
        if (m && m->kernel && !m->ready && !m->external.symbols)
            out[count++] = n->offset;
    }
    sort_array(out, count, sizeof *out, order_of_u64);
    return count;
}

/* The kernel has more symbols than all other modules, of which few are hit. */
static void ready_kernel(struct sampling *s)
{
    SCOPED_FREE uint64_t *place = reallocarray(NULL, s->sampled.nodes.count + 1, sizeof *place);
    size_t count = place ? kernel_places(&s->sampled, place) : 0;
    if (count)
        symbols_kernel_at(&s->symbols, place, count);
}

/* The binary named by the user replaces the main module's own file. */
int sampling_finish(struct sampling *s, struct fail *f)
{
    struct module *program = mapped_main(&s->sampled.mapped);
    int r = 0;
    describe(s);
    sampled_settle(&s->sampled);
    if (s->binary && program)
        r = symbols_use_file(&s->symbols, program, s->binary, f);
    if (r == 0) {
        ready_kernel(s);
        sampling_ready_symbols(s);
    }
    note_unsure(s);
    note_replaced(s, true);
    note_replaced(s, false);
    return r;
}

void sampling_frames(struct sampling *s, struct module *m, uint64_t vaddr, struct frames *out)
{
    if (m->elf || !recording_frames(&s->source.recording, m, vaddr, out))
        symbols_frames(&s->symbols, m, vaddr, out);
}

bool sampling_made_here(const char *host, const char *kernel)
{
    struct host here;
    host_describe(&here);
    return strcmp(here.name, host) == 0 && strcmp(here.kernel, kernel) == 0;
}

static void use_fact(const struct recording *r, enum recording_fact_key key, char *to, size_t cap)
{
    if (r->fact[key].len)
        snprintf(to, cap, "%s", buf_str(&r->fact[key]));
}

static void release_pages(void *arg)
{
    struct sampling *s = arg;
    file_drop_pages(&s->source.image);
    symbols_unload_images(&s->symbols);
}

static int fail_no_event(const struct recording *r, const char *name, struct fail *f)
{
    SCOPED_BUF names = BUF_INIT;
    for (unsigned i = 0; i < r->events; i++)
        buf_printf(&names, "%s%s", i ? " " : "", r->event[i].is.name);
    fail_set(f, 0, "no samples of event %s", name);
    fail_hint(f, "its events: %s", buf_str(&names));
    return -EINVAL;
}

bool sampling_event_named(const char *event, const char *name)
{
    size_t len = strlen(name);
    return strncmp(event, name, len) == 0 && (!event[len] || event[len] == ':');
}

/* By its name, or by its number. */
static int choose_event(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    struct recording r;
    s->sampled.want.event = want->of_file;
    if (!want->event)
        return 0;
    int e = recording_peek(s->source.image.data, s->source.image.len, &r, f);
    unsigned i = 0;
    while (e == 0 && i < r.events && !sampling_event_named(r.event[i].is.name, want->event))
        i++;
    if (e == 0 && i == r.events)
        e = fail_no_event(&r, want->event, f);
    s->sampled.want.event = i;
    recording_close(&r);
    return e;
}

/* What of its facts tells: they come first. */
static void seek_file(struct sampling *s, struct module *m)
{
    const struct buf *fact = s->source.recording.fact;
    bool here =
        sampling_made_here(buf_str(&fact[RECORDING_HOST]), buf_str(&fact[RECORDING_KERNEL]));
    if (m->sought)
        return;
    m->sought = true;
    symbols_need_recorded(&s->symbols, m, here ? SYMBOLS_MADE_HERE : SYMBOLS_BUILD_ID);
}

/* Of a file that its build-id tells: names of others come behind the samples. */
static uint64_t place_recorded(void *arg, struct module *m, uint64_t offset, uint64_t *end)
{
    struct sampling *s = arg;
    if (m->kernel || !m->file || !m->identity.build_id_len)
        return offset;
    if (!m->sought) {
        seek_file(s, m);
        if (m->elf)
            symbols_ready(&s->symbols, m);
    }
    return m->elf ? sampling_function_offset(m, offset, end) : offset;
}

static int read_samples(struct sampling *s, bool by_function, struct fail *f)
{
    s->sampled.hooks.consumed = release_pages;
    s->sampled.hooks.place = by_function ? place_recorded : NULL;
    s->sampled.hooks.arg = s;
    int r = recording_read(s->source.image.data, s->source.image.len, &s->sampled,
                           &s->source.recording, f);
    s->sampled.hooks.consumed = NULL;
    s->sampled.hooks.place = NULL;
    return r;
}

/* The method names all events, behind "perf": of them the one that is read is left. */
static void use_method(struct sampling *s)
{
    const struct recording *r = &s->source.recording;
    SCOPED_BUF all = BUF_INIT, one = BUF_INIT;
    buf_adds(&all, "perf ");
    for (unsigned i = 0; i < r->events; i++)
        buf_printf(&all, "%s%s", i ? ", " : "", r->event[i].is.name);
    if (all.len && strncmp(s->method, buf_str(&all), all.len) == 0) {
        buf_printf(&one, "perf %s%s", s->sampled.event.name, s->method + all.len);
        snprintf(s->method, sizeof s->method, "%s", buf_str(&one));
    }
}

/* The first event's are facts. */
static void use_event(struct sampling *s)
{
    const struct recording *r = &s->source.recording;
    unsigned i = s->sampled.want.event;
    s->source.events = r->events;
    if (r->events > 1)
        use_method(s);
    if (i)
        snprintf(s->mode, sizeof s->mode, "%s", mode_words(r->event[i].user, r->event[i].kernel));
}

static int read_recording(const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    int r = choose_event(s, want, f);
    if (want->by == SAMPLED_BY_CGROUP) /* it has those of processes */
        s->sampled.want.by = SAMPLED_BY_PROCESS;
    if (r == 0)
        r = read_samples(s, want->by_function && !want->binary, f);
    file_unmap(&s->source.image);
    if (r < 0)
        return r;
    snprintf(s->method, sizeof s->method, "unknown method");
    if (s->source.recording.truncated)
        snprintf(s->source.warning, sizeof s->source.warning,
                 "cut off or damaged at its end: only what precedes it is reported");
    else if (!s->source.recording.ended)
        snprintf(
            s->source.warning, sizeof s->source.warning,
            "incomplete: its writer was killed or could not write; what was written is reported");
    use_fact(&s->source.recording, RECORDING_METHOD, s->method, sizeof s->method);
    use_fact(&s->source.recording, RECORDING_MODE, s->mode, sizeof s->mode);
    use_event(s);
    s->sampled.want.kernel = strstr(s->mode, "kernel") != NULL;
    s->sampled.want.no_user = strstr(s->mode, "user") == NULL;
    sampled_process(&s->sampled,
                    (uint32_t)strtoul(buf_str(&s->source.recording.fact[RECORDING_PID]), NULL, 10));
    for (size_t i = 0; i < s->sampled.mapped.modules.count; i++)
        seek_file(s, s->sampled.mapped.modules.module[i]);
    return sampling_finish(s, f);
}

static bool looks_like_program(const struct image *file)
{
    return file->len > 4 &&
           (memcmp(file->data, "\177ELF", 4) == 0 || memcmp(file->data, "#!", 2) == 0);
}

bool sampling_is_program(const char *path)
{
    struct image file;
    if (file_map_regular(path, &file, NULL) < 0)
        return false;
    bool is = looks_like_program(&file);
    file_unmap(&file);
    return is;
}

void sampling_hint_program(const char *path, struct fail *f)
{
    bool here = !strchr(path, '/');
    fail_hint(f, "to run this program, use -x %s%.128s", here ? "./" : "", path);
}

static int read_bytes(const struct sampling_want *want, const char *path, struct sampling *s,
                      struct fail *f)
{
    s->source.is_recording = recording_is(s->source.image.data, s->source.image.len);
    if (s->source.is_recording && want->record)
        return fail_set(f, 0, "already a recording: --record cannot be used with it");
    if (s->source.is_recording)
        return read_recording(want, s, f);
    if (sampling_is_perfdata(s->source.image.data, s->source.image.len))
        return sampling_read_perfdata(want, s, f);
    const char *there = recording_head_words(s->source.image.data, s->source.image.len);
    there = there ? there : head_words(s->source.image.data, s->source.image.len, "PERFILE2", 8);
    fail_set(f, 0, "%s", there ? there : "neither a recording nor a perf.data file");
    if (there)
        fail_hint(f, "the program that wrote it was killed or could not write: record again");
    if (looks_like_program(&s->source.image) && strcmp(path, "-") != 0)
        sampling_hint_program(path, f);
    return -EINVAL;
}

int sampling_read_image(const struct sampling_want *want, struct image *image, const char *name,
                        struct sampling *s, struct fail *f)
{
    struct fail why;
    sampling_init(want, s);
    s->sampled.want.kernel = true;                             /* what was recorded was wanted */
    s->sampled.want.waits = s->sampled.want.leaf_only = false; /* where they were, it tells */
    s->sampled.want.innermost = want->by_function;
    s->source.image = *image;
    *image = (struct image){0};
    int r = read_bytes(want, name, s, &why);
    file_unmap(&s->source.image);
    if (r == 0)
        return 0;
    fail_set(f, why.err, "%s: %s", name, why.what);
    if (why.hint[0])
        fail_hint(f, "%s", why.hint);
    return r;
}

int sampling_read(const struct sampling_want *want, const char *path, struct sampling *s,
                  struct fail *f)
{
    struct image image;
    int r = file_input(path, SIZE_MAX / 2, &image, f);
    if (r < 0)
        sampling_init(want, s);
    return r < 0 ? r : sampling_read_image(want, &image, path, s, f);
}
