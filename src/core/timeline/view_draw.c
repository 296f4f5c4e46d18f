/* Draws the view: a summary line, the ruler, rows, the list of events, two status lines. */
#include "export_common.h"
#include "view_private.h"

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/text/counted.h"
#include "core/text/name_fit.h"
#include "core/text/text_fold.h"
#include "core/tui/styles.h"

#include <inttypes.h>
#include <string.h>

static const struct style alarm = {.fg = COLOUR_RED, .attr = STYLE_BOLD};

static int draw_states(const struct timeline *t, struct canvas *c, int x)
{
    if (t->input.filter[0])
        x = canvas_printf(c, x, 0, bold, ", filter %s", t->input.filter);
    if (t->frozen)
        x = canvas_put(c, x + 1, 0, marked, " frozen ");
    else if (t->live && !t->view.follow)
        x = canvas_put(c, x + 1, 0, marked, " paused ");
    return x;
}

/* Plan 9's events are of no CPU. */
static const char *why_empty(const struct timeline *t)
{
    if (t->view.by_cpu && t->spans->events)
        return "these events have no CPU numbers";
    return t->input.filter[0] ? "no matching names" : "no events yet";
}

static void draw_head(const struct timeline *t, struct canvas *c)
{
    static const char *const orders[] = {"", ", by time", ", by name"};
    SCOPED_BUF now = BUF_INIT;
    timeline_print_time(t, t->now_ns, 3, &now);
    int x = canvas_put(c, 0, 0, bold, "trace ");
    struct counted rows =
        t->view.by_cpu ? counted(t->spans->rows, "task") : counted(t->view.rows.count, "row");
    x = canvas_printf(c, x, 0, plain, "%s %s: %s", path_last(t->source),
                      timeline_scales[t->view.scale].name, rows.text);
    if (sched_cpus_seen(t->spans))
        x = canvas_printf(c, x, 0, plain, ", %s", counted(sched_cpus_seen(t->spans), "CPU").text);
    x = canvas_put(c, x, 0, plain, orders[t->view.by_cpu ? 0 : t->view.order]);
    if (sched_lost(t->spans))
        x = canvas_printf(c, canvas_put(c, x, 0, plain, ", "), 0, alarm, "%" PRIu64 " lost",
                          sched_lost(t->spans));
    if (t->spans->dropped.runs)
        x = canvas_put(c, x, 0, quiet, ", older dropped");
    x = draw_states(t, c, x);
    if (x + 1 + (int)now.len <= c->width)
        canvas_put(c, c->width - (int)now.len, 0, bold, buf_str(&now));
}

static void draw_rows(const struct timeline *t, struct canvas *c, const struct caps *caps,
                      const struct timeline_layout *l)
{
    for (int i = 0; i < l->rows && t->view.rows.first + (size_t)i < t->view.rows.count; i++)
        timeline_draw_row(t, c, caps, l, t->view.rows.first + (size_t)i, l->top + i * l->lines);
    if (!t->view.rows.count)
        canvas_put(c, 2, l->top + 1, plain, why_empty(t));
}

/* Behind the cell's text; blanks become the line itself. */
static void draw_cursor_cell(struct canvas *c, const struct caps *caps, int x, int y)
{
    const struct cell *under = &c->cell[(size_t)y * (size_t)c->width + (size_t)x];
    if (under->rune == ' ' && !under->style.bg && !under->style.attr)
        canvas_put(c, x, y, bold, caps->unicode ? "\u2502" : "|");
    else
        canvas_restyle(c, x, y, 1, 1, marked);
}

static void draw_cursor(const struct timeline *t, struct canvas *c, const struct caps *caps,
                        const struct timeline_layout *l)
{
    int column = timeline_column_of(l, t->view.cursor_ns);
    if (!t->view.has_cursor || column < 0 || column >= l->width)
        return;
    canvas_restyle(c, l->x + column, l->top - 1, 1, 1, marked);
    for (int i = 0; i < l->rows && t->view.rows.first + (size_t)i < t->view.rows.count; i++) {
        int y = l->top + i * l->lines;
        for (int line = l->lines > 1; line < l->lines; line++)
            draw_cursor_cell(c, caps, l->x + column, y + line);
    }
}

