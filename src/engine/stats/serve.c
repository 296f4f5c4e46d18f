#include "engine/stats/serve.h"

#include "core/stats/page.h"
#include "core/stats/prometheus.h"
#include "plat/clock.h"
#include "web_profile.h"
#include "web_usage.h"

#include <errno.h>
#include <string.h>

/* --- answers --- */

static const char end_of_metrics[] = "# EOF\n";

/* OpenMetrics, or Prometheus' older format for clients that do not accept it. */
static void answer_metrics(const struct stats_serve *s, const struct http_request *r,
                           struct http_response *out, struct buf *body)
{
    SCOPED_BUF whole = BUF_INIT;
    bool open = http_text_has(r->accept, "openmetrics-text");
    struct buf *text = open ? body : &whole;
    buf_add(text, s->text.data, s->text.len - strlen(end_of_metrics));
    if (s->usage)
        web_usage_add(s->usage, clock_mono_ns(), text);
    buf_adds(text, end_of_metrics);
    if (!open)
        stats_prometheus_text(buf_str(&whole), whole.len, body);
    if (buf_error(&whole))
        body->err = buf_error(&whole);
    *out = (struct http_response){
        .status = 200,
        .type = open ? STATS_OPENMETRICS_TYPE : STATS_PROMETHEUS_TYPE,
        .body = buf_str(body),
        .len = body->len,
    };
}

static void answer_alone(void *state, const struct http_request *r, struct http_response *out,
                         struct buf *body)
{
    if (http_text_is(r->path, "/metrics"))
        answer_metrics(state, r, out, body);
}

static void answer_page(void *state, const struct http_request *r, struct http_response *out,
                        struct buf *body)
{
    const struct stats_serve *s = state;
    if (http_text_is(r->path, "/"))
        *out = (struct http_response){.status = 200,
                                      .type = "text/html; charset=utf-8",
                                      .body = buf_str(&s->html),
                                      .len = s->html.len,
                                      .page = true};
    else if (http_text_is(r->path, "/events"))
        *out = (struct http_response){.status = 200, .type = "text/event-stream", .streams = true};
    else if (s->profile && http_text_is(r->path, "/debug/pprof/profile"))
        web_profile_answer(s->profile, r, out, body);
    else
        answer_alone(state, r, out, body);
}

/* --- its life --- */

static int open_page(struct stats_serve *s, const struct stats_serve_want *want, struct fail *f)
{
    s->page_site = (struct http_site){answer_page, s, &s->stream};
    if (want->profiles && !(s->profile = web_profile_new()))
        return fail_set(f, ENOMEM, "profiles");
    stats_page_write(want->scale, want->log, want->fit, &s->html);
    if (buf_error(&s->html) ||
        http_stream_init(&s->stream, STATS_SERVE_KEPT, STATS_SERVE_KEPT_BYTES) < 0)
        return fail_set(f, ENOMEM, "the page");
    int r = http_server_open(&s->page, want->page, &s->page_site, f);
    s->has_page = r == 0;
    return r;
}

static int open_metrics(struct stats_serve *s, const struct net_address *at, struct fail *f)
{
    s->metrics_site = (struct http_site){answer_alone, s, NULL};
    int r = http_server_open(&s->metrics, at, &s->metrics_site, f);
    s->has_metrics = r == 0;
    return r;
}

int stats_serve_open(struct stats_serve *s, const struct stats_serve_want *want, struct fail *f)
{
    *s = (struct stats_serve){.has_page = false};
    buf_adds(&s->text, end_of_metrics);
    if (want->usage && !(s->usage = web_usage_new()))
        return fail_set(f, ENOMEM, "metrics");
    int r = want->page ? open_page(s, want, f) : 0;
    if (r == 0 && want->metrics)
        r = open_metrics(s, want->metrics, f);
    if (r < 0)
        stats_serve_close(s);
    return r;
}

void stats_serve_close(struct stats_serve *s)
{
    if (s->has_page)
        http_server_close(&s->page);
    if (s->has_metrics)
        http_server_close(&s->metrics);
    if (s->stream.feed.text)
        http_stream_release(&s->stream);
    web_profile_free(s->profile);
    web_usage_free(s->usage);
    s->profile = NULL;
    s->usage = NULL;
    s->has_page = s->has_metrics = false;
    buf_release(&s->html);
    buf_release(&s->line);
    buf_release(&s->text);
}

/* --- samples --- */

static int add_event(struct stats_serve *s, const struct stats_sample *sample)
{
    buf_clear(&s->line);
    stats_sample_json(sample, &s->line);
    if (buf_error(&s->line))
        return -ENOMEM;
    size_t len = s->line.len;
    while (len && s->line.data[len - 1] == '\n')
        len--;
    return http_stream_add(&s->stream, s->line.data, len);
}

int stats_serve_sample(struct stats_serve *s, const struct stats_sample *sample)
{
    if (!s->has_page && !s->has_metrics)
        return 0;
    buf_clear(&s->text);
    stats_sample_openmetrics(sample, &s->text);
    if (buf_error(&s->text))
        return -ENOMEM;
    return s->has_page ? add_event(s, sample) : 0;
}

/* --- the wait --- */

static size_t watch_server(struct http_server *h, bool has, struct wait_on *on, uint64_t now_ns)
{
    if (has)
        return http_server_watch(h, on, now_ns);
    for (size_t i = 0; i < HTTP_HANDLES; i++)
        on[i] = (struct wait_on){.handle = -1};
    return HTTP_HANDLES;
}

size_t stats_serve_watch(struct stats_serve *s, struct wait_on *on, uint64_t now_ns)
{
    size_t n = watch_server(&s->page, s->has_page, on, now_ns);
    return n + watch_server(&s->metrics, s->has_metrics, on + n, now_ns);
}

int stats_serve_timeout_ms(const struct stats_serve *s, uint64_t now_ns)
{
    int page = s->has_page ? http_server_timeout_ms(&s->page, now_ns) : -1;
    int metrics = s->has_metrics ? http_server_timeout_ms(&s->metrics, now_ns) : -1;
    int profile = s->profile ? web_profile_timeout_ms(s->profile, now_ns) : -1;
    return wait_min_ms(profile, wait_min_ms(page, metrics));
}

void stats_serve_serve(struct stats_serve *s, const struct wait_on *on, uint64_t now_ns)
{
    if (s->profile)
        web_profile_tend(s->profile, now_ns);
    if (s->has_page)
        http_server_serve(&s->page, on, now_ns);
    if (s->profile)
        web_profile_forget(s->profile);
    if (s->has_metrics)
        http_server_serve(&s->metrics, on + HTTP_HANDLES, now_ns);
}
