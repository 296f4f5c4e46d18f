/* A recording of stats: every sample of it is read, drawn, and recorded again, which reads the
 * same. */
#include "fuzz.h"

#include "core/stats/record.h"
#include "core/stats/view.h"

static void draw(struct statsview *v, const struct stats_sample *s)
{
    struct canvas c = {.width = 0};
    if (s->sources == 0 || statsview_add_sample(v, s) < 0)
        return;
    canvas_resize(&c, 60, 20);
    statsview_draw(v, &c);
    canvas_release(&c);
}

static void check_again(const struct stats_sample *s)
{
    struct buf one = BUF_INIT, two = BUF_INIT;
    struct stats_replay r;
    struct stats_sample again;
    stats_record_head(s->interval < 0.001 ? 1 : s->interval, &one);
    stats_record_sample(s, &one);
    if (stats_replay_open(&r, one.data, one.len, "x", NULL) < 0 || r.samples != 1)
        abort();
    stats_replay_sample(&r, 0, &again);
    if (again.sources != s->sources || again.time_ms != s->time_ms)
        abort();
    stats_sample_csv(&again, &two);
    stats_replay_release(&r);
    buf_release(&one);
    buf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct stats_replay r;
    struct statsview v = {.scale = 1, .speed = 1, .labels = true};
    struct stats_sample s;
    char *text = fuzz_text(data, len);
    stats_choose(&v.choice, STATS_CONTEXT);
    stats_choose(&v.choice, STATS_MEM);
    if (stats_replay_open(&r, text, len, "x", NULL) == 0) {
        for (size_t i = 0; i < r.samples && i < 20; i++) {
            stats_replay_sample(&r, i, &s);
            draw(&v, &s);
            check_again(&s);
        }
        statsview_release(&v);
        stats_replay_release(&r);
    }
    free(text);
    return 0;
}
