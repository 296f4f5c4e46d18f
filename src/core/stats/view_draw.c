/* Draws the view: a title, headings, the graphs, a line of keys. */
#include "view_private.h"

#include "core/base/buf.h"
#include "core/text/text_fold.h"
#include "health.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TALL = 3,    /* lines of a graph that has a line for its name and value */
    NAME = 9,    /* columns of the names next to lower graphs, at least */
    VALUE = 8,   /* and of their values */
    LABELS = 7,  /* columns of the labels */
    NARROW = 16, /* a source has no fewer columns */
    DEAD = 2,    /* lines of a tall graph without a value */
    LATE_MS = 1500
};

static const struct style dim = {.fg = COLOUR_INDEX(245)}, faint = {.fg = COLOUR_INDEX(238)},
                          alarm = {.fg = COLOUR_INDEX(203), .attr = STYLE_BOLD},
                          good = {.fg = COLOUR_INDEX(76), .attr = STYLE_BOLD};

/* Where things are. */
struct layout {
    int first, lines;       /* of the graphs */
    int left, step;         /* of the first source; from one to the next */
    int width;              /* of a source's graphs */
    size_t graphs, sources; /* that fit */
    size_t dead;            /* of the graphs: without a value, last */
    bool tall;
    bool health;                       /* there is a line about it */
    int process_lines;                 /* below the graphs */
    unsigned char order[STATS_GRAPHS]; /* places in the choice */
};

/* Those without a value go last. */
static void order_graphs(const struct statsview *v, struct layout *l)
{
    size_t n = 0;
    bool dead[STATS_GRAPHS];
    for (size_t i = 0; i < v->choice.count; i++)
        if (!(dead[i] = statsview_is_dead(v, v->choice.graph[i])))
            l->order[n++] = (unsigned char)i;
    size_t alive = n;
    for (size_t i = 0; i < v->choice.count; i++)
        if (dead[i])
            l->order[n++] = (unsigned char)i;
    l->dead = l->graphs > alive ? l->graphs - alive : 0;
}

/* Columns of the names next to lower graphs. */
static int name_columns(const struct statsview *v)
{
    int most = NAME;
    for (size_t i = 0; i < v->choice.count; i++) {
        int len = (int)strlen(stats_graph_info(v->choice.graph[i])->name) + 1;
        most = len > most ? len : most;
    }
    return most;
}

static struct layout lay_out(const struct statsview *v, const struct canvas *c)
{
    struct layout l = {.first = v->sources > 1 ? 2 : 1, .health = stats_has_overview(&v->choice)};
    l.first += l.health;
    int lines = c->height - l.first - 1;
    lines = lines > 0 ? lines : 0;
    l.process_lines = statsview_process_lines(v, lines, v->choice.count);
    l.lines = lines - l.process_lines;
    l.graphs = v->choice.count < (size_t)l.lines ? v->choice.count : (size_t)l.lines;
    l.tall = l.graphs && l.lines / (int)l.graphs >= TALL;
    l.left = !l.tall ? name_columns(v) : v->labels ? LABELS : 0;
    int width = c->width - l.left, max_sources = (width + 1) / (NARROW + 1);
    l.sources = v->sources;
    if (l.sources > (size_t)(max_sources > 1 ? max_sources : 1))
        l.sources = (size_t)(max_sources > 1 ? max_sources : 1);
    l.step = l.sources ? (width + 1) / (int)l.sources : width + 1;
    l.width = l.step - 1;
    order_graphs(v, &l);
    return l;
}

/* The lines of the i-th graph; what does not come out even goes to the upper ones. One without a
 * value has as many as its reason needs. */
static int graph_line(const struct layout *l, size_t i)
{
    int n = (int)(l->graphs - l->dead), k = (int)i, dead = l->tall ? DEAD : 1;
    int lines = n ? l->lines - (int)l->dead * dead : l->lines;
    if (!n)
        n = (int)l->graphs;
    int each = lines / n, more = lines % n;
    if (k > n)
        return l->first + lines + (k - n) * dead;
    return l->first + k * each + (k < more ? k : more);
}

