/* A sampling that was recorded, and what all samplings have. */
#include "engine/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *mode_of(const struct sampling_want *want)
{
    return !want->kernel ? "user mode" : want->no_user ? "kernel mode" : "user and kernel mode";
}

void sampling_init(const struct sampling_want *want, struct sampling *s)
{
    struct sampled_want what = {.pid = (uint32_t)want->pid,
                                .children = want->children || want->command,
                                .kernel = want->kernel,
                                .no_user = want->no_user,
                                .idle = want->idle,
                                .timeline = want->timeline,
                                .by = want->by,
                                .hz = want->hz};
    *s = (struct sampling){.binary = want->binary, .search = want->search};
    symbols_init(&s->symbols, &s->search);
    sampled_init(&s->sampled, &what);
    snprintf(s->mode, sizeof s->mode, "%s", mode_of(want));
}

/* Only of the modules that samples hit: looking for debug files takes time. */
static void ready_symbols(struct sampling *s)
{
    for (size_t i = 0; i < s->sampled.nodes.count; i++) {
        uint32_t module = sampled_node_at(&s->sampled, (uint32_t)i)->module;
        if (module != SAMPLED_OUTSIDE)
            symbols_ready(&s->symbols, s->sampled.modules.module[module]);
    }
}

/* The binary named by the user stands in for the main module's own file. */
int sampling_finish(struct sampling *s, struct fail *f)
{
    size_t id = s->sampled.main_module;
    int r = 0;
    snprintf(s->described, sizeof s->described, "%s, %s", s->method, s->mode);
    if (s->binary && id != SIZE_MAX)
        r = symbols_use_file(&s->symbols, s->sampled.modules.module[id], s->binary, f);
    if (r == 0)
        ready_symbols(s);
    return r;
}

void sampling_frames(struct sampling *s, struct module *m, uint64_t vaddr, struct frames *out)
{
    if (m->elf || !recording_frames(&s->recording, m, vaddr, out))
        symbols_frames(&s->symbols, m, vaddr, out);
}

static void use_fact(const struct recording *r, enum recording_fact_key key, char *to, size_t room)
{
    if (r->fact[key].len)
        snprintf(to, room, "%s", buf_str(&r->fact[key]));
}

static int read_recording(struct sampling *s, struct fail *f)
{
    int r = recording_read(s->file.data, s->file.len, &s->sampled, &s->recording, f);
    if (r < 0)
        return r;
    snprintf(s->method, sizeof s->method, "not told how");
    use_fact(&s->recording, RECORDING_METHOD, s->method, sizeof s->method);
    use_fact(&s->recording, RECORDING_MODE, s->mode, sizeof s->mode);
    s->sampled.want.kernel = strstr(s->mode, "kernel") != NULL;
    s->sampled.want.no_user = strstr(s->mode, "user") == NULL;
    s->sampled.want.pid = (uint32_t)strtoul(buf_str(&s->recording.fact[RECORDING_PID]), NULL, 10);
    for (size_t i = 0; i < s->sampled.modules.count; i++)
        symbols_need_recorded(&s->symbols, s->sampled.modules.module[i]);
    return sampling_finish(s, f);
}

int sampling_read(const struct sampling_want *want, const char *path, struct sampling *s,
                  struct fail *f)
{
    struct fail why;
    sampling_init(want, s);
    s->sampled.want.kernel = true; /* what was recorded was wanted */
    int r = file_input(path, SIZE_MAX / 2, &s->file, f);
    if (r < 0)
        return r;
    r = recording_is(s->file.data, s->file.len)
            ? read_recording(s, &why)
            : fail_set(&why, 0, "neither a recording nor a perf.data file");
    return r < 0 ? fail_set(f, why.err, "%s: %s", path, why.what) : 0;
}
