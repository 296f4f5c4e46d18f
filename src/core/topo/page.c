/* The page: its markup, the functions and relations as JSON, and what draws them. */
#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/page_shared.h"
#include "core/topo/write.h"
#include "drawing.h"
#include "page/embedded.h"

#include <inttypes.h>

/* Of more functions, the page has those with most total time. */
enum { PAGE_FUNCTIONS = 5000 };

/* --- the collection that is compared with --- */

/* Found by name. */
struct earlier {
    const struct topo *topo;
    struct intern names; /* strings in the order of the functions */
};

static int list_names(const struct topo *t, struct earlier *out)
{
    *out = (struct earlier){.topo = t};
    for (size_t i = 0; t && i < t->functions; i++)
        intern_string(&out->names, t->function[i].name);
    return out->names.err;
}

static const struct topo_function *find_earlier(struct earlier *e, const char *name)
{
    if (!e->topo)
        return NULL;
    uint32_t i = intern_string(&e->names, name);
    return i < e->topo->functions ? &e->topo->function[i] : NULL;
}

/* --- data --- */

static void add_earlier(struct json *j, struct earlier *e, const char *name)
{
    const struct topo_function *f = find_earlier(e, name);
    if (!f)
        return;
    json_array(j, NULL);
    json_values(j, f->total, f->local, f->calls);
    json_array_end(j);
}

static void add_function(struct json *j, const struct drawing *d, size_t node, struct earlier *e)
{
    const struct topo_function *f = &d->topo->function[d->function[node]];
    uint32_t parent = d->parent[d->function[node]];
    json_array(j, NULL);
    json_values(j, f->name, f->total, f->local, f->calls, f->shortest, f->longest,
                parent == TOPO_NONE ? -1 : (int64_t)d->node[parent], d->place[node].number);
    add_earlier(j, e, f->name);
    json_array_end(j);
}

static void add_relations(struct json *j, const struct drawing *d)
{
    json_array(j, "relations");
    for (size_t i = 0; i < d->topo->relations; i++) {
        const struct topo_relation *r = &d->topo->relation[i];
        if (d->node[r->caller] == TOPO_NONE || d->node[r->callee] == TOPO_NONE)
            continue;
        json_array(j, NULL);
        json_values(j, d->node[r->caller], d->node[r->callee], r->calls, r->total);
        json_array_end(j);
    }
    json_array_end(j);
}

static void add_values(struct json *j, const struct drawing *d, struct earlier *e)
{
    json_members(j, "unit compared?", d->topo->unit, e->topo != NULL);
    json_array(j, "functions");
    for (size_t i = 0; i < d->nodes; i++)
        add_function(j, d, i, e);
    json_array_end(j);
    add_relations(j, d);
}

static void add_data(const struct drawing *d, struct earlier *e, struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    struct json j;
    json_start(&j, &text, "topo");
    add_values(&j, d, e);
    json_end(&j);
    page_add_json(out, "data", &text);
}

/* --- markup --- */

static void add_facts(const struct drawing *d, struct buf *out)
{
    const struct topo *t = d->topo;
    buf_printf(out, "<p>%s", counted(t->functions, "function").text);
    if (d->nodes < t->functions)
        buf_printf(out, " (here %zu)", d->nodes);
    if (t->runs)
        buf_printf(out, ", %s", counted(t->runs, "run").text);
    topo_dropped_text(t, "; ", "", out);
    buf_adds(out, "</p>\n");
}

static const char tools[] =
    "<div class=\"tools\"><input type=\"search\" id=\"search\" placeholder=\"Search\" "
    "aria-label=\"Search functions\"><span id=\"matched\" role=\"status\"></span></div>\n"
    "<div class=\"tools\"><label>Show <input type=\"range\" id=\"limit\" min=\"0\" step=\"1\" "
    "aria-label=\"Number of functions\"></label><span id=\"limited\"></span></div>\n"
    "<div class=\"tools\"><label><input type=\"checkbox\" id=\"all\"> all relations</label>\n";

static const char buttons[] =
    "</div>\n<div class=\"tools\"><button id=\"out\" aria-label=\"Zoom out\">&minus;</button>\n"
    "<button id=\"in\" aria-label=\"Zoom in\">+</button>\n<button id=\"fit\">All</button>\n"
    "<button id=\"whole\" hidden>Whole graph</button>\n"
    "<button id=\"reset\" hidden>Reset places</button>\n<button id=\"keys\">Keys</button></div>"
    "</header>\n<main><svg id=\"drawing\" tabindex=\"0\" role=\"application\" "
    "aria-label=\"Call graph: arrow keys select functions, plus and minus zoom, ? shows all "
    "keys\" aria-describedby=\"said\"></svg>\n"
    "<aside id=\"details\" aria-label=\"Details\" hidden></aside></main>\n"
    "<p id=\"said\" role=\"status\" style=\"position:absolute;left:-9999px\"></p>\n"
    "<div id=\"help\" hidden></div>\n"
    "<noscript><p>The call graph needs JavaScript, which is disabled in this "
    "browser.</p></noscript>\n";

static void add_page(const struct drawing *d, const struct topo_options *o, struct earlier *e,
                     struct buf *out)
{
    static const struct page_text *const styles[] = {&topopage_css, NULL};
    static const struct page_text *const scripts[] = {&topopage_js, NULL};
    page_begin(out, "", o->title, styles);
    add_facts(d, out);
    buf_adds(out, tools);
    if (e->topo)
        buf_adds(out, "<label><input type=\"checkbox\" id=\"change\"> colour by change</label>\n");
    buf_adds(out, buttons);
    add_data(d, e, out);
    page_end(out, scripts);
}

int topo_write_page(const struct topo *t, const struct topo_options *o, struct buf *out)
{
    struct topo_options whole = {.limit = PAGE_FUNCTIONS, .all = true};
    SCOPED(drawing_release) struct drawing d;
    struct earlier e = {0};
    int r = drawing_make(&d, t, &whole);
    if (r == 0)
        r = list_names(o->before, &e);
    if (r == 0)
        add_page(&d, o, &e, out);
    intern_release(&e.names);
    return r ? r : buf_error(out);
}
