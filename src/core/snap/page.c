/* The page: markup, the data of each part in an element of its own, and the scripts. Scheduler and
 * samples are base64 (RFC 4648) of the bytes that timeline/html/data.js and page/samples.js read.
 */
#include "core/snap/page.h"

#include "core/export/flame_parts.h"
#include "core/snap/report.h"
#include "core/text/base64.h"
#include "core/text/page_shared.h"
#include "core/text/xml.h"
#include "core/timeline/page_data.h"
#include "page/embedded.h"
#include "samples_data.h"
#include "stats_json.h"

enum { LINE_BYTES = 96 };

static void add_title(const struct snap_contents *c, struct buf *out)
{
    struct buf host = BUF_INIT, command = BUF_INIT;
    snap_file_get(c->file, SNAP_HOST, &host);
    snap_file_get(c->file, SNAP_COMMAND, &command);
    buf_adds(out, "snap: ");
    xml_adds(out, command.len ? buf_str(&command) : buf_str(&host));
    buf_release(&host);
    buf_release(&command);
}

static void add_head(const struct snap_contents *c, struct buf *out)
{
    buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_title(c, out);
    buf_adds(out, "</title>\n<style>\n");
    page_add(out, &sched_page_css);
    page_add(out, &flame_css);
    page_add(out, &snap_css);
    buf_adds(out, "</style>\n</head>\n<body data-drag=\"select\">\n<header><h1>");
    add_title(c, out);
    buf_printf(out, "</h1>\n<p id=\"facts\"></p>\n%s</header>\n", sched_page_tools);
}

/* --- the data --- */

static void add_base64(const char *id, const struct buf *bytes, struct buf *out)
{
    buf_printf(out, "<script type=\"text/plain\" id=\"%s\">\n", id);
    for (size_t at = 0; at < bytes->len; at += LINE_BYTES) {
        size_t left = bytes->len - at;
        base64_line(out, bytes->data + at, left < LINE_BYTES ? left : LINE_BYTES);
    }
    buf_adds(out, "</script>\n");
}

static int add_about(const struct snap_contents *c, struct buf *out)
{
    struct buf text = BUF_INIT;
    struct json j;
    json_start(&j, &text, "snap");
    snap_report_json(c, &j);
    int r = snap_stats_json(c, &j);
    json_end(&j);
    r = r ? r : buf_error(&text);
    page_add_json(out, "about", &text);
    buf_release(&text);
    return r;
}

static int add_scheduler(const struct snap_contents *c, struct buf *out)
{
    struct buf bytes = BUF_INIT;
    struct sched_page_count count;
    struct sched_names names = {0};
    struct sched_spans none;
    sched_spans_init(&none, &(struct sched_limits){0}, c->begin_ns);
    none.last_ns = c->end_ns;
    struct sched_export empty = {.spans = &none, .names = &names, .title = ""};
    int r = sched_page_data(c->scheduler ? c->scheduler : &empty, &bytes, &count);
    if (r == 0)
        add_base64("data", &bytes, out);
    buf_release(&bytes);
    sched_names_release(&names);
    sched_spans_release(&none);
    return r;
}

static int add_samples(const struct snap_contents *c, struct buf *out)
{
    struct buf bytes = BUF_INIT;
    int r = c->samples ? snap_samples_data(c, &bytes) : 0;
    if (r == 0)
        add_base64("samples", &bytes, out);
    buf_release(&bytes);
    return r;
}

int snap_page(const struct snap_contents *c, struct buf *out)
{
    static const struct page_text *const scripts[] = {
        &page_shared_js, &sched_page_data_js, &sched_page_draw_js, &sched_page_js,
        &flame_js,       &snap_samples_js,    &snap_stats_js,      &snap_js};
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
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        page_add_script(out, scripts[i]);
    buf_adds(out, "</body>\n</html>\n");
    return r ? r : buf_error(out);
}
