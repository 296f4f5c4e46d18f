#include "core/stats/page.h"

#include "page/embedded.h"

#include "core/base/buf.h"
#include "core/stats/graph.h"
#include "core/text/json.h"
#include "core/text/page_shared.h"

/* The page's description of the graphs. No text of ours contains `</'. */
static void write_about(double scale, bool log, bool fit, struct buf *out)
{
    struct json j = {.out = out};
    json_object(&j, NULL);
    json_object(&j, "graphs");
    for (int i = 0; i < STATS_GRAPHS; i++) {
        const struct stats_graph_info *info = stats_graph_info((enum stats_graph)i);
        json_str(&j, info->name, info->summary);
    }
    json_object_end(&j);
    json_members(&j, "scale.6 log? fit?", scale, log, fit);
    json_object_end(&j);
}

void stats_page_write(double scale, bool log, bool fit, struct buf *out)
{
    static const struct page_text *const scripts[] = {&statspage_processes_js, &statspage_js, NULL};
    buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>stats</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n");
    page_add(out, &statspage_css);
    buf_adds(out, "</style>\n</head>\n<body>\n");
    page_add(out, &statspage_html);
    buf_adds(out, "<script type=\"application/json\" id=\"about\">");
    write_about(scale, log, fit, out);
    buf_adds(out, "</script>\n");
    page_end(out, scripts);
}
