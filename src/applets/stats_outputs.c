/* Where samples go beside the screen. */
#include "stats_request.h"

#include "core/stats/record.h"
#include "core/text/shown.h"
#include "plat/file.h"

#include <errno.h>
#include <stdio.h>

/* A reader that went away needs no words. What is told here is not told again at the end. */
static bool print_text(struct buf *text, struct fail *f)
{
    int err = -buf_error(text);
    if (!err && fwrite(buf_str(text), 1, text->len, stdout) == text->len && fflush(stdout) == 0)
        return true;
    err = err ? err : errno;
    if (err == EPIPE)
        return false;
    fail_set(f, err, "standard output");
    clearerr(stdout);
    return false;
}

static bool is_printed_once(const struct stats_request *q)
{
    return q->once || q->form == STATS_OPENMETRICS;
}

/* Rates need a second reading: forms for people, or told once, pass the first sample over. */
static bool passes_first(const struct stats_request *q)
{
    return is_printed_once(q) || q->form == STATS_LINES;
}

enum { FEW = 5, FEWER = 3, SMALL_SCREEN = 26 };

/* The overview has few, so that all of it is on a screen of 24 lines. */
static size_t process_rows(const struct stats_request *q)
{
    if (q->usage)
        return STATS_TOP_MAX;
    return q->size.height && q->size.height < SMALL_SCREEN ? FEWER : FEW;
}

struct once {
    const struct stats_request *q;
    const struct stats_sample *sample;
};

static int render_text(void *arg, const struct report_part *part, struct buf *out)
{
    const struct once *once = arg;
    const struct stats_text how = {.scale = once->q->view.scale,
                                   .width = once->q->size.width,
                                   .rows = part->rows,
                                   .fitted = part->fitted,
                                   .processes = process_rows(once->q)};
    size_t from = out->len;
    stats_sample_text(once->sample, &how, out);
    shown_lines(out, from);
    return buf_error(out);
}

static void render_sample(struct stats_request *q, const struct stats_sample *s)
{
    struct once once = {q, s};
    buf_clear(&q->text);
    switch (q->form) {
    case STATS_JSON:
        stats_sample_json(s, &q->text);
        break;
    case STATS_CSV:
        if (q->printed == 1U + passes_first(q))
            stats_sample_csv_head(s, &q->text);
        stats_sample_csv(s, &q->text);
        break;
    case STATS_OPENMETRICS:
        stats_sample_openmetrics(s, &q->text);
        break;
    case STATS_LINES:
        stats_sample_lines(s, &q->text);
        shown_lines(&q->text, 0);
        break;
    default:
        report_screen(&q->size, false, 0);
        report_fit(&q->size, render_text, &once, &q->text);
        break;
    }
}

static bool print_sample(void *arg, const struct stats_sample *s, struct fail *f)
{
    struct stats_request *q = arg;
    q->printed++;
    if (passes_first(q) && q->printed == 1)
        return true;
    render_sample(q, s);
    return print_text(&q->text, f) && !is_printed_once(q) &&
           q->printed - passes_first(q) != q->samples;
}

static bool record_sample(void *arg, const struct stats_sample *s, struct fail *f)
{
    struct stats_request *q = arg;
    buf_clear(&q->text);
    stats_record_sample(s, &q->text);
    int r = buf_error(&q->text);
    if (r < 0)
        fail_set(f, -r, "%.128s", q->record);
    else
        r = file_append(q->recording, q->text.data, q->text.len, q->record, f);
    return r == 0;
}

/* With only --record, or on a screen: the end by --samples. */
static bool count_sample(void *arg, const struct stats_sample *s, struct fail *f)
{
    struct stats_request *q = arg;
    (void)s;
    (void)f;
    return ++q->printed != q->samples;
}

static void add_sink(struct stats_request *q,
                     bool (*sample)(void *arg, const struct stats_sample *s, struct fail *f))
{
    q->sink[q->sinks++] = (struct stats_sink){.sample = sample, .arg = q};
}

static int open_recording(struct stats_request *q, struct fail *f)
{
    q->recording = q->record[0] == '-' && !q->record[1]
                       ? file_redirect_stdout(f)
                       : file_create_private(q->record, q->force, f);
    if (q->recording < 0)
        return q->recording;
    buf_clear(&q->text);
    stats_record_head(q->interval, &q->text);
    return file_append(q->recording, q->text.data, q->text.len, q->record, f);
}

int stats_outputs_open(struct stats_request *q)
{
    struct fail f;
    q->recording = -1;
    if (q->record && open_recording(q, &f) < 0)
        return applet_fail(&applet_stats, &f);
    if (q->record)
        add_sink(q, record_sample);
    add_sink(q, q->form == STATS_SCREEN ? count_sample : print_sample);
    return DONE;
}

int stats_outputs_close(struct stats_request *q, int status)
{
    struct fail f;
    if (q->recording >= 0 && file_finish(q->recording, q->record, &f) < 0)
        status = applet_fail(&applet_stats, &f);
    else if (q->recording >= 0 && status == DONE)
        report_wrote(q->record, "psuite stats --replay %");
    buf_release(&q->text);
    return status;
}

int stats_replay_print(struct stats_request *q, struct stats_replay *r)
{
    struct stats_sample s;
    struct fail f = {.err = 0};
    bool on = true;
    size_t first = 0;
    if (is_printed_once(q)) {
        first = r->samples - 1;
        q->printed = 1;
    }
    for (size_t i = first; on && i < r->samples; i++) {
        stats_replay_sample(r, i, &s);
        on = print_sample(q, &s, &f);
    }
    return f.what[0] ? applet_fail(&applet_stats, &f) : DONE;
}
