/* Any stacks in every written format: what is JSON must parse, pprof's profile must hold together,
 * and lines of text must be lines. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"
#include "core/export/writer.h"
#include "json_check.h"
#include "pprof_check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 12, MOST_UNPACKED = 1 << 26 };

struct input {
    const uint8_t *at, *end;
};

static uint8_t byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static uint64_t number(struct input *in)
{
    uint64_t n = 0;
    for (int i = byte(in) % 9; i > 0; i--)
        n = n << 8 | byte(in);
    return n;
}

/* One of count, or none. */
static uint32_t choice(struct input *in, size_t count)
{
    uint32_t c = byte(in);
    c = count > 255 ? c << 8 | byte(in) : c;
    return c < count ? c : STACKS_NONE;
}

static const char *name(struct input *in, char *room)
{
    size_t len = byte(in) % MOST_NAME;
    for (size_t i = 0; i < len; i++)
        room[i] = (char)byte(in);
    room[len] = '\0';
    return room;
}

static void add_function(struct input *in, struct stacks *s)
{
    char shown[MOST_NAME], raw[MOST_NAME], file[MOST_NAME];
    struct stacks_function f = {.name = name(in, shown),
                                .raw = byte(in) & 1 ? name(in, raw) : NULL,
                                .file = name(in, file),
                                .module = choice(in, s->modules),
                                .kind = byte(in) % 4};
    stacks_function(s, &f);
}

static void add_sample(struct input *in, struct stacks *s, uint64_t *time_ns)
{
    uint64_t amounts[STACKS_MAX_VALUES];
    uint32_t thread = choice(in, s->threads), node = choice(in, s->nodes);
    for (size_t v = 0; v < s->values; v++)
        amounts[v] = number(in);
    *time_ns += byte(in);
    stacks_add(s, thread, node, *time_ns, amounts);
}

static void build(struct input *in, struct stacks *s)
{
    char path[MOST_NAME], id[MOST_NAME];
    uint64_t time_ns = number(in) >> 1;
    while (in->at < in->end)
        switch (byte(in) % 6) {
        case 0:
            stacks_module(s, name(in, path), name(in, id));
            break;
        case 1:
            add_function(in, s);
            break;
        case 2:
            stacks_frame(s, &(struct stacks_frame){.function = choice(in, s->functions),
                                                   .line = (uint32_t)number(in),
                                                   .address = number(in),
                                                   .inlined = byte(in) & 1});
            break;
        case 3:
            stacks_node(s, choice(in, s->nodes), choice(in, s->frames));
            break;
        case 4:
            stacks_thread(s, (uint32_t)number(in), (uint32_t)number(in), name(in, path));
            break;
        case 5:
            add_sample(in, s, &time_ns);
        }
}

static void start(struct input *in, struct stacks *s)
{
    enum { VALUES = 4 };
    static const struct stacks_value values[] = {
        {"samples", "count"}, {"calls", "count"}, {"space", "bytes"}, {"time", "nanoseconds"}};
    size_t first = byte(in) % VALUES;
    stacks_init(s, values + first, 1 + byte(in) % (VALUES - first));
    s->timed = byte(in) & 1;
    s->origin.period = number(in);
    s->origin.period_value = byte(in) % s->values;
    s->origin.start_ns = number(in);
    s->origin.lost = number(in);
}

static bool lines_only(const struct buf *out)
{
    for (size_t i = 0; i < out->len; i++)
        if ((unsigned char)out->data[i] < ' ' && out->data[i] != '\n')
            return false;
    return out->len && out->data[out->len - 1] == '\n';
}

static bool profile_whole(const struct buf *out)
{
    struct buf raw = BUF_INIT;
    bool whole = gunzip(out->data, out->len, MOST_UNPACKED, &raw) == 0 &&
                 pprof_check(buf_str(&raw), raw.len);
    buf_release(&raw);
    return whole;
}

static bool well_formed(const char *format, const struct buf *out)
{
    if (strcmp(format, "folded") == 0)
        return true;
    if (strcmp(format, "pprof") == 0)
        return profile_whole(out);
    if (strcmp(format, "callgrind") == 0)
        return lines_only(out);
    if (strcmp(format, "json") == 0 || strcmp(format, "speedscope") == 0 ||
        strcmp(format, "firefox") == 0)
        return json_check(buf_str(out), out->len);
    return out->len > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct input in = {bytes, bytes + len};
    struct stacks s;
    start(&in, &s);
    build(&in, &s);
    for (size_t i = 0; i < writer_count; i++) {
        struct buf out = BUF_INIT;
        if (writers[i].write(&s, NULL, &out) != 0 || !well_formed(writers[i].name, &out))
            abort();
        buf_release(&out);
    }
    stacks_release(&s);
    return 0;
}
