/* What happened in a row, as arrows: one a column, the most telling. */
#include "export_common.h"
#include "view_private.h"

#include <inttypes.h>

/* FORMATS 8: colours and ways of trace(1); where there are no colours letters tell them apart. */
static const struct arrow {
    uint8_t rank; /* of several in a column the highest is shown; 0: none is */
    uint8_t colour;
    char ascii, letter;
    uint16_t rune;
} arrows[SCHED_KINDS] = {
    [SCHED_USER] = {9, COLOUR_BLUE, 'v', 'U', 0x2193},
    [SCHED_DEADLINE] = {8, COLOUR_DEFAULT, 'v', 'D', 0x2193},
    [SCHED_ADMIT] = {7, COLOUR_GREEN, '^', 'A', 0x25B2},
    [SCHED_EXPEL] = {6, COLOUR_RED, 'v', 'E', 0x25BC},
    [SCHED_RELEASE] = {5, COLOUR_DEFAULT, '^', 'R', 0x2191},
    [SCHED_YIELD] = {4, COLOUR_GREEN, 'v', 'Y', 0x2193},
    [SCHED_SLICE] = {3, COLOUR_RED, 'v', 'S', 0x2193},
    [SCHED_INTS] = {2, COLOUR_GREEN, '\'', '\'', 0x2575},
    [SCHED_INTE] = {2, COLOUR_BLUE, ',', ',', 0x2577},
    [SCHED_SOFTS] = {1, COLOUR_GREEN, '\'', '\'', 0x2575},
    [SCHED_SOFTE] = {1, COLOUR_BLUE, ',', ',', 0x2577},
    [SCHED_CALL] = {1, COLOUR_GREEN, '\'', '\'', 0x2575},
    [SCHED_RETURN] = {1, COLOUR_BLUE, ',', ',', 0x2577},
};

bool timeline_has_arrow(unsigned kind)
{
    return kind < SCHED_KINDS && arrows[kind].rank;
}

struct marks {
    const struct timeline *t;
    struct canvas *c;
    const struct caps *caps;
    const struct timeline_layout *l;
    int y;
    uint8_t best[CANVAS_MAX_WIDTH]; /* a kind + 1 */
};

static uint32_t rune_of(const struct arrow *a, const struct caps *caps)
{
    if (!caps->colours && a->rank > 2)
        return (uint32_t)a->letter;
    return caps->unicode ? a->rune : (uint32_t)a->ascii;
}

/* Over a run its block's colour stays behind the arrow. */
static struct style style_of(const struct marks *m, const struct arrow *a, int x)
{
    const struct cell *under = &m->c->cell[(size_t)m->y * (size_t)m->c->width + (size_t)x];
    struct style style = {.fg = a->colour, .attr = a->rank > 2 ? STYLE_BOLD : 0};
    bool on_run = under->rune == 0x2588 || (under->rune != ' ' && under->style.bg);
    if (on_run && m->caps->colours) {
        style.bg = under->style.bg ? under->style.bg : under->style.fg;
        if (!style.fg)
            style.fg = COLOUR_BLACK;
    } else if (on_run) {
        style.attr |= STYLE_REVERSE;
    }
    return style;
}

static void draw_arrow(const struct marks *m, int column, const struct arrow *a)
{
    int x = m->l->x + column;
    if (x < 0 || x >= m->c->width || m->y < 0 || m->y >= m->c->height)
        return;
    canvas_fill(m->c, x, m->y, 1, 1, style_of(m, a, x), rune_of(a, m->caps));
}

static void collect_marks(struct marks *m, size_t shown)
{
    const struct sched_list *list = timeline_marks(m->t, shown);
    struct sched_range range =
        sched_marks_between(m->t->spans, list, m->l->left_ns, m->l->left_ns + m->l->span_ns);
    for (size_t i = 0; i < range.count; i++) {
        const struct sched_mark *mark = sched_mark_at(m->t->spans, list, range.first + i);
        int column = timeline_column_of(m->l, mark->time_ns);
        if (column < 0 || column >= m->l->width || !timeline_has_arrow(mark->kind))
            continue;
        uint8_t *best = &m->best[column];
        if (!*best || arrows[mark->kind].rank > arrows[*best - 1].rank)
            *best = (uint8_t)(mark->kind + 1);
    }
}

/* --- losses: of one CPU in its row; of any in rows of tasks, where they are not known to run ---
 */

static void draw_loss(const struct marks *m, int y, const struct sched_mark *mark)
{
    static const struct style red = {.fg = COLOUR_RED, .attr = STYLE_BOLD};
    int first = timeline_column_of(m->l, sched_loss_start(m->t->spans, mark));
    int last = timeline_column_of(m->l, mark->time_ns);
    if (last < 0 || first >= m->l->width)
        return;
    for (int i = first < 0 ? 0 : first; i <= last && i < m->l->width; i++) {
        const struct cell *under =
            &m->c->cell[(size_t)y * (size_t)m->c->width + (size_t)(m->l->x + i)];
        if (under->rune == ' ' || under->rune == 0xB7 || under->rune == '.')
            canvas_put(m->c, m->l->x + i, y, red, m->caps->unicode ? "\u00d7" : "x");
    }
}

static void draw_losses(const struct marks *m, int y, const struct sched_cpu *cpu)
{
    struct sched_range range =
        sched_marks_between(m->t->spans, &cpu->marks, m->l->left_ns, UINT64_MAX);
    for (size_t i = 0; i < range.count; i++) {
        const struct sched_mark *mark = sched_mark_at(m->t->spans, &cpu->marks, range.first + i);
        if (mark->kind == SCHED_LOST)
            draw_loss(m, y, mark);
    }
}

static void draw_row_losses(const struct marks *m, size_t shown, int y)
{
    const struct timeline *t = m->t;
    const struct sched_cpu *only = timeline_cpu(t, shown);
    for (size_t i = 0; i < t->spans->cpus; i++)
        if (t->spans->cpu[i].losses && (!only || only == &t->spans->cpu[i]))
            draw_losses(m, y, &t->spans->cpu[i]);
}

void timeline_draw_marks(const struct timeline *t, struct canvas *c, const struct caps *caps,
                         const struct timeline_layout *l, size_t shown, int y)
{
    struct marks m = {.t = t, .c = c, .caps = caps, .l = l, .y = y};
    int runs_y = l->lines == 3 ? y + 1 : y;
    if (runs_y < c->height)
        draw_row_losses(&m, shown, runs_y);
    collect_marks(&m, shown);
    for (int i = 0; i < l->width; i++)
        if (m.best[i])
            draw_arrow(&m, i, &arrows[m.best[i] - 1]);
}
