/* A timeline as a page of HTML: its markup, and around the data what draws it. */
#include "core/text/counted.h"
#include "core/text/page_shared.h"
#include "core/text/xml.h"
#include "core/timeline/page_data.h"
#include "export_common.h"

#include <inttypes.h>

enum { TOGETHER = 512 * PAGE_LINE_BYTES };

static int add_data(const struct sched_export *w, const struct buf *bytes)
{
    int r = 0;
    for (size_t at = 0, n; at < bytes->len && r == 0; at += n) {
        n = bytes->len - at < TOGETHER ? bytes->len - at : TOGETHER;
        page_add_base64(w->out, bytes->data + at, n);
        r = sched_export_flush(w, false);
    }
    return r;
}

static void add_facts(const struct sched_export *w, const struct sched_page_count *count)
{
    struct sched_window in = sched_window(w);
    uint64_t lost = sched_lost(w->spans);
    buf_printf(w->out, "<p>%s", counted(count->tasks, "task").text);
    if (sched_cpus_seen(w->spans))
        buf_printf(w->out, " on %s", counted(sched_cpus_seen(w->spans), "CPU").text);
    buf_printf(w->out, ", %s in ", counted(count->runs, "run").text);
    sched_time_text(w->out, (int64_t)(in.to_ns - in.from_ns));
    sched_add_dropped(w->spans, w->out);
    if (lost)
        buf_printf(w->out, "; <span class=\"lost\">%s lost</span>", counted(lost, "event").text);
    buf_adds(w->out, "</p>\n");
}

const char sched_page_tools[] =
    "<div class=\"tools\"><input type=\"search\" id=\"search\" placeholder=\"Search\" "
    "aria-label=\"Search tasks and marks\">\n"
    "<span id=\"matched\" role=\"status\"></span>\n"
    "<label><input type=\"checkbox\" id=\"only\"> only these</label></div>\n"
    "<div class=\"tools\"><button id=\"rows\">By CPU</button>\n"
    "<button id=\"out\" aria-label=\"Zoom out\">&minus;</button>\n"
    "<button id=\"in\" aria-label=\"Zoom in\">+</button>\n"
    "<button id=\"all\">All</button>\n"
    "<button id=\"keys\">Keys</button></div>";

const char sched_page_picture[] =
    "<canvas id=\"overview\" aria-hidden=\"true\"></canvas>\n"
    "<canvas id=\"picture\" tabindex=\"0\" role=\"img\" aria-label=\"Timeline: arrow keys move, "
    "plus and minus zoom, ? shows all keys\"></canvas>\n"
    "<p id=\"said\" role=\"status\"></p>\n"
    "<div id=\"help\" hidden></div>\n"
    "<noscript><p>The timeline needs JavaScript, which is disabled in this "
    "browser.</p></noscript>\n";

/* --- delays: rows that lead to their places --- */

static bool in_window(const struct sched_window *in, const struct sched_hit *hit)
{
    return hit->time_ns >= in->from_ns && hit->time_ns <= in->to_ns;
}

/* Times of the page count from its first. */
static void add_place(struct buf *out, const struct sched_window *in, const struct sched_hit *hit)
{
    buf_printf(out, " data-pid=\"%" PRId32 "\" data-at=\"%" PRIu64 "\" data-took=\"%" PRIu64 "\"",
               hit->pid, hit->time_ns - in->from_ns, hit->took_ns);
}

static void add_time_cell(struct buf *out, uint64_t ns)
{
    buf_adds(out, "<td>");
    sched_time_text(out, (int64_t)ns);
    buf_adds(out, "</td>");
}

static void add_delay(const struct sched_export *w, const struct sched_window *in,
                      const struct sched_delay *d)
{
    struct buf *out = w->out;
    SCOPED_BUF meanwhile = BUF_INIT;
    buf_adds(out, "<tr tabindex=\"0\"");
    add_place(out, in, &d->hit);
    buf_addc(out, '>');
    add_time_cell(out, d->hit.time_ns - in->from_ns);
    add_time_cell(out, d->hit.took_ns);
    buf_printf(out, "<td>%s</td><td>", sched_delay_kind(d));
    if (d->hit.cpu >= 0)
        buf_printf(out, "%d", d->hit.cpu);
    buf_printf(out, "</td><td>%" PRId32 " ", d->hit.pid);
    xml_adds(out, d->name);
    buf_adds(out, "</td><td>");
    sched_delay_meanwhile(w->delays, d, &meanwhile);
    xml_adds(out, buf_str(&meanwhile));
    buf_adds(out, "</td></tr>\n");
}

static void add_delays(const struct sched_export *w)
{
    struct sched_window in = sched_window(w);
    if (!w->delays)
        return;
    buf_adds(w->out, "<div id=\"delays\" tabindex=\"0\"><table><thead><tr><th>at</th><th>late</th>"
                     "<th>what</th><th>CPU</th><th>task</th><th>who ran meanwhile</th></tr></thead>"
                     "<tbody>\n");
    for (size_t i = 0; i < w->delays->kept; i++)
        if (in_window(&in, &w->delays->delay[i].hit))
            add_delay(w, &in, &w->delays->delay[i]);
    buf_adds(w->out, "</tbody></table></div>\n");
}

static void begin_data(const struct sched_export *w)
{
    struct sched_window in = sched_window(w);
    const struct sched_hit *hit = w->hit;
    buf_adds(w->out, "<script type=\"text/plain\" id=\"data\"");
    if (hit && in_window(&in, hit))
        add_place(w->out, &in, hit);
    buf_adds(w->out, ">\n");
}

int sched_page(const struct sched_export *w)
{
    static const struct page_text *const styles[] = {&sched_page_css, NULL};
    static const struct page_text *const scripts[] = {&sched_page_data_js, &sched_page_draw_js,
                                                      &sched_page_js, NULL};
    SCOPED_BUF bytes = BUF_INIT;
    struct sched_page_count count;
    int r = sched_page_data(w, &bytes, &count);
    if (r == 0) {
        page_begin(w->out, "trace: ", w->title, styles);
        add_facts(w, &count);
        buf_adds(w->out, sched_page_tools);
        buf_adds(w->out, "</header>\n");
        add_delays(w);
        buf_adds(w->out, sched_page_picture);
        begin_data(w);
        r = add_data(w, &bytes);
    }
    buf_adds(w->out, "</script>\n");
    page_end(w->out, scripts);
    return r ? r : sched_export_flush(w, true);
}
