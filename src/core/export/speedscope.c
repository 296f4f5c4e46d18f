/* speedscope's file format (github.com/jlfwong/speedscope, "file-format-spec"): a sampled profile a
 * thread, its stacks outermost first. A frame is a function, so that speedscope adds up what one
 * did at all its lines. */
#include "write.h"

#include "core/base/buf.h"
#include "core/text/json.h"

#include <errno.h>
#include <stdlib.h>

struct speedscope {
    const struct stacks *s;
    struct stacks_by_thread threads;
    uint32_t *chain;
    struct json j;
};

static void add_frame(struct json *j, const char *name, const char *file)
{
    json_record(j, NULL, "name [file]", name, file);
}

/* The functions, and behind them what has no frame. */
static void add_frames(struct speedscope *p)
{
    json_object(&p->j, "shared");
    json_array(&p->j, "frames");
    for (size_t i = 0; i < p->s->functions; i++)
        add_frame(&p->j, p->s->function[i].name, p->s->function[i].file);
    add_frame(&p->j, WRITE_UNKNOWN, "");
    json_array_end(&p->j);
    json_object_end(&p->j);
}

static const char *unit_of(const struct stacks *s)
{
    return write_weight_is(s, "nanoseconds") ? "nanoseconds"
           : write_weight_is(s, "bytes")     ? "bytes"
                                             : "none";
}

static uint64_t thread_weight(const struct speedscope *p, size_t thread)
{
    uint64_t sum = 0;
    for (size_t i = p->threads.start[thread]; i < p->threads.start[thread + 1]; i++)
        sum += write_threads_weight(p->s, &p->threads, i);
    return sum;
}

/* Names whatever is open. */
static void end_name(struct speedscope *p, struct buf *name)
{
    json_str(&p->j, "name", buf_str(name));
    if (buf_error(name))
        p->j.out->err = buf_error(name);
}

static void add_name(struct speedscope *p, size_t thread)
{
    SCOPED_BUF name = BUF_INIT;
    if (thread < p->s->threads)
        buf_printf(&name, "%s (%u)", p->s->thread[thread].name, p->s->thread[thread].tid);
    else
        buf_adds(&name, p->s->threads ? "(no thread)" : "all threads");
    end_name(p, &name);
}

static void add_stack(struct speedscope *p, uint32_t node)
{
    size_t depth = write_chain(p->s, node, p->chain);
    json_array(&p->j, NULL);
    for (size_t i = 0; i < depth; i++)
        json_u64(&p->j, NULL, p->s->frame[p->s->node[p->chain[i]].frame].function);
    if (!depth)
        json_u64(&p->j, NULL, p->s->functions);
    json_array_end(&p->j);
}

static void add_thread(struct speedscope *p, size_t thread)
{
    size_t first = p->threads.start[thread], end = p->threads.start[thread + 1];
    json_object(&p->j, NULL);
    json_str(&p->j, "type", "sampled");
    add_name(p, thread);
    json_members(&p->j, "unit startValue endValue", unit_of(p->s), 0, thread_weight(p, thread));
    json_array(&p->j, "samples");
    for (size_t i = first; i < end; i++)
        add_stack(p, p->s->sample[p->threads.sample[i]].node);
    json_array_end(&p->j);
    json_array(&p->j, "weights");
    for (size_t i = first; i < end; i++)
        json_u64(&p->j, NULL, write_threads_weight(p->s, &p->threads, i));
    json_array_end(&p->j);
    json_object_end(&p->j);
}

/* One even when there is no sample: speedscope takes no file without. */
static void add_profiles(struct speedscope *p)
{
    size_t heaviest = 0, written = 0;
    uint64_t max_weight = 0;
    json_array(&p->j, "profiles");
    for (size_t t = 0; t <= p->s->threads; t++) {
        if (!write_threads_has(p->s, &p->threads, t) && p->s->threads)
            continue;
        add_thread(p, t);
        if (thread_weight(p, t) > max_weight) {
            max_weight = thread_weight(p, t);
            heaviest = written;
        }
        written++;
    }
    json_array_end(&p->j);
    json_u64(&p->j, "activeProfileIndex", heaviest);
}

static void add_title(struct speedscope *p)
{
    SCOPED_BUF title = BUF_INIT;
    buf_printf(&title, "%s: %s", p->s->origin.applet, p->s->origin.method);
    end_name(p, &title);
    json_str(&p->j, "exporter", "psuite");
}

int write_speedscope(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    struct speedscope p = {.s = s, .j = {.out = out}};
    int r = stacks_by_thread(s, &p.threads);
    p.chain = malloc((s->nodes + 1) * sizeof *p.chain);
    if (r == 0 && p.chain) {
        json_object(&p.j, NULL);
        json_str(&p.j, "$schema", "https://www.speedscope.app/file-format-schema.json");
        add_title(&p);
        add_frames(&p);
        add_profiles(&p);
        json_end(&p.j);
        r = buf_error(out);
    } else {
        r = -ENOMEM;
    }
    free(p.chain);
    stacks_by_thread_release(&p.threads);
    return r;
}
