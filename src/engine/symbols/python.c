#include "engine/symbols/python.h"

#include <string.h>

struct python {
    const struct module *interpreter; /* NULL: none was sampled */
    uint64_t samples;
    bool is_named; /* names of compiled code were written */
};

/* python3.11, libpython3.11.so.1.0: not what is named after it. */
static bool is_interpreter(const char *name)
{
    const char *rest = strncmp(name, "lib", 3) == 0 ? name + 3 : name;
    if (strncmp(rest, "python3", 7) != 0)
        return false;
    rest += 7 + strspn(rest + 7, "0123456789.d");
    return *rest == '\0' || strncmp(rest, "so", 2) == 0;
}

static void add_samples(struct python *p, const struct module *m, uint64_t samples)
{
    p->is_named |= module_jit(m);
    if (!is_interpreter(m->name))
        return;
    p->interpreter = m;
    p->samples += samples;
}

static void find_python(const struct sampled *sampled, struct python *p)
{
    const struct sampled_cell *cell = sampled->cells.record;
    for (size_t i = 0; i < sampled->cells.count; i++) {
        uint32_t module = sampled_place(sampled, cell[i].node)->module;
        if (module != SAMPLED_OUTSIDE)
            add_samples(p, sampled_module(sampled, module), cell[i].samples);
    }
}

int symbols_python(const struct sampled *sampled, struct buf *why, struct buf *hint)
{
    struct python p = {0};
    find_python(sampled, &p);
    if (!p.interpreter || p.is_named)
        return 0;
    double pct = 100.0 * (double)p.samples / (double)sampled->count.samples;
    if (pct <= PYTHON_REPORTED_PCT)
        return 0;
    buf_printf(why, "%.1f%% of the samples are in the Python interpreter, %s", pct,
               p.interpreter->name);
    buf_adds(hint, "`python3 -X perf' names Python functions, from version 3.12 on");
    return 0;
}