/* --- title --- */

static int draw_age(const struct statsview_source *s, double interval, struct canvas *c, int x,
                    int y)
{
    if ((double)s->age_ms > interval * 1000 + LATE_MS)
        x = canvas_printf(c, x, y, alarm, " %llu s ago%s%s", (unsigned long long)(s->age_ms / 1000),
                          s->why[0] ? ": " : "", s->why);
    return x;
}

/* The time of the right edge, the interval, and what is not as usual. */
static void format_state(const struct statsview *v, char *out, size_t size)
{
    uint64_t s = (v->time_ms - (uint64_t)((double)v->held * v->interval * 1000)) / 1000;
    char scale[32] = "", replay[64] = "";
    if (v->scale != 1)
        snprintf(scale, sizeof scale, "scale x%g  ", v->scale);
    if (v->replay)
        snprintf(replay, sizeof replay, "sample %zu of %zu, speed x%g  ", v->replay_index,
                 v->replay_count, v->speed);
    snprintf(out, size, "%s%s%s%severy %g s  %02u:%02u:%02u UTC ", replay, v->log ? "log  " : "",
             v->fit ? "fit  " : "", scale, v->interval, (unsigned)(s / 3600 % 24),
             (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

static void draw_title(const struct statsview *v, const struct layout *l, struct canvas *c)
{
    char text[160], heading[STATSVIEW_NAME];
    int x = canvas_put(c, 0, 0, bold, "stats ");
    if (v->sources == 1) {
        statsview_heading(v->source->name, v->source->cpus, 30, heading);
        x = canvas_put(c, x, 0, plain, heading);
        x = draw_age(v->source, v->interval, c, x, 0);
    } else if (l->sources < v->sources) {
        x = canvas_printf(c, x, 0, alarm, "%zu of %zu sources shown", l->sources, v->sources);
    }
    if (l->graphs < v->choice.count)
        x = canvas_printf(c, x, 0, alarm, "  %zu of %zu graphs shown", l->graphs, v->choice.count);
    if (v->paused)
        canvas_put(c, x + 2, 0, marked, " paused ");
    if (!v->samples)
        return;
    format_state(v, text, sizeof text);
    canvas_put(c, c->width - (int)strlen(text), 0, dim, text);
}

static void draw_headings(const struct statsview *v, const struct layout *l, struct canvas *c)
{
    char heading[STATSVIEW_NAME];
    for (size_t i = 0; v->sources > 1 && i < l->sources; i++) {
        int x = l->left + (int)i * l->step;
        canvas_clip(c, x, 1, l->width, 1);
        statsview_heading(v->source[i].name, v->source[i].cpus, l->width, heading);
        x = canvas_put(c, x, 1, bold, heading);
        draw_age(&v->source[i], v->interval, c, x, 1);
        canvas_unclip(c);
    }
}

static void draw_health(const struct statsview *v, const struct layout *l, struct canvas *c)
{
    struct stats_health h;
    for (size_t i = 0; l->health && i < l->sources; i++) {
        const struct statsview_source *s = &v->source[i];
        struct stats_value value[STATS_GRAPHS];
        SCOPED_BUF text = BUF_INIT;
        for (size_t k = 0; k < v->choice.count; k++)
            value[k] = statsview_now(v, s, v->choice.graph[k], l->width);
        stats_health(value, v->choice.count, s->cpus, &h);
        stats_health_line(&h, &text);
        stats_health_busiest(&h, i || v->held ? NULL : v->top, &text);
        int x = v->sources > 1 ? l->left + (int)i * l->step : 0;
        canvas_clip(c, x, l->first - 1, v->sources > 1 ? l->width : c->width, 1);
        canvas_put(c, x, l->first - 1, h.count ? alarm : h.known ? good : dim, buf_str(&text));
        canvas_unclip(c);
    }
}

/* --- graphs --- */

/* A value next to its graph. */
static void draw_value(const struct stats_value *now, struct canvas *c, int end, int y, bool over)
{
    char text[STATS_TEXT];
    stats_value_text(now, text);
    canvas_put(c, end - (int)strlen(text), y, over ? alarm : bold, text);
}

/* Off the scale: over the top, and with a log axis over ten times that. */
static bool is_over(const struct statsview *v, const struct stats_value *now)
{
    return !now->why && stats_height(now->value, now->full, v->scale, v->log) > 1;
}

static void draw_grid(const struct statsview *v, const struct stats_value *now, uint32_t cpus,
                      struct canvas *c, struct canvas_rect body)
{
    struct statsview_label label[3];
    size_t n = statsview_labels(now, cpus, v->scale, v->log, label);
    for (size_t i = 0; i < n; i++) {
        int row = (int)(label[i].height * body.height);
        canvas_fill(c, body.x, body.y + body.height - 1 - row, body.width, 1, faint, 0x2508);
    }
}

/* Values of the lines, for the rightmost source, in the margin, in the unit of the graph's value.
 */
static void draw_labels(const struct statsview *v, const struct layout *l, size_t place,
                        struct canvas *c, struct canvas_rect body)
{
    const struct statsview_source *s = &v->source[l->sources - 1];
    struct stats_value newest = statsview_now(v, s, v->choice.graph[place], l->width);
    struct statsview_label label[3];
    char text[STATS_TEXT];
    int last = body.y + body.height;
    size_t n = statsview_labels(&newest, s->cpus, v->scale, v->log, label);
    for (size_t i = 0; i < n; i++) {
        int y = body.y + body.height - 1 - (int)(label[i].height * body.height);
        if (y >= last)
            continue;
        last = y;
        stats_number_text(stats_natural(&newest, v->interval, label[i].value), text);
        canvas_put(c, LABELS - 1 - (int)strlen(text), y, dim, text);
    }
}

/* Centred and folded; what does not fit is cut after a word. */
static void draw_reason(const char *why, struct canvas *c, struct canvas_rect body)
{
    char cut[STATSVIEW_WHY];
    SCOPED_BUF text = BUF_INIT;
    size_t width = body.width > 2 ? (size_t)body.width - 2 : 1, cells = width * (size_t)body.height;
    text_cut(cut, cells < sizeof cut ? cells + 1 : sizeof cut, why, strlen(why));
    text_fold(&text, cut, width, 0);
    int lines = 1;
    for (const char *s = buf_str(&text); (s = strchr(s, '\n')); s++)
        lines++;
    int y = body.y + (lines < body.height ? (body.height - lines) / 2 : 0);
    const char *line = buf_str(&text);
    for (size_t len; *line; line += len + (line[len] == '\n')) {
        len = strcspn(line, "\n");
        canvas_printf(c, body.x + 1, y++, dim, "%.*s", (int)len, line);
    }
}

static void draw_graph(const struct statsview *v, const struct statsview_source *s, size_t place,
                       struct canvas *c, struct canvas_rect body, bool tall)
{
    enum stats_graph graph = v->choice.graph[place];
    struct stats_value now = statsview_now(v, s, graph, body.width);
    bool over = is_over(v, &now);
    char text[STATS_TEXT];
    if (tall && v->labels)
        draw_grid(v, &now, s->cpus, c, body);
    statsview_curve(v, s, graph, place, c, body);
    canvas_clip(c, body.x, body.y, body.width, body.height);
    if (now.why)
        draw_reason(now.why, c, body);
    stats_value_text(&now, text);
    if (over && tall)
        canvas_printf(c, body.x, body.y, alarm, "%s ", text);
    canvas_unclip(c);
}

/* What it is of each CPU, disk or interface, on the line of the name; nothing while paused, as only
 * the newest are known. */
static void draw_parts(const struct stats_value *now, struct canvas *c, int x, int end, int y)
{
    SCOPED_BUF text = BUF_INIT;
    if (now->parts && end - x > NARROW)
        stats_parts_text(now, (size_t)(end - x), &text);
    if (text.len)
        canvas_printf(c, x - 1, y, dim, " %s ", buf_str(&text));
}

/* A line with the name and value, and the curve below. */
static void draw_tall(const struct statsview *v, const struct layout *l, size_t place,
                      size_t source, struct canvas *c, int y, int lines)
{
    const struct statsview_source *s = &v->source[source];
    struct stats_value now = statsview_now(v, s, v->choice.graph[place], l->width);
    int x = l->left + (int)source * l->step;
    struct canvas_rect body = {x, y + 1, l->width, lines - 1};
    int left = source ? x : 0;
    canvas_hline(c, left, y, x + l->width - left, faint);
    if (source == 0)
        canvas_printf(c, left, y, statsview_hue(place), "%s ",
                      stats_graph_info(v->choice.graph[place])->name);
    char text[STATS_TEXT];
    stats_value_text(&now, text);
    draw_parts(&now, c, x + NAME + 2, x + l->width - (int)strlen(text) - 3, y);
    canvas_fill(c, x + l->width - (int)strlen(text) - 1, y, 1, 1, plain, ' ');
    draw_value(&now, c, x + l->width, y, is_over(v, &now));
    draw_graph(v, s, place, c, body, true);
}

/* The name and value next to the curve. */
static void draw_low(const struct statsview *v, const struct layout *l, size_t place, size_t source,
                     struct canvas *c, int y, int lines)
{
    const struct statsview_source *s = &v->source[source];
    struct stats_value now = statsview_now(v, s, v->choice.graph[place], l->width - VALUE - 1);
    int x = l->left + (int)source * l->step;
    if (source == 0)
        canvas_put(c, 0, y, statsview_hue(place), stats_graph_info(v->choice.graph[place])->name);
    draw_value(&now, c, x + VALUE, y, is_over(v, &now));
    struct canvas_rect body = {x + VALUE + 1, y, l->width - VALUE - 1, lines};
    draw_graph(v, s, place, c, body, false);
}

static void draw_graphs(const struct statsview *v, const struct layout *l, struct canvas *c)
{
    for (size_t k = 0; k < l->graphs; k++) {
        int y = graph_line(l, k), lines = graph_line(l, k + 1) - y;
        size_t place = l->order[k];
        for (size_t i = 0; i < l->sources; i++)
            if (l->tall)
                draw_tall(v, l, place, i, c, y, lines);
            else
                draw_low(v, l, place, i, c, y, lines);
        if (l->tall && v->labels && l->sources && k < l->graphs - l->dead)
            draw_labels(v, l, place, c,
                        (struct canvas_rect){LABELS, y + 1, c->width - LABELS, lines - 1});
    }
}

static void draw_keys(const struct statsview *v, struct canvas *c)
{
    const char *live =
        "q quit  h help  m graphs  o overview  space pause  + - a scale  g log  y labels";
    const char *replay =
        "q quit h help m graphs space stop arrows seek < > speed + - scale g log y labels";
    const char *keys = v->replay ? replay : live;
    canvas_put(c, 0, c->height - 1, dim, v->answer.text[0] ? v->answer.text : keys);
}

void statsview_draw(const struct statsview *v, struct canvas *c)
{
    struct layout l = lay_out(v, c);
    canvas_clear(c);
    draw_title(v, &l, c);
    draw_headings(v, &l, c);
    if (v->samples)
        draw_health(v, &l, c);
    if (v->samples)
        draw_graphs(v, &l, c);
    else
        canvas_put(c, 2, 2, dim, "waiting for the first sample");
    if (v->samples)
        statsview_draw_processes(v, c, l.first + l.lines, l.process_lines);
    draw_keys(v, c);
    if (v->menu)
        statsview_draw_menu(v, c);
    if (v->help)
        statsview_draw_help(v, c);
}
