#include "unit.h"

#include "../lib/canvastext.h"

#include "core/timeline/view.h"

#include <stdlib.h>

static struct sched_spans spans;
static struct sched_names names;
static struct timeline t;
static struct canvas canvas;
static const struct caps plain = {.addressable = true};

static void begin(int width, int height)
{
    struct sched_limits limits = {.runs = 1024, .marks = 1024};
    sched_spans_init(&spans, &limits, 1000000000);
    timeline_init(&t, &spans, &names);
    canvas_resize(&canvas, width, height);
    t.now_ns = 1000000000;
    t.live = true;
}

static void end(void)
{
    canvas_release(&canvas);
    timeline_release(&t);
    sched_spans_release(&spans);
    sched_names_release(&names);
}

static void take(enum sched_kind kind, int32_t pid, uint64_t us, uint32_t what)
{
    struct sched_event e = {.kind = (uint8_t)kind,
                            .pid = pid,
                            .time_ns = 1000000000 + us * 1000,
                            .other = -1,
                            .arg = what};
    sched_spans_add(&spans, &e);
    timeline_event(&t, &e);
    if (e.time_ns > t.now_ns)
        t.now_ns = e.time_ns;
}

static void run(int32_t pid, uint64_t from_us, uint64_t to_us)
{
    take(SCHED_RUN, pid, from_us, 0);
    take(SCHED_SLEEP, pid, to_us, 0);
}

static void press(const char *keys)
{
    for (; *keys; keys++) {
        struct key key = {.code = *keys == '\n' ? KEY_ENTER : KEY_RUNE, .rune = (uint8_t)*keys};
        timeline_press(&t, &key, &canvas);
    }
}

static void press_code(enum key_code code)
{
    struct key key = {.code = code};
    timeline_press(&t, &key, &canvas);
}

/* A line of the picture, from 0. */
static const char *line(int y)
{
    static char text[512];
    struct buf all = BUF_INIT;
    timeline_draw(&t, &canvas, &plain);
    canvastext(&canvas, false, &all);
    const char *at = buf_str(&all);
    for (; y > 0; y--)
        at = strchr(at, '\n') + 1;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
    buf_release(&all);
    return text;
}

TEST(scales_are_those_of_trace)
{
    size_t len;
    char *golden = unit_file("golden/trace/scales.tsv", &len), *at = strchr(golden, '\n') + 1,
         *rest;
    for (int i = 0; i < TIMELINE_SCALES; i++) {
        const struct timeline_scale *s = &timeline_scales[i];
        char want[128];
        snprintf(want, sizeof want, "%s\t%u\t%u\t%u", s->name, s->big_us, s->little_us,
                 s->redraw_ms);
        CHECK_STR(strtok_r(i ? NULL : at, "\n", &rest), want);
    }
    CHECK(!strtok_r(NULL, "\n", &rest));
    CHECK_STR(timeline_scales[TIMELINE_SCALE_FIRST].name, "100ms");
    free(golden);
}

TEST(zoom_goes_through_all_scales_and_stops)
{
    begin(80, 24);
    run(7, 0, 10);
    for (int i = 0; i < 30; i++)
        press("+");
    CHECK_STR(timeline_scales[t.view.scale].name, "500us");
    for (int i = 0; i < 30; i++)
        press("-");
    CHECK_STR(timeline_scales[t.view.scale].name, "1000s");
    end();
}

TEST(a_run_fills_its_columns)
{
    begin(80, 24);
    press("++++"); /* 5 ms: 62.5 us a column */
    run(7, 1000, 2000);
    run(7, 4000, 4250);
    press("ph");
    press_code(KEY_HOME);
    press("h");
    CHECK_STR(line(4), ".               0###############.               .               0###");
    CHECK_STR(line(2), "7  total: 1.250ms");
    end();
}

TEST(a_short_run_is_seen_at_any_zoom)
{
    begin(80, 24);
    run(7, 1000, 1001);
    run(8, 900000, 1000000);
    press("---------");
    CHECK(strchr(line(4), '|'));
    end();
}

TEST(waiting_is_a_line_up_to_the_run)
{
    begin(80, 24);
    press("++++");
    take(SCHED_READY, 7, 1000, 0);
    run(7, 2000, 3000);
    press_code(KEY_HOME);
    CHECK_STR(line(4), ".               ----------------0###############.               .");
    end();
}

TEST(what_is_open_is_drawn_to_now)
{
    begin(80, 24);
    press("++++");
    take(SCHED_RUN, 7, 1000, 0);
    take(SCHED_READY, 8, 2000, 0);
    t.now_ns += 1000000;
    press_code(KEY_HOME);
    CHECK_STR(line(4), ".               0###############################.               .");
    CHECK_STR(line(7), ".               .               ----------------.               .");
    end();
}

