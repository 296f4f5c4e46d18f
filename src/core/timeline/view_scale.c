/* Scales, and where times are on the canvas. */
#include "view_private.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/tui/styles.h"

const struct timeline_scale timeline_scales[TIMELINE_SCALES] = {
    {"500us", 500, 100, 50, 0},
    {"1ms", 1000, 500, 100, 0},
    {"2ms", 2000, 1000, 200, 0},
    {"5ms", 5000, 1000, 500, 0},
    {"10ms", 10000, 5000, 1000, 20},
    {"20ms", 20000, 10000, 2000, 20},
    {"50ms", 50000, 10000, 5000, 20},
    {"100ms", 100000, 50000, 10000, 20},
    {"200ms", 200000, 100000, 20000, 20},
    {"500ms", 500000, 100000, 50000, 50},
    {"1s", 1000000, 500000, 100000, 100},
    {"2s", 2000000, 1000000, 200000, 100},
    {"5s", 5000000, 1000000, 500000, 100},
    {"10s", 10000000, 50000000, 1000000, 100},
    {"20s", 20000000, 10000000, 2000000, 100},
    {"50s", 50000000, 10000000, 5000000, 100},
    {"100s", 100000000, 50000000, 10000000, 100},
    {"200s", 200000000, 100000000, 20000000, 100},
    {"500s", 500000000, 100000000, 50000000, 100},
    {"1000s", 1000000000, 500000000, 100000000, 100},
};

enum { HEAD = 2, FOOT = 2, ROW_LINES = 3 };
enum { LABEL_MIN = 22, LABEL_MAX = 34 };

uint64_t timeline_span_ns(const struct timeline *t)
{
    return timeline_scales[t->view.scale].span_us * 1000;
}

void timeline_fit(struct timeline *t)
{
    uint64_t length = ns_between(sched_origin(t->spans), t->now_ns);
    t->view.scale = 0;
    while (t->view.scale < TIMELINE_SCALES - 1 && timeline_span_ns(t) <= length)
        t->view.scale++;
}

/* While following, the view scrolls by full columns, so that columns keep their times. */
static uint64_t left_of(const struct timeline *t, int width)
{
    uint64_t span = timeline_span_ns(t), column = span / (uint64_t)width;
    if (!t->view.follow)
        return t->view.left_ns;
    uint64_t right = (t->now_ns / column + 1) * column;
    return right > span ? right - span : 0;
}

static int lines_of(const struct timeline *t, int height)
{
    if (t->view.lines)
        return t->view.lines;
    for (int lines = ROW_LINES; lines > 1; lines--)
        if (t->view.rows.count <= (size_t)(height / lines))
            return lines;
    return t->view.rows.count > (size_t)height ? 2 : 1;
}

/* A quarter of the view, within bounds; none where that would be most of it. */
static int label_columns(int width)
{
    int label = width / 4 < LABEL_MIN ? LABEL_MIN : width / 4;
    return width <= 2 * LABEL_MIN ? 0 : label > LABEL_MAX ? LABEL_MAX : label;
}

struct timeline_layout timeline_layout(const struct timeline *t, const struct canvas *c)
{
    struct timeline_layout l = {.top = HEAD, .span_ns = timeline_span_ns(t)};
    int height = c->height > HEAD + FOOT ? c->height - HEAD - FOOT : 0;
    l.list = t->view.verbose ? height / 3 : 0;
    height -= l.list;
    l.bottom = HEAD + height;
    l.lines = lines_of(t, height);
    l.rows = height / l.lines;
    l.x = l.lines == 1 ? label_columns(c->width) : 0;
    l.width = c->width > l.x ? c->width - l.x : 1;
    l.left_ns = left_of(t, l.width);
    return l;
}

uint64_t timeline_time_of(const struct timeline_layout *l, int column)
{
    double from = (double)l->span_ns * column / l->width;
    if (from < 0)
        return (uint64_t)-from > l->left_ns ? 0 : l->left_ns - (uint64_t)-from;
    return l->left_ns + (uint64_t)from;
}

int timeline_column_of(const struct timeline_layout *l, uint64_t time_ns)
{
    if (time_ns < l->left_ns)
        return -1;
    uint64_t since = time_ns - l->left_ns;
    return since >= l->span_ns ? l->width : (int)((double)since * l->width / (double)l->span_ns);
}

/* Trace(1)'s ticks are further apart than its picture is wide at 10 s: there the little ones count.
 */
static uint64_t big_ns(const struct timeline *t)
{
    const struct timeline_scale *s = &timeline_scales[t->view.scale];
    return (s->big_us > s->span_us ? s->little_us * 5 : s->big_us) * (uint64_t)1000;
}

/* Whether a multiple of each, from the origin, is in [from, to). */
static bool tick_in(uint64_t origin, uint64_t each, uint64_t from, uint64_t to, uint64_t *at)
{
    if (to <= origin)
        return false;
    uint64_t since = from > origin ? from - origin : 0;
    *at = origin + (since + each - 1) / each * each;
    return *at >= from && *at < to;
}

bool timeline_big_tick(const struct timeline *t, const struct timeline_layout *l, int column,
                       uint64_t *time_ns)
{
    return tick_in(sched_origin(t->spans), big_ns(t), timeline_time_of(l, column),
                   timeline_time_of(l, column + 1), time_ns);
}

static bool little_tick(const struct timeline *t, const struct timeline_layout *l, int column)
{
    uint64_t at;
    return tick_in(sched_origin(t->spans),
                   timeline_scales[t->view.scale].little_us * (uint64_t)1000,
                   timeline_time_of(l, column), timeline_time_of(l, column + 1), &at);
}

/* That tell big ticks apart. */
static int tick_decimals(const struct timeline *t)
{
    int n = 0;
    for (uint64_t unit_ns = NS_PER_S; unit_ns > 1 && big_ns(t) % unit_ns; unit_ns /= 10)
        n++;
    return n;
}

void timeline_draw_ruler(const struct timeline *t, struct canvas *c, const struct caps *caps,
                         const struct timeline_layout *l, int y)
{
    const char *big = caps->unicode ? "\u2502" : "|", *little = caps->unicode ? "\u2575" : "'";
    int free = 0; /* the first column without a label */
    uint64_t at;
    for (int column = 0; column < l->width; column++) {
        int x = l->x + column;
        if (timeline_big_tick(t, l, column, &at)) {
            SCOPED_BUF label = BUF_INIT;
            timeline_print_time(t, at, tick_decimals(t), &label);
            int end = canvas_put(c, x, y, quiet, big);
            if (x >= free && end + (int)label.len <= c->width)
                free = canvas_put(c, end, y, quiet, buf_str(&label)) + 1;
        } else if (x >= free && little_tick(t, l, column)) {
            canvas_put(c, x, y, quiet, little);
        }
    }
}
