#include "core/snap/report.h"

#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/text/shown.h"

#include <inttypes.h>

static void add_fact(const struct snap_contents *c, struct json *j, const char *key)
{
    SCOPED_BUF value = BUF_INIT;
    json_str(j, key, snap_file_get(c->file, key, &value) ? buf_str(&value) : NULL);
}

/* --- notes: lines --- */

static void each_note(const struct snap_contents *c, void (*take)(void *arg, const char *note),
                      void *arg)
{
    const struct buf *notes = &c->file->stream[SNAP_NOTES];
    SCOPED_BUF line = BUF_INIT;
    for (size_t i = 0; i < notes->len; i++) {
        unsigned char byte = (unsigned char)notes->data[i];
        if (byte >= ' ' && byte != 127)
            buf_addc(&line, (char)byte);
        if ((byte == '\n' || i + 1 == notes->len) && line.len) {
            take(arg, buf_str(&line));
            buf_clear(&line);
        }
    }
}

static void note_json(void *arg, const char *note)
{
    json_str(arg, NULL, note);
}

static void note_text(void *arg, const char *note)
{
    shown_adds(arg, note);
    buf_addc(arg, '\n');
}

/* --- JSON --- */

static void add_samples(const struct snap_contents *c, struct json *j)
{
    const struct sampled *s = c->samples ? c->samples->sampled : NULL;
    if (!s) {
        json_null(j, "samples");
        return;
    }
    json_object(j, "samples");
    json_members(j, "count shown lost throttled hz method", s->count.samples, snap_samples_shown(c),
                 s->loss.lost, s->loss.throttled, s->want.hz, c->samples->described);
    add_fact(c, j, SNAP_SAMPLED);
    json_object_end(j);
}

static void add_scheduler(const struct snap_contents *c, struct json *j)
{
    if (!c->scheduler) {
        json_null(j, "scheduler");
        return;
    }
    json_record(j, "scheduler", "events lost", c->scheduler->spans->events,
                sched_lost(c->scheduler->spans));
}

static void add_stats(const struct snap_contents *c, struct json *j)
{
    if (!c->stats) {
        json_null(j, "stats");
        return;
    }
    json_record(j, "stats", "count interval_s.3", c->stats->samples, c->stats->interval);
}

void snap_report_json(const struct snap_contents *c, struct json *j)
{
    add_fact(c, j, SNAP_HOST);
    add_fact(c, j, SNAP_MACHINE);
    add_fact(c, j, SNAP_KERNEL);
    json_u64(j, "cpus", snap_file_u64(c->file, SNAP_CPUS));
    add_fact(c, j, SNAP_COMMAND);
    json_members(j, "start_ms length_ns clock_set_ns truncated? ended?",
                 snap_file_u64(c->file, SNAP_BEGIN_REAL) / (uint64_t)NS_PER_MS,
                 c->end_ns - c->begin_ns, snap_clock_drift(c), c->file->truncated, c->file->ended);
    add_samples(c, j);
    add_scheduler(c, j);
    add_stats(c, j);
    json_array(j, "notes");
    each_note(c, note_json, j);
    json_array_end(j);
}

/* --- text --- */

static void samples_line(const struct snap_contents *c, struct buf *out)
{
    const struct sampled *s = c->samples ? c->samples->sampled : NULL;
    if (!s) {
        buf_adds(out, "samples:   none\n");
        return;
    }
    buf_printf(out, "samples:   %s, %" PRIu64 " lost; %s",
               counted(snap_samples_shown(c), "sample").text, s->loss.lost, c->samples->described);
    if (s->want.hz)
        buf_printf(out, ", %" PRIu64 " Hz", s->want.hz);
    buf_addc(out, '\n');
}

static void scheduler_line(const struct snap_contents *c, struct buf *out)
{
    if (!c->scheduler) {
        buf_adds(out, "scheduler: none\n");
        return;
    }
    const struct sched_spans *s = c->scheduler->spans;
    buf_printf(out, "scheduler: %s of ", counted(s->events, "event").text);
    buf_printf(out, "%s, %" PRIu64 " lost\n", counted(s->rows, "task").text, sched_lost(s));
}

void snap_report_text(const struct snap_contents *c, struct buf *out)
{
    SCOPED_BUF host = BUF_INIT, command = BUF_INIT;
    buf_adds(out, "snap of ");
    shown_adds(out,
               snap_file_get(c->file, SNAP_HOST, &host) ? buf_str(&host) : "an unknown machine");
    buf_printf(out, ", %.3f s", (double)(c->end_ns - c->begin_ns) / (double)NS_PER_S);
    if (snap_file_get(c->file, SNAP_COMMAND, &command)) {
        buf_adds(out, ": ");
        shown_adds(out, buf_str(&command));
    }
    buf_addc(out, '\n');
    samples_line(c, out);
    scheduler_line(c, out);
    if (c->stats)
        buf_printf(out, "stats:     %s, one in %.2f s\n", counted(c->stats->samples, "sample").text,
                   c->stats->interval);
    else
        buf_adds(out, "stats:     none\n");
    each_note(c, note_text, out);
    if (!c->file->ended)
        buf_adds(out, "cut off: psuite was killed, or could not write; what was written is read\n");
}
