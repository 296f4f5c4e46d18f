/*
 * stats_serve: serves the samples of stats to browsers and to Prometheus, on the caller's one wait.
 *
 *     stats_serve_open(&s, &want, &f);
 *     for (;;) {
 *         n = stats_serve_watch(&s, on, clock_mono_ns());
 *         wait_ready(on, n, the sooner of stats_serve_timeout_ms(&s, clock_mono_ns()) and our
 * own); stats_serve_serve(&s, on, clock_mono_ns()); stats_serve_sample(&s, &sample); when there is
 * one
 *     }
 *
 * At the address of the page: / (core/stats/page.h), /events (the JSON lines of
 * core/stats/sample.h, from the newest STATS_SERVE_KEPT on) and /metrics, and if wanted
 * /debug/pprof/profile; at that of the metrics /metrics alone.
 */
#pragma once

#include "core/base/buf.h"
#include "core/stats/sample.h"
#include "engine/http/server.h"

enum {
    STATS_SERVE_HANDLES = 2 * HTTP_HANDLES,
    STATS_SERVE_KEPT = 300,           /* samples */
    STATS_SERVE_KEPT_BYTES = 1 << 20, /* of them together, if that is less */
};

struct stats_serve_want {
    const struct net_address *page;    /* NULL: no page */
    const struct net_address *metrics; /* NULL: at the page's address alone */
    bool profiles;                     /* the page's address has profiles */
    bool usage;                        /* metrics have processes and control groups */
    double scale;                      /* how the page starts */
    bool log, fit;
};

struct stats_serve {
    struct http_server page, metrics; /* listener.at: where they are */
    bool has_page, has_metrics;
    /* the rest is its own */
    struct http_site page_site, metrics_site;
    struct http_stream stream;
    struct buf html, line, text;
    struct web_profile *profile; /* NULL: none */
    struct web_usage *usage;     /* NULL: none */
};

/* 0, or which address is not to be had. Must not move in memory until the close. */
int stats_serve_open(struct stats_serve *s, const struct stats_serve_want *want, struct fail *f);
void stats_serve_close(struct stats_serve *s);

/* 0 or -ENOMEM: it was not kept. */
int stats_serve_sample(struct stats_serve *s, const struct stats_sample *sample);

/* As of engine/http/server.h, for both. on has STATS_SERVE_HANDLES. */
size_t stats_serve_watch(struct stats_serve *s, struct wait_on *on, uint64_t now_ns);
int stats_serve_timeout_ms(const struct stats_serve *s, uint64_t now_ns);
void stats_serve_serve(struct stats_serve *s, const struct wait_on *on, uint64_t now_ns);
