/* schedview FILE WIDTHxHEIGHT COLOURS [raw] [ascii] [KEY...]: a timeline of the text FILE
 * (tests/lib/schedtext.h) after all keys, as text, or `raw', as the bytes that draw it. KEY: a
 * character, or left right up down home end pgup pgdn enter back esc; `click=X,Y'; `until=US': only
 * events up to there are known before the keys that follow.
 * schedview FILE chrome|page|svg [FROM_US TO_US]: the timeline in another format. */
#include "../lib/canvastext.h"
#include "../lib/schedtext.h"

#include "core/timeline/export.h"
#include "core/timeline/view.h"

#include <stdlib.h>

struct view {
    struct sched_spans spans;
    struct sched_names names;
    struct timeline timeline;
    struct canvas canvas;
    struct caps caps;
    struct sched_event *event;
    size_t events, taken, room;
};

static void keep(void *arg, const struct sched_event *e)
{
    struct view *v = arg;
    if (v->events == v->room) {
        v->room = v->room * 2 + 64;
        v->event = realloc(v->event, v->room * sizeof *v->event);
        if (!v->event)
            exit(2);
    }
    v->event[v->events++] = *e;
}

static void take_until(struct view *v, uint64_t until_ns)
{
    for (; v->taken < v->events && v->event[v->taken].time_ns <= until_ns; v->taken++) {
        const struct sched_event *e = &v->event[v->taken];
        if (v->timeline.frozen)
            continue;
        sched_spans_add(&v->spans, e);
        timeline_event(&v->timeline, e);
        if (e->time_ns > v->timeline.now_ns && e->kind != SCHED_DEADLINE)
            v->timeline.now_ns = e->time_ns;
    }
}

static struct key key_of(const char *word)
{
    static const struct {
        const char *word;
        enum key_code code;
    } keys[] = {{"left", KEY_LEFT},      {"right", KEY_RIGHT},   {"up", KEY_UP},
                {"down", KEY_DOWN},      {"home", KEY_HOME},     {"end", KEY_END},
                {"enter", KEY_ENTER},    {"esc", KEY_ESC},       {"pgup", KEY_PAGE_UP},
                {"pgdn", KEY_PAGE_DOWN}, {"back", KEY_BACKSPACE}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(word, keys[i].word) == 0)
            return (struct key){.code = keys[i].code};
    return (struct key){.code = KEY_RUNE, .rune = (unsigned char)word[0]};
}

static void press(struct view *v, const char *word)
{
    double us;
    unsigned x, y;
    struct key key = key_of(word);
    if (sscanf(word, "until=%lf", &us) == 1) {
        take_until(v, (uint64_t)(us * 1000));
        timeline_draw(&v->timeline, &v->canvas, &v->caps);
        return;
    }
    if (sscanf(word, "click=%u,%u", &x, &y) == 2)
        key = (struct key){.code = KEY_PRESS, .button = 1, .x = (uint16_t)x, .y = (uint16_t)y};
    if (!timeline_press(&v->timeline, &key, &v->canvas))
        printf("the end\n");
}

static void show(struct view *v, bool raw)
{
    struct buf out = BUF_INIT;
    if (raw)
        canvas_draw(&v->canvas, &v->caps, &out);
    else
        canvastext(&v->canvas, v->caps.unicode, &out);
    fwrite(buf_str(&out), 1, out.len, stdout);
    buf_release(&out);
}

static int screen(struct view *v, int argc, char **argv)
{
    int width, height, i = 4;
    if (argc < 4 || sscanf(argv[2], "%dx%d", &width, &height) != 2)
        return 2;
    v->caps = (struct caps){.addressable = true, .unicode = true, .colours = atoi(argv[3])};
    bool raw = i < argc && strcmp(argv[i], "raw") == 0;
    i += raw;
    if (i < argc && strcmp(argv[i], "ascii") == 0) {
        v->caps.unicode = false;
        i++;
    }
    canvas_resize(&v->canvas, width, height);
    timeline_init(&v->timeline, &v->spans, &v->names);
    v->timeline.source = "test";
    v->timeline.live = true;
    if (i >= argc || strncmp(argv[i], "until=", 6) != 0)
        take_until(v, UINT64_MAX);
    timeline_draw(&v->timeline, &v->canvas, &v->caps);
    for (; i < argc; i++)
        press(v, argv[i]);
    timeline_draw(&v->timeline, &v->canvas, &v->caps);
    show(v, raw);
    canvas_release(&v->canvas);
    timeline_release(&v->timeline);
    return 0;
}

static int flush(void *arg, struct buf *out)
{
    (void)arg;
    fwrite(buf_str(out), 1, out->len, stdout);
    buf_clear(out);
    return 0;
}

static int outward(struct view *v, int argc, char **argv)
{
    struct buf out = BUF_INIT;
    struct sched_export w = {.spans = &v->spans,
                             .names = &v->names,
                             .title = "make -j2 <test> & more",
                             .from_ns = argc > 4 ? (uint64_t)(atof(argv[3]) * 1000) : 0,
                             .to_ns = argc > 4 ? (uint64_t)(atof(argv[4]) * 1000) : 0,
                             .out = &out,
                             .flush = flush};
    for (size_t i = 0; i < v->events; i++)
        sched_spans_add(&v->spans, &v->event[i]);
    int r = strcmp(argv[2], "chrome") == 0 ? sched_chrome(&w)
            : strcmp(argv[2], "page") == 0 ? sched_page(&w)
                                           : sched_svg(&w);
    buf_release(&out);
    return r < 0;
}

int main(int argc, char **argv)
{
    struct view v = {0};
    struct sched_limits limits = {.runs = 1 << 20, .marks = 1 << 20};
    if (argc < 3 || schedtext_read(argv[1], &v.names, keep, &v) < 0) {
        fprintf(stderr, "usage: schedview FILE WIDTHxHEIGHT COLOURS [raw] [ascii] [KEY...]\n");
        return 2;
    }
    sched_spans_init(&v.spans, &limits, 0);
    int r = strchr("cps", argv[2][0]) ? outward(&v, argc, argv) : screen(&v, argc, argv);
    sched_spans_release(&v.spans);
    sched_names_release(&v.names);
    free(v.event);
    return r;
}