TEST(arrows_have_letters_without_colours)
{
    static const enum sched_kind kinds[] = {SCHED_ADMIT, SCHED_RELEASE, SCHED_DEADLINE, SCHED_YIELD,
                                            SCHED_USER,  SCHED_SLICE,   SCHED_EXPEL};
    begin(80, 24);
    press("++++");
    take(SCHED_RUN, 7, 1, 0);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        take(kinds[i], 7, 1000 + i * 500, 0);
    press_code(KEY_HOME);
    CHECK_STR(line(3), "                A       R       D       Y       U       S       E");
    end();
}

TEST(the_cursor_moves_by_columns_and_tells_its_time)
{
    begin(80, 24);
    press("++++");
    run(7, 1000, 2000);
    press_code(KEY_HOME);
    press_code(KEY_RIGHT);
    CHECK_STR(line(22), "0.002562s 7 : asleep");
    press("[");
    CHECK_STR(line(22), "0.001000s 7 : ran 1000.000us on CPU 0, then slept");
    press_code(KEY_LEFT);
    CHECK_STR(line(22), "0.000937s 7 : asleep");
    press_code(KEY_ESC);
    CHECK_STR(line(22), "");
    end();
}

TEST(a_frozen_picture_takes_no_more_hits)
{
    begin(80, 24);
    t.trigger.run_pid = 7;
    run(7, 0, 100);
    CHECK(t.frozen && !t.view.follow);
    CHECK_STR(line(22), "0.000100s: 7  has run 100.000us on CPU 0");
    take(SCHED_RUN, 7, 200, 0);
    take(SCHED_SLEEP, 7, 300, 0);
    CHECK_STR(line(22), "0.000100s: 7  has run 100.000us on CPU 0");
    press("p");
    CHECK(!t.frozen && t.view.follow);
    end();
}

TEST(what_a_line_is_too_short_for_takes_the_lines_above_it)
{
    begin(40, 24);
    sched_names_set(&names, 7, 0, "a-task-of-the-l", 15);
    t.trigger.run_pid = 7;
    run(7, 0, 100);
    CHECK_STR(line(21), "0.000100s: 7 a-task-of-the-l has run");
    CHECK_STR(line(22), "100.000us on CPU 0");
    press("p");
    CHECK_STR(line(22), "");
    end();
}

TEST(one_row_of_one_processor_has_no_plural)
{
    begin(80, 24);
    run(7, 0, 100);
    CHECK(strstr(line(0), "1 row, 1 CPU "));
    end();
}

TEST(typed_times_have_units)
{
    static const struct {
        const char *text;
        uint64_t ns;
    } times[] = {{"5ms", 5000000}, {"200us", 200000}, {"1s", 1000000000},
                 {"3", 3000000},   {"7ns", 7},        {"-1", 0},
                 {"", 0},          {"nan", 0},        {"1e30", 0}};
    begin(80, 24);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        press("w");
        press(times[i].text);
        press("\n");
        CHECK_INT(t.trigger.late_ns, times[i].ns);
    }
    end();
}

TEST(a_filter_and_what_passes_it)
{
    begin(80, 24);
    sched_names_set(&names, 7, 0, "cc1", 3);
    sched_names_set(&names, 8, 0, "make", 4);
    run(7, 0, 100);
    run(8, 100, 200);
    press("fAK\n");
    CHECK_STR(line(2), "8 make total: 100.000us");
    press("f");
    for (int i = 0; i < 9; i++)
        press_code(KEY_BACKSPACE);
    press("zz\n");
    CHECK_STR(line(3), "  no matching names");
    press_code(KEY_ESC);
    CHECK_STR(line(2), "7 cc1 total: 100.000us");
    end();
}

TEST(the_dead_go_with_their_last_event)
{
    begin(80, 24);
    run(7, 0, 100);
    take(SCHED_DEAD, 7, 200, 0);
    run(8, 300, 400);
    CHECK_STR(line(2), "7  total: 100.000us");
    t.now_ns += 300000000;
    CHECK_STR(line(2), "8  total: 100.000us");
    end();
}

TEST(q_ends_and_other_keys_do_not)
{
    struct key key = {.code = KEY_RUNE, .rune = 'q'};
    begin(80, 24);
    CHECK(!timeline_press(&t, &key, &canvas));
    for (key.rune = 1; key.rune < 0x80; key.rune++)
        if (key.rune != 'q') {
            CHECK(timeline_press(&t, &key, &canvas));
            t.input.typing = TIMELINE_NO;
        }
    end();
}

TEST(a_canvas_of_any_size_will_do)
{
    for (int width = 1; width < 60; width += 7)
        for (int height = 1; height < 30; height += 3) {
            begin(width, height);
            run(7, 0, 100);
            press("v");
            press_code(KEY_LEFT);
            timeline_draw(&t, &canvas, &plain);
            press("hc");
            timeline_draw(&t, &canvas, &plain);
            CHECK_INT(canvas.width, width);
            end();
        }
}
