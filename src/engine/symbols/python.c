#include "engine/symbols/python.h"

#include "core/sample/hits.h"

#include <errno.h>
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

static void add_hit(struct python *p, const struct module *m, uint64_t samples)
{
    p->is_named |= module_jit(m);
    if (!is_interpreter(m->name))
        return;
    p->interpreter = m;
    p->samples += samples;
}

static int find_python(const struct sampled *sampled, struct python *p)
{
    struct hits hits;
    if (hits_make(sampled, true, &hits) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < hits.count; i++)
        if (hits.hit[i].module != SAMPLED_OUTSIDE)
            add_hit(p, sampled_module(sampled, hits.hit[i].module), hits.hit[i].samples);
    hits_release(&hits);
    return 0;
}

int symbols_python(const struct sampled *sampled, struct buf *why, struct buf *hint)
{
    struct python p = {0};
    int r = find_python(sampled, &p);
    if (r < 0 || !p.interpreter || p.is_named)
        return r;
    double pct = 100.0 * (double)p.samples / (double)sampled->count.samples;
    if (pct <= PYTHON_REPORTED_PCT)
        return 0;
    buf_printf(why, "%.1f%% of the samples are in the Python interpreter, %s", pct,
               p.interpreter->name);
    buf_adds(hint, "`python3 -X perf' names Python functions, from version 3.12 on");
    return 0;
}
