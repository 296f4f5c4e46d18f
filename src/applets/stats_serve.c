/* Samples of stats for browsers and Prometheus. */
#include "stats_request.h"

#include "core/text/counted.h"
#include "engine/stats/serve.h"
#include "plat/clock.h"

static struct {
    struct net_address page, metrics;
    struct stats_serve serve;
} own;

static int parse_address(const char *option, const char *text, struct net_address *at)
{
    struct fail f;
    if (net_address_read(text, 0, at, &f) < 0) {
        applet_misuse(&applet_stats, "%s: %s (tcp!HOST!PORT, HOST:PORT, :PORT, unix!PATH)", option,
                      f.what);
        return -1;
    }
    return 1;
}

int stats_serve_web(struct stats_request *q, const char *address)
{
    q->web = true;
    return parse_address("--web", address, &own.page);
}

int stats_serve_metrics(struct stats_request *q, const char *address)
{
    q->metrics = true;
    return parse_address("--openmetrics", address, &own.metrics);
}

/* --- beside the run --- */

static bool publish_sample(void *arg, const struct stats_sample *s, struct fail *f)
{
    (void)arg;
    (void)f;
    stats_serve_sample(&own.serve, s); /* without memory for it, it is missing there */
    return true;
}

static size_t fill_handles(void *arg, struct wait_on *on, size_t max)
{
    (void)arg;
    return max < STATS_SERVE_HANDLES ? 0 : stats_serve_watch(&own.serve, on, clock_mono_ns());
}

static void serve_clients(void *arg, const struct wait_on *on, size_t n)
{
    (void)arg;
    (void)n;
    stats_serve_serve(&own.serve, on, clock_mono_ns());
}

static int timeout_ms(void *arg)
{
    (void)arg;
    return stats_serve_timeout_ms(&own.serve, clock_mono_ns());
}

static void print_address(const char *label, const struct net_address *at, const char *path)
{
    char text[NET_TEXT_MAX + 1];
    net_address_text(at, text);
    applet_warn(&applet_stats, "%s at %s%s%s", label, at->kind == NET_TCP ? "http://" : "", text,
                at->kind == NET_TCP ? path : "");
    if (!net_address_is_local(at))
        applet_warn(&applet_stats, "%s: everyone who can connect can read; nothing is encrypted",
                    text);
}

int stats_serve_begin(struct stats_request *q)
{
    struct stats_serve_want want = {.page = q->web ? &own.page : NULL,
                                    .metrics = q->metrics ? &own.metrics : NULL,
                                    .profiles = q->pprof,
                                    .usage = q->usage,
                                    .scale = q->view.scale,
                                    .log = q->view.log,
                                    .fit = q->view.fit};
    struct fail f;
    if (stats_serve_open(&own.serve, &want, &f) < 0)
        return applet_fail(&applet_stats, &f);
    if (q->web)
        print_address("serving the page", &own.serve.page.listener.address, "/");
    if (q->pprof)
        print_address("serving profiles", &own.serve.page.listener.address, "/debug/pprof/profile");
    if (q->metrics)
        print_address("serving metrics", &own.serve.metrics.listener.address, "/metrics");
    q->sink[q->sinks++] = (struct stats_sink){.sample = publish_sample,
                                              .handles = fill_handles,
                                              .ready = serve_clients,
                                              .timeout_ms = timeout_ms};
    return DONE;
}

static void print_refused(const char *label, const struct http_server *s)
{
    if (s->refused)
        applet_warn(&applet_stats, "%s: %s refused: at most %d at a time, %d of them live", label,
                    counted(s->refused, "client").text, HTTP_MAX_CLIENTS, HTTP_MAX_STREAMS);
    if (s->lost)
        applet_warn(&applet_stats, "%s: %s lost by slow clients", label,
                    counted(s->lost, "sample").text);
}

void stats_serve_end(void)
{
    stats_serve_close(&own.serve);
    print_refused("--web", &own.serve.page);
    print_refused("--openmetrics", &own.serve.metrics);
}
