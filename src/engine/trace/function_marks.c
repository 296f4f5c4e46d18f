/* Calls of the kernel's functions as events beside the scheduler's: probes without arguments. */
#include "core/base/grow.h"
#include "engine/trace/functions.h"
#include "private.h"

#include <errno.h>

struct marked {
    struct tracing *t;
    struct kernel_text text;
    const struct symbol **symbol;
    size_t count, cap;
};

static int take_symbol(void *arg, const struct symbol *s, struct fail *f)
{
    struct marked *m = arg;
    if (!grow_within(&m->symbol, &m->cap, m->count, FUNCTIONS_MAX + 1, sizeof *m->symbol))
        return m->count > FUNCTIONS_MAX ? 0 : fail_set(f, ENOMEM, "functions");
    m->symbol[m->count++] = s;
    return 0;
}

static int define_probes(struct marked *m, struct fail *f)
{
    SCOPED_BUF places = BUF_INIT;
    SCOPED_FREE struct trace_probed *probe = calloc(m->count, sizeof *probe);
    for (size_t i = 0; i < m->count; i++) {
        kernel_text_place(&m->text, m->symbol[i], &places);
        buf_addc(&places, '\0');
    }
    int r = probe && !buf_error(&places) ? 0 : fail_set(f, ENOMEM, "probes");
    const char *at = buf_str(&places);
    for (size_t i = 0; r == 0 && i < m->count; i++, at += strlen(at) + 1)
        probe[i].place = at;
    if (r == 0)
        r = trace_probe(m->t->trace, probe, m->count, f);
    return r;
}

static int learn_event(struct marked *m, size_t i, bool exit, uint32_t name)
{
    char path[TRACE_PROBE_NAME_BYTES];
    SCOPED_BUF text = BUF_INIT;
    int r = trace_text(m->t->trace, trace_probe_name(m->t->trace, i, exit, path), &text);
    if (r == 0)
        r = trace_decoder_learn_function(&m->t->decoder, name, exit, buf_str(&text), text.len);
    return r;
}

/* Those that the kernel does not probe have no events. */
static int learn_events(struct marked *m, struct fail *f)
{
    size_t learned = 0;
    for (size_t i = 0; i < m->count; i++) {
        const char *name = m->symbol[i]->name;
        uint32_t text = sched_names_add_text(&m->t->names, name, strlen(name));
        if (!text)
            return fail_set(f, ENOMEM, "names of functions");
        learned += learn_event(m, i, false, text) == 0 && learn_event(m, i, true, text) == 0;
    }
    m->t->unprobed = m->count - learned;
    return learned ? 0 : fail_set(f, 0, "the kernel allows no probe of these functions");
}

int tracing_mark_functions(struct tracing *t, struct fail *f)
{
    char group[TRACE_PROBE_NAME_BYTES];
    struct marked m = {.t = t};
    if (!t->want->functions)
        return 0;
    int r = kernel_text_read(&m.text, f);
    if (r < 0)
        return r;
    r = kernel_text_find(&m.text, t->want->function, t->want->functions, take_symbol, &m, f);
    if (r == 0)
        r = define_probes(&m, f);
    if (r == 0)
        r = learn_events(&m, f);
    if (r == 0)
        r = trace_enable(t->trace, trace_probe_group(t->trace, group), f);
    kernel_text_release(&m.text);
    free(m.symbol);
    return r;
}
