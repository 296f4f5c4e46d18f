/* The page: markup, the data of each part in an element of its own, and the scripts. Scheduler and
 * samples are base64 (RFC 4648) of the bytes that timeline/html/data.js and page/samples.js read.
 */
#include "core/snap/page.h"

#include "core/export/flame_parts.h"
#include "core/snap/report.h"
#include "core/text/page_shared.h"
#include "core/timeline/page_data.h"
#include "page/embedded.h"
#include "samples_data.h"
#include "stats_json.h"

static void add_head(const struct snap_contents *c, struct buf *out)
{
    static const struct page_text *const styles[] = {&sched_page_css, &flame_css, &snap_css, NULL};
    SCOPED_BUF host = BUF_INIT, command = BUF_INIT;
    snap_file_get(c->file, SNAP_HOST, &host);
    snap_file_get(c->file, SNAP_COMMAND, &command);
    page_begin(out, "snap: ", command.len ? buf_str(&command) : buf_str(&host), styles);
    buf_printf(out, "<p id=\"facts\"></p>\n%s</header>\n", sched_page_tools);
}

/* --- the data --- */

static void add_base64(const char *id, const struct buf *bytes, struct buf *out)
{
    buf_printf(out, "<script type=\"text/plain\" id=\"%s\">\n", id);
    page_add_base64(out, bytes->data, bytes->len);
    buf_adds(out, "</script>\n");
}

static int add_about(const struct snap_contents *c, struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    struct json j;
    json_start(&j, &text, "snap");
    snap_report_json(c, &j);
    int r = snap_stats_json(c, &j);
    json_end(&j);
    r = r ? r : buf_error(&text);
    page_add_json(out, "about", &text);
    return r;
}

static int add_scheduler(const struct snap_contents *c, struct buf *out)
{
    SCOPED_BUF bytes = BUF_INIT;
    struct sched_page_count count;
    struct sched_names names = {0};
    SCOPED(sched_spans_release) struct sched_spans none;
    sched_spans_init(&none, &(struct sched_limits){0}, c->begin_ns);
    none.last_ns = c->end_ns;
    struct sched_export empty = {.spans = &none, .names = &names, .title = ""};
    int r = sched_page_data(c->scheduler ? c->scheduler : &empty, &bytes, &count);
    if (r == 0)
        add_base64("data", &bytes, out);
    sched_names_release(&names);
    return r;
}

static int add_samples(const struct snap_contents *c, struct buf *out)
{
    SCOPED_BUF bytes = BUF_INIT;
    int r = c->samples ? snap_samples_data(c, &bytes) : 0;
    if (r == 0)
        add_base64("samples", &bytes, out);
    return r;
}

int snap_page(const struct snap_contents *c, struct buf *out)
{
    static const struct page_text *const scripts[] = {
        &sched_page_data_js, &sched_page_draw_js, &sched_page_js, &flame_js,
        &snap_samples_js,    &snap_stats_js,      &snap_js,       NULL};
    add_head(c, out);
    buf_printf(out, "<canvas id=\"stats\" role=\"img\" aria-label=\"Statistics\"></canvas>\n%s",
               sched_page_picture);
    page_add(out, &snap_html);
    int r = add_scheduler(c, out);
    if (r == 0)
        r = add_samples(c, out);
    if (r == 0)
        r = add_about(c, out);
    page_add_json(out, "doctor", &c->file->stream[SNAP_DOCTOR]);
    page_end(out, scripts);
    return r ? r : buf_error(out);
}
