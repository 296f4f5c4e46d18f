#include "applets/topo_collect.h"

#include "applets/progress.h"
#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/topo/write.h"
#include "engine/trace/call_graph.h"
#include "plat/file.h"

#include <inttypes.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* A name without folders has one in its real path, if there is such a file. */
static bool is_file(const char *name)
{
    SCOPED_BUF path = BUF_INIT;
    file_realpath(name, &path);
    return strchr(buf_str(&path), '/');
}

bool topo_is_function(const struct topo_collect_request *q, const char *operand)
{
    if (q->runs || q->module || q->probes)
        return true;
    return *operand && !operand[strspn(operand, LETTERS)] && !is_file(operand);
}

struct session {
    const struct topo_collect_request *q;
    uint64_t wanted;
    struct progress progress;
};

static void draw_progress(void *arg, uint64_t runs)
{
    struct session *s = arg;
    if (progress_due(&s->progress))
        progress_draw(&s->progress, "%" PRIu64 " of %" PRIu64 " runs", runs, s->wanted);
}

static void warn_probes(const char *function, const struct call_graph *g)
{
    applet_warn(&applet_topo, "%s: by kprobes of %s: calls by pointers are not seen", function,
                counted(g->probes, "function").text);
    if (g->left_out)
        applet_warn(&applet_topo, "%s: %s below these not probed", function,
                    counted(g->left_out, "function").text);
    if (g->missed)
        applet_warn(&applet_topo, "%s: %s missed by the kernel: probes within probes", function,
                    counted(g->missed, "hit").text);
}

static void warn_incomplete(const struct session *s, const char *function,
                            const struct call_graph *g, const struct topo *t)
{
    if (g->probes)
        warn_probes(function, g);
    if (g->losses)
        applet_warn(&applet_topo, "%s: %s lost at %s: runs with them are dropped", function,
                    g->lost ? counted(g->lost, "event").text : "events",
                    counted(g->losses, "place").text);
    if (g->damaged)
        applet_warn(&applet_topo, "%s: %s could not be decoded", function,
                    counted(g->damaged, "page").text);
    if (t->runs < s->wanted)
        applet_warn(&applet_topo, "%s: %" PRIu64 " of %" PRIu64 " runs are complete", function,
                    t->runs, s->wanted);
}

int topo_collect(const struct topo_collect_request *q, const char *function, struct topo *t,
                 struct buf *events)
{
    struct fail f;
    struct call_graph graph;
    struct session s = {.q = q, .wanted = q->runs ? q->runs : 1};
    const struct call_graph_want want = {.function = function,
                                         .module = q->module,
                                         .runs = s.wanted,
                                         .probes = q->probes,
                                         .seconds = q->seconds,
                                         .events = events,
                                         .round = draw_progress,
                                         .arg = &s};
    progress_start(&s.progress, true);
    progress_begin(&s.progress, "collecting calls of %s", function);
    int r = call_graph_collect(&want, t, &graph, &f);
    progress_wipe(&s.progress);
    if (r < 0)
        return applet_fail(&applet_topo, &f);
    if (events)
        topo_dropped_text(t, TOPO_DROPPED_MARK, "\n", events);
    warn_incomplete(&s, function, &graph, t);
    return t->runs ? DONE : FAILED;
}
