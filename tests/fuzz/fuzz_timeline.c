/* Timelines of any events, under any keys, on canvases of any size, and all that is written of
 * them. The first three bytes are width, height and what the terminal can; then a key (high bit
 * set) or an event of eight bytes, one after the other. */
#include "fuzz.h"
#include "json_check.h"

#include "../lib/canvastext.h"

#include "core/timeline/export.h"
#include "core/timeline/view.h"

#include <stdlib.h>

struct view {
    struct sched_spans spans;
    struct sched_names names;
    struct timeline timeline;
    struct canvas canvas;
    struct caps caps;
    uint64_t time_ns;
    unsigned drawn;
};

static void take(struct view *v, const uint8_t b[8])
{
    struct sched_event e = {.kind = b[0] % (SCHED_KINDS + 1),
                            .pid = (int8_t)b[1],
                            .cpu = (int16_t)((b[2] & 7) - 1),
                            .flags = b[2] >> 6,
                            .other = (int8_t)b[3],
                            .arg = b[4],
                            .state = b[5]};
    uint64_t step = (uint64_t)b[6] << (b[7] & 31);
    v->time_ns = b[7] & 0x80 && v->time_ns > step ? v->time_ns - step : v->time_ns + step;
    e.time_ns = v->time_ns;
    if (b[5] & 1) {
        char name[3] = {(char)b[4], (char)b[5], '\0'};
        sched_names_set(&v->names, e.pid, e.time_ns, name, 2);
        sched_names_add_text(&v->names, name, 2);
    }
    sched_spans_add(&v->spans, &e);
    timeline_event(&v->timeline, &e);
    if (e.time_ns > v->timeline.now_ns)
        v->timeline.now_ns = e.time_ns;
}

static void press(struct view *v, uint8_t b)
{
    struct key key = {.code = KEY_RUNE, .rune = b & 0x7f};
    if (key.rune < ' ') {
        key.code = (enum key_code)(KEY_ENTER + key.rune);
        key.x = b % 50;
        key.y = b % 20;
    }
    timeline_press(&v->timeline, &key, &v->canvas);
    if (v->drawn++ < 8)
        timeline_draw(&v->timeline, &v->canvas, &v->caps);
}

/* Nothing that is drawn is an order to the terminal. */
static void check_canvas(const struct view *v)
{
    struct buf text = BUF_INIT;
    canvastext(&v->canvas, v->caps.unicode, &text);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] < ' ' && text.data[i] != '\n')
            abort();
    buf_release(&text);
}

static int count(void *arg, struct buf *out)
{
    *(size_t *)arg += out->len;
    buf_clear(out);
    return 0;
}

static void write_all(const struct view *v)
{
    struct buf out = BUF_INIT;
    struct sched_export w = {.spans = &v->spans, .names = &v->names, .title = "fuzz", .out = &out};
    if (sched_chrome(&w) < 0 || !json_check(buf_str(&out), out.len))
        abort();
    buf_clear(&out);
    w.from_ns = v->time_ns / 2;
    size_t bytes = 0;
    w.flush = count;
    w.arg = &bytes;
    if (sched_page(&w) < 0 || sched_svg(&w) < 0 || !bytes)
        abort();
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct view v = {.time_ns = 1000000};
    struct sched_limits limits = {.runs = 256, .marks = 128, .rows = 16};
    if (len < 3)
        return 0;
    sched_spans_init(&v.spans, &limits, bytes[2] & 0x80 ? 1000 : 0);
    v.spans.names = &v.names;
    timeline_init(&v.timeline, &v.spans, &v.names);
    v.caps = (struct caps){.unicode = bytes[2] & 1, .colours = bytes[2] & 2 ? 256 : 0};
    v.timeline.live = bytes[2] & 4;
    if (canvas_resize(&v.canvas, bytes[0] % 130 + 1, bytes[1] % 40 + 1) < 0)
        abort();
    timeline_draw(&v.timeline, &v.canvas, &v.caps);
    for (size_t i = 3; i < len;) {
        if (bytes[i] & 0x80) {
            press(&v, bytes[i++]);
        } else if (i + 8 <= len) {
            take(&v, bytes + i);
            i += 8;
        } else {
            break;
        }
    }
    timeline_draw(&v.timeline, &v.canvas, &v.caps);
    check_canvas(&v);
    write_all(&v);
    canvas_release(&v.canvas);
    timeline_release(&v.timeline);
    sched_spans_release(&v.spans);
    sched_names_release(&v.names);
    return 0;
}