/* Over the rows above, where a line is too short for it. */
static void draw_message(struct canvas *c, int y, const char *message)
{
    enum { MOST_LINES = 3 };
    SCOPED_BUF text = BUF_INIT;
    if (text_columns(message, strlen(message)) <= (size_t)c->width)
        buf_adds(&text, message);
    else
        text_fold(&text, message, (size_t)c->width, 0);
    const char *line[MOST_LINES] = {buf_str(&text)};
    int lines = 1;
    for (char *end = text.data; end && (end = strchr(end, '\n')) && lines < MOST_LINES; lines++) {
        *end++ = '\0';
        line[lines] = end;
    }
    for (int i = lines > y ? lines - 1 : 0; i < lines; i++) {
        canvas_fill(c, 0, y - lines + 1 + i, c->width, 1, plain, ' ');
        canvas_put(c, 0, y - lines + 1 + i, bold, line[i]);
    }
}

static void draw_words(const struct timeline *t, struct canvas *c, const struct timeline_layout *l)
{
    static const char *const asks[] = {
        "", "show rows with: ", "search: ", "freeze when a wake-up takes more than (as 5ms): "};
    int y = c->height - 2;
    SCOPED_BUF text = BUF_INIT;
    if (t->input.typing) {
        canvas_printf(c, 0, y, bold, "%s%s_", asks[t->input.typing], t->input.typed);
    } else if (t->input.message[0]) {
        draw_message(c, y, t->input.message);
    } else if (t->view.has_cursor) {
        timeline_describe(t, l, &text);
        canvas_put(c, 0, y, plain, buf_str(&text));
    }
}

static void draw_list(const struct timeline *t, struct canvas *c, const struct timeline_layout *l)
{
    size_t kept = t->recent.count < TIMELINE_LAST ? t->recent.count : TIMELINE_LAST;
    size_t lines = kept < (size_t)l->list ? kept : (size_t)l->list;
    for (size_t i = 0; i < lines; i++) {
        const struct sched_event *e =
            &t->recent.event[(t->recent.count - lines + i) % TIMELINE_LAST];
        SCOPED_BUF line = BUF_INIT;
        sched_event_line(&line, e);
        for (char *p = line.data; p && *p; p++)
            *p = *p == '\n' ? ' ' : *p;
        int x = canvas_put(c, 0, l->bottom + (int)i, plain, buf_str(&line));
        canvas_put(c, x + 1, l->bottom + (int)i, quiet, sched_names_get(t->names, e->pid));
    }
}

static void draw_help(struct canvas *c, int y, int height)
{
    static const char *const lines[] = {
        "+ -         zoom, 500us to 1000s         p space  pause, resume",
        "arrows      cursor in time, row          [ ]      events of the row",
        "< >         by half a screen             home end the oldest, now",
        "/ n N       search: tasks, events, marks f        rows with these words",
        "c           rows are CPUs, tasks         o l      order, lines of rows",
        "t           freeze when the row has run  d        when a deadline is missed",
        "w           when a wake-up takes long    r        reset the statistics",
        "v           the events as text           s        save them: a recording",
        "q           quit",
        "",
        "A block is a run, with its CPU; a line is waiting to run; a gap is sleep.",
        "Admit green up, Expel red down: large. Release up, Deadline down: black.",
        "Yield green, User blue, Slice red: down. Without colours: A E R D Y U S.",
        "Interrupts: green ticks start, blue ones end. x: events were lost there.",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines) && i < height; i++)
        canvas_put(c, 2, y + i, plain, lines[i]);
}

static void draw_keys(struct canvas *c)
{
    canvas_put(c, 0, c->height - 1, quiet,
               "q end h help + - zoom p pause arrows [ ] move / search f filter c CPUs r reset");
}

void timeline_draw(struct timeline *t, struct canvas *c, const struct caps *caps)
{
    struct timeline_layout l = timeline_layout(t, c);
    timeline_settle(t, &l);
    l = timeline_layout(t, c); /* the rows may have become more */
    timeline_settle(t, &l);
    canvas_clear(c);
    draw_head(t, c);
    if (t->view.help) {
        draw_help(c, l.top, l.bottom - l.top + l.list);
    } else {
        timeline_draw_ruler(t, c, caps, &l, l.top - 1);
        draw_rows(t, c, caps, &l);
        draw_cursor(t, c, caps, &l);
        draw_list(t, c, &l);
    }
    draw_words(t, c, &l);
    draw_keys(c);
}
