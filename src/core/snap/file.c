#include "core/snap/file.h"

#include "core/base/line.h"
#include "core/base/varint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t magic[8] = {'p', 's', 's', 'n', 'a', 'p', 0, 1};

/* --- writing --- */

void snap_file_start(struct buf *out)
{
    buf_add(out, magic, sizeof magic);
}

void snap_file_chunk(struct buf *out, enum snap_stream stream, const void *bytes, size_t len)
{
    put_varint(out, stream);
    put_varint(out, len);
    buf_add(out, bytes, len);
}

void snap_file_fact(struct buf *out, const char *key, const char *value)
{
    SCOPED_BUF line = BUF_INIT;
    buf_printf(&line, "%s ", key);
    for (const char *c = value; *c; c++)
        buf_addc(&line, *c == '\n' ? ' ' : *c);
    buf_addc(&line, '\n');
    snap_file_chunk(out, SNAP_FACTS, line.data, line.len);
    out->err = buf_error(&line) ? buf_error(&line) : out->err;
}

void snap_file_fact_u64(struct buf *out, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    snap_file_fact(out, key, text);
}

/* --- reading --- */

/* One chunk; what there is of one that was cut off. */
static int read_chunk(struct snap_file *s, struct varints *c)
{
    uint64_t stream = get_varint(c), want = get_varint(c);
    uint64_t left = (uint64_t)(c->end - c->at), len = want < left ? want : left;
    s->truncated = c->bad || want > left;
    if (!c->bad && stream > 0 && stream < SNAP_STREAMS)
        buf_add(&s->stream[stream], c->at, (size_t)len);
    s->ended = !s->truncated && stream == SNAP_END;
    c->at += len;
    return stream > 0 && stream < SNAP_STREAMS ? buf_error(&s->stream[stream]) : 0;
}

int snap_file_read(const uint8_t *bytes, size_t len, struct snap_file *out, struct fail *f)
{
    *out = (struct snap_file){0};
    if (len < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return fail_set(f, 0, "not a recording of snap");
    struct varints c = {bytes + sizeof magic, bytes + len, false};
    int r = 0;
    while (c.at < c.end && r == 0)
        r = read_chunk(out, &c);
    return r < 0 ? fail_set(f, -r, "recording of snap") : 0;
}

void snap_file_release(struct snap_file *s)
{
    for (size_t i = 0; i < SNAP_STREAMS; i++)
        buf_release(&s->stream[i]);
}

/* --- facts --- */

/* The value of a line that begins with key; *len without its end. NULL: it is another. */
static const char *value_of(const char *line, const char *end, const char *key, size_t *len)
{
    size_t n = strlen(key);
    if ((size_t)(end - line) <= n || memcmp(line, key, n) || line[n] != ' ')
        return NULL;
    *len = (size_t)(end - line) - n - 1;
    return line + n + 1;
}

static const char *find_fact(const struct snap_file *s, const char *key, size_t *len)
{
    const struct buf *facts = &s->stream[SNAP_FACTS];
    struct lines rest = lines_of(facts->data, facts->len);
    const char *value = NULL;
    for (struct line l; !value && line_next(&rest, &l);)
        value = value_of(l.at, l.end, key, len);
    return value;
}

bool snap_file_get(const struct snap_file *s, const char *key, struct buf *out)
{
    size_t len = 0;
    const char *value = find_fact(s, key, &len);
    for (size_t i = 0; value && i < len; i++)
        if ((unsigned char)value[i] >= ' ' && value[i] != 127)
            buf_addc(out, value[i]);
    return value != NULL;
}

uint64_t snap_file_u64(const struct snap_file *s, const char *key)
{
    SCOPED_BUF text = BUF_INIT;
    snap_file_get(s, key, &text);
    return strtoull(buf_str(&text), NULL, 10);
}
