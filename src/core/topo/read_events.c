#include "read_forms.h"

#include "core/base/buf.h"
#include "core/base/line.h"
#include "core/topo/runs.h"

#include <ctype.h>
#include <errno.h>

enum { ENTRY_NUMBERS = 5, EXIT_NUMBERS = 3 };

/* The numbers at the end of a line, the last one first. */
struct event {
    uint64_t number[ENTRY_NUMBERS];
    size_t numbers;
    const char *name_end;
};

/* The number whose last digit is before end; its first digit, or NULL if there is none or it is
 * too large. */
static const char *read_number_before(const char *start, const char *end, uint64_t *out)
{
    const char *at = end;
    while (at > start && isdigit((unsigned char)at[-1]))
        at--;
    *out = 0;
    for (const char *digit = at; digit < end; digit++)
        if (__builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(*digit - '0'), out))
            return NULL;
    return at < end ? at : NULL;
}

static struct event read_event(struct line line)
{
    struct event e = {.name_end = line.end};
    while (e.numbers < ENTRY_NUMBERS) {
        const char *digits = read_number_before(line.at, e.name_end, &e.number[e.numbers]);
        if (!digits || digits == line.at || digits[-1] != ' ')
            break;
        e.numbers++;
        e.name_end = digits - 1;
    }
    return e;
}

static bool add_event(struct topo_runs *runs, struct line line, struct buf *name)
{
    struct event e = read_event(line);
    const uint64_t *n = e.number;
    buf_clear(name);
    buf_add(name, line.at, (size_t)(e.name_end - line.at));
    bool named = name->len && !memchr(name->data, '\0', name->len);
    if (named && e.numbers == ENTRY_NUMBERS)
        topo_runs_enter(runs, &(struct topo_entry){.run = n[4],
                                                   .call = n[3],
                                                   .thread = n[2],
                                                   .depth = n[1],
                                                   .start = n[0],
                                                   .name = buf_str(name)});
    else if (named && e.numbers == EXIT_NUMBERS)
        topo_runs_exit(runs, n[2], buf_str(name), n[1], n[0]);
    else
        return false;
    return true;
}

/* What of a line is behind this start of it; NULL: it begins otherwise. */
static const char *skip_start(const char *at, const char *end, const char *start)
{
    size_t len = strlen(start);
    return (size_t)(end - at) >= len && memcmp(at, start, len) == 0 ? at + len : NULL;
}

/* False: the line is not of this kind. */
static bool add_dropped(struct topo *t, struct line line)
{
    const char *at = skip_start(line.at, line.end, TOPO_DROPPED_MARK), *digits_end = at;
    uint64_t runs;
    while (digits_end && digits_end < line.end && isdigit((unsigned char)*digits_end))
        digits_end++;
    if (!at || read_number_before(at, digits_end, &runs) != at)
        return false;
    at = skip_start(digits_end, line.end, runs == 1 ? " run dropped: " : " runs dropped: ");
    for (int i = 0; at && i < TOPO_REASONS; i++)
        if (skip_start(at, line.end, topo_reason_text((enum topo_reason)i)) == line.end) {
            t->dropped[i] = topo_sum(t->dropped[i], runs);
            return true;
        }
    return false;
}

static bool add_events(struct topo_text *text, struct topo_runs *runs, struct buf *name)
{
    struct lines rest = {text->at, text->end};
    struct line line;
    while (line_next(&rest, &line)) {
        text->at = line.at;
        if (line_len(line) && !add_dropped(runs->topo, line) && !add_event(runs, line, name))
            return false;
    }
    return true;
}

int read_events(struct topo_text *text, struct topo *t)
{
    struct topo_runs runs;
    SCOPED_BUF name = BUF_INIT;
    topo_runs_init(&runs, t);
    bool read = add_events(text, &runs, &name);
    int r = topo_runs_end(&runs);
    if (!read) {
        text->wrong = "not an event of topo";
        r = -EINVAL;
    }
    if (buf_error(&name))
        r = -ENOMEM;
    topo_runs_release(&runs);
    return r;
}
