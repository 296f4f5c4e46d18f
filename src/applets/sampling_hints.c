/* What a report lacks, why, and what to type: behind it. */
#include "sampling_request.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "engine/symbols/nameless.h"
#include "engine/symbols/python.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static void add_hint(struct buf *why, struct buf *hint, struct buf *out)
{
    if (why->len)
        buf_printf(out, "%s%chint: %s%c", buf_str(why), 0, buf_str(hint), 0);
    buf_release(why);
    buf_release(hint);
}

/* A misspelt module leaves an empty table. */
static void add_absent_module(const struct sampling_request *q, const struct sampling *s,
                              struct buf *out)
{
    const struct modules *modules = &s->sampled.mapped.modules;
    const char *name = q->view.module;
    for (size_t i = 0; name && i < modules->count; i++)
        if (strcmp(modules->module[i]->name, name) == 0 ||
            strcmp(modules->module[i]->path, name) == 0)
            return;
    if (name)
        buf_printf(out, "-m: %s: no samples in a module of this name%c", name, 0);
}

/* Of what only waited the report is empty. */
static void add_idle(const struct sampling_request *q, const struct sampling *s, struct buf *out)
{
    struct buf why = BUF_INIT, hint = BUF_INIT;
    if ((!q->want.pid && !q->want.command) || q->want.waits || s->sampled.count.samples)
        return;
    if (q->want.pid)
        buf_printf(&why, "pid %d was not seen running: it may only wait", q->want.pid);
    else
        buf_adds(&why, "the command was not seen running: it was short, or only waits");
    buf_adds(&hint, "psuite tprof -w -g ");
    if (q->want.pid)
        buf_printf(&hint, "%d", q->want.pid);
    else
        buf_adds(&hint, "-x COMMAND");
    add_hint(&why, &hint, out);
}

/* A process that ends within a sampling period has no sample, whatever the sum of such processes
 * is: the kernel starts a period for each. */
static bool add_short_lived(const struct sampling *s, struct buf *out)
{
    enum { LEAST_MS = 20 };
    const struct sampled *of = &s->sampled;
    uint64_t taken_ms = sampled_amount(of, sampled_running(of)), all_ms = of->accounted.cpu_time_ms;
    struct buf why = BUF_INIT, hint = BUF_INIT;
    if (!of->event.clock || all_ms < 2 * taken_ms + LEAST_MS || of->count.forks < 2)
        return false;
    buf_printf(&why,
               "%" PRIu64 " of %" PRIu64 " ms were sampled: %s ran, and those that end within a "
               "sampling period are missing",
               taken_ms, all_ms, counted(of->count.forks, "process").text);
    buf_adds(&hint,
             "a higher -F samples more of them; psuite time -c COMMAND counts all their time");
    add_hint(&why, &hint, out);
    return true;
}

void sampling_hints(const struct sampling_request *q, struct sampling *s, struct buf *out)
{
    struct buf why = BUF_INIT, hint = BUF_INIT;
    if (q->view.json)
        return;
    add_absent_module(q, s, out);
    if (!add_short_lived(s, out))
        add_idle(q, s, out);
    symbols_nameless(&s->symbols, &s->sampled, &why, &hint);
    add_hint(&why, &hint, out);
    symbols_python(&s->sampled, &why, &hint);
    add_hint(&why, &hint, out);
}
