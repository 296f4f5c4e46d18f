#include "core/stats/record.h"

#include "core/base/grow.h"
#include "core/base/head_words.h"
#include "core/base/line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 40, VERSION = 1 };
#define MAX_INTERVAL 86400.0

struct stats_replay_source {
    char name[STATS_RECORD_TEXT];
    struct stats_value value[STATS_GRAPHS];
    char why[STATS_GRAPHS][STATS_RECORD_TEXT];
};

/* False also before a line that has no newline, which is cut off. */
static bool next_line(const struct stats_replay *r, size_t *at, struct line *out)
{
    struct lines rest = lines_of(r->text + *at, r->len - *at);
    if (!line_next(&rest, out) || rest.at == out->end)
        return false;
    *at = (size_t)(rest.at - r->text);
    return true;
}

/* The next word; the line begins behind its blank then. */
static struct line next_word(struct line *l)
{
    const char *blank = memchr(l->at, ' ', (size_t)(l->end - l->at));
    struct line w = {l->at, blank ? blank : l->end};
    l->at = blank ? blank + 1 : l->end;
    return w;
}

static bool is_word(struct line w, const char *text)
{
    return line_len(w) == strlen(text) && !memcmp(w.at, text, line_len(w));
}

static void copy_word(struct line w, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)((size_t)(w.end - w.at) < size ? w.end - w.at : (long)size),
             w.at);
}

/* NAN: none. */
static double read_number(struct line w)
{
    char text[NUMBER], *end;
    copy_word(w, text, sizeof text);
    double v = strtod(text, &end);
    return end == text || *end || !isfinite(v) ? NAN : v;
}

static uint64_t read_integer(struct line w)
{
    char text[NUMBER];
    copy_word(w, text, sizeof text);
    return text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : 0;
}

/* --- opening --- */

/* What a text without the first line of a recording is. */
static const char *no_head(const struct stats_replay *r)
{
    static const char magic[] = "psuite stats ";
    size_t n = sizeof magic - 1;
    const char *there = head_words(r->text, r->len, magic, n);
    if (there)
        return there;
    bool begins = r->len >= n && memcmp(r->text, magic, n) == 0;
    return begins && !memchr(r->text, '\n', r->len) ? "cut off in its header"
                                                    : "not a recording of stats";
}

static int read_head(struct stats_replay *r, size_t *at, const char *name, struct fail *f)
{
    struct line l;
    if (!next_line(r, at, &l) || !is_word(next_word(&l), "psuite") ||
        !is_word(next_word(&l), "stats"))
        return fail_set(f, 0, "%.128s: %s", name, no_head(r));
    uint64_t version = read_integer(next_word(&l));
    r->interval = read_number(next_word(&l));
    if (version != VERSION)
        return fail_set(f, 0, "%.128s: recording of version %llu; this psuite reads version 1",
                        name, (unsigned long long)version);
    if (!(r->interval > 0 && r->interval <= MAX_INTERVAL))
        return fail_set(f, 0, "%.128s: the recording has no interval", name);
    return 0;
}

static int find_samples(struct stats_replay *r, size_t at)
{
    size_t start = SIZE_MAX, here = at;
    struct line l;
    for (; next_line(r, &at, &l); here = at) {
        if (is_word(next_word(&(struct line){l.at, l.end}), "at")) {
            start = here;
        } else if (start != SIZE_MAX && is_word(l, "end")) {
            if (!GROW_ADD(r->start, r->cap, r->samples, start))
                return -ENOMEM;
            start = SIZE_MAX;
        }
    }
    return 0;
}

int stats_replay_open(struct stats_replay *r, const char *text, size_t len, const char *name,
                      struct fail *f)
{
    size_t at = 0;
    *r = (struct stats_replay){.text = text, .len = len};
    int e = read_head(r, &at, name, f);
    if (e < 0)
        return e;
    r->source = calloc(STATS_RECORD_SOURCES, sizeof *r->source);
    r->source_sample = calloc(STATS_RECORD_SOURCES, sizeof *r->source_sample);
    r->part = calloc(STATS_RECORD_PARTS, sizeof *r->part);
    if (!r->source || !r->source_sample || !r->part || find_samples(r, at) < 0) {
        stats_replay_release(r);
        return fail_set(f, ENOMEM, "%.128s", name);
    }
    return 0;
}

void stats_replay_release(struct stats_replay *r)
{
    free(r->start);
    free(r->source);
    free(r->source_sample);
    free(r->part);
    *r = (struct stats_replay){.text = NULL};
}

/* --- a sample --- */

static void read_source(struct stats_replay *r, struct stats_sample *s, struct line l)
{
    struct stats_replay_source *to = &r->source[s->sources];
    uint64_t cpus = read_integer(next_word(&l)), age_ms = read_integer(next_word(&l));
    copy_word(l, to->name, sizeof to->name);
    r->source_sample[s->sources++] =
        (struct stats_source_sample){.name = to->name,
                                     .cpus = cpus < UINT32_MAX ? (uint32_t)cpus : UINT32_MAX,
                                     .age_ms = age_ms,
                                     .value = to->value};
}

/* NULL: no graph, or one that is passed over. */
static struct stats_value *read_value(struct stats_replay *r, struct stats_sample *s,
                                      struct line first, struct line l)
{
    struct stats_source_sample *source = &r->source_sample[s->sources - 1];
    struct stats_replay_source *to = &r->source[s->sources - 1];
    enum stats_graph graph;
    if (source->count == STATS_GRAPHS ||
        !stats_graph_named(first.at, (size_t)(first.end - first.at), &graph) ||
        (r->graph_filter && !stats_chosen(r->graph_filter, graph)))
        return NULL;
    struct stats_value *v = &to->value[source->count];
    char *why = to->why[source->count++];
    struct line value = next_word(&l);
    *v = (struct stats_value){.graph = graph, .value = read_number(value)};
    v->full = read_number(next_word(&l));
    if (isnan(v->full))
        v->full = 0;
    if (is_word(value, "-")) {
        copy_word(l, why, STATS_RECORD_TEXT);
        v->why = why;
    } else {
        v->natural = read_number(next_word(&l));
        v->total = read_integer(next_word(&l));
        v->why = isnan(v->value) || isnan(v->natural) ? "no number was recorded" : NULL;
    }
    return v;
}

/* Of the value that was read last, which is none where the line above it was passed over. */
static void read_part(struct stats_replay *r, struct stats_value *v, struct line l)
{
    struct stats_part *p = &r->part[r->parts];
    if (r->parts == STATS_RECORD_PARTS)
        return;
    p->natural = read_number(next_word(&l));
    p->total = read_integer(next_word(&l));
    copy_word(l, p->name, sizeof p->name);
    if (isnan(p->natural))
        return;
    if (!v->parts)
        v->part = p;
    v->parts++;
    r->parts++;
}

void stats_replay_sample(struct stats_replay *r, size_t index, struct stats_sample *out)
{
    size_t at = r->start[index];
    struct stats_value *v = NULL;
    struct line l;
    r->parts = 0;
    *out = (struct stats_sample){.interval = r->interval, .source = r->source_sample};
    while (next_line(r, &at, &l) && !is_word(l, "end")) {
        struct line rest = l, first = next_word(&rest);
        if (is_word(first, "at"))
            out->time_ms = read_integer(rest);
        else if (is_word(first, "source") && out->sources < STATS_RECORD_SOURCES)
            read_source(r, out, rest), v = NULL;
        else if (is_word(first, "part") && v)
            read_part(r, v, rest);
        else if (out->sources)
            v = read_value(r, out, first, rest);
    }
}
