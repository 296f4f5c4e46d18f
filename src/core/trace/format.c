#include "core/trace/format.h"

#include "core/base/bytes.h"
#include "core/base/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 256 };

/* The next line, cut to fit, as a string; false at the end. */
static bool next_line(struct lines *rest, char line[LINE_BYTES])
{
    struct line next;
    if (!line_next(rest, &next))
        return false;
    size_t len = line_len(next), kept = len < LINE_BYTES - 1 ? len : LINE_BYTES - 1;
    memcpy(line, next.at, kept);
    line[kept] = '\0';
    return true;
}

/* The number behind KEY: on a field's line. */
static bool number_of(const char *line, const char *key, uint32_t *out)
{
    const char *at = strstr(line, key);
    char *stop;
    unsigned long v = at ? strtoul(at + strlen(key), &stop, 10) : 0;
    if (!at || stop == at + strlen(key) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static void copy_name(char *to, const char *name, size_t len)
{
    size_t kept = len < TRACE_NAME_BYTES - 1 ? len : TRACE_NAME_BYTES - 1;
    memcpy(to, name, kept);
    to[kept] = '\0';
}

/* `TYPE NAME[N]`: the last word, without what is in brackets. */
static void parse_declaration(struct trace_field *f, const char *text, size_t len)
{
    while (len && text[len - 1] == ']')
        do
            len--;
        while (len && text[len] != '[');
    size_t start = len;
    while (start && text[start - 1] != ' ' && text[start - 1] != '*')
        start--;
    copy_name(f->name, text + start, len - start);
}

static bool parse_field(const char *line, struct trace_field *f)
{
    const char *at = strstr(line, "field:");
    const char *stop = at ? strchr(at, ';') : NULL;
    uint32_t is_signed = 0;
    if (!stop || !number_of(stop, "offset:", &f->offset) || !number_of(stop, "size:", &f->size))
        return false;
    number_of(stop, "signed:", &is_signed);
    f->is_signed = is_signed != 0;
    at += strlen("field:");
    f->data_loc = strncmp(at, "__data_loc", 10) == 0;
    f->rel_loc = strncmp(at, "__rel_loc", 9) == 0;
    parse_declaration(f, at, (size_t)(stop - at));
    return true;
}

/* --- letters of states: ... REC->prev_state ..., "|", { 0x1, "S" }, { 0x2, "D" } ... */

static const char *find_word(const char *at, const char *end, const char *word)
{
    return memmem(at, (size_t)(end - at), word, strlen(word));
}

static const char *parse_state(const char *at, const char *end, struct trace_format *f)
{
    char text[32] = "", *stop;
    size_t len = (size_t)(end - at) < sizeof text - 1 ? (size_t)(end - at) : sizeof text - 1;
    memcpy(text, at, len);
    unsigned long bit = strtoul(text + 1, &stop, 0);
    const char *quote = strchr(stop, '"');
    if (quote && quote[1] && quote[2] == '"' && bit && bit <= 0xffff)
        f->state[f->states++] = (struct trace_state){(uint32_t)bit, quote[1]};
    return at + 1;
}

static void parse_states(const char *at, const char *end, struct trace_format *f)
{
    at = find_word(at, end, "prev_state");
    const char *last = at ? find_word(at, end, "})") : NULL;
    end = last ? last : end;
    while (at && f->states < TRACE_STATES_MAX && (at = memchr(at, '{', (size_t)(end - at))))
        at = parse_state(at, end, f);
}

int trace_format_read(const char *text, size_t len, struct trace_format *out)
{
    struct lines rest = lines_of(text, len);
    char line[LINE_BYTES];
    struct trace_format f = {.id = UINT32_MAX};
    while (next_line(&rest, line)) {
        struct trace_field field = {0};
        if (strncmp(line, "name: ", 6) == 0)
            copy_name(f.name, line + 6, strlen(line + 6));
        else if (strncmp(line, "ID: ", 4) == 0 && !number_of(line, "ID: ", &f.id))
            return -EINVAL;
        else if (parse_field(line, &field) && f.fields == TRACE_FIELDS_MAX)
            return -EINVAL;
        else if (field.name[0])
            f.field[f.fields++] = field;
    }
    if (!f.name[0] || f.id > UINT16_MAX || !f.fields)
        return -EINVAL;
    const char *print = find_word(text, rest.end, "print fmt:");
    if (print)
        parse_states(print, rest.end, &f);
    *out = f;
    return 0;
}

const struct trace_field *trace_format_field(const struct trace_format *f, const char *name)
{
    for (size_t i = 0; i < f->fields; i++)
        if (strcmp(f->field[i].name, name) == 0)
            return &f->field[i];
    return NULL;
}

bool trace_format_copy(const struct trace_format *f, const char *name, struct trace_field *out)
{
    const struct trace_field *field = trace_format_field(f, name);
    if (field)
        *out = *field;
    return field != NULL;
}

/* --- records --- */

static bool is_inside(uint64_t offset, uint64_t size, size_t len)
{
    return offset <= len && size <= len - offset;
}

int64_t trace_field_number(const struct trace_field *f, const uint8_t *record, size_t len)
{
    if (!f || !is_inside(f->offset, f->size, len))
        return 0;
    const uint8_t *at = record + f->offset;
    switch (f->size) {
    case 1:
        return f->is_signed ? (int8_t)*at : *at;
    case 2:
        return f->is_signed ? (int16_t)get_le16(at) : get_le16(at);
    case 4:
        return f->is_signed ? (int32_t)get_le32(at) : (int64_t)get_le32(at);
    case 8:
        return (int64_t)get_le64(at);
    default:
        return 0;
    }
}

const char *trace_field_text(const struct trace_field *f, const uint8_t *record, size_t len,
                             size_t *size)
{
    *size = 0;
    if (!f || !is_inside(f->offset, f->size, len))
        return "";
    uint64_t at = f->offset, bytes = f->size ? f->size : len - at;
    if (f->data_loc || f->rel_loc) {
        if (f->size != 4)
            return "";
        uint32_t loc = get_le32(record + f->offset);
        at = (loc & 0xffff) + (f->rel_loc ? f->offset + 4 : 0);
        bytes = loc >> 16;
        if (!is_inside(at, bytes, len))
            return "";
    }
    const char *text = (const char *)record + at;
    *size = strnlen(text, (size_t)bytes);
    return text;
}

/* --- the page --- */

int trace_page_layout_read(const char *text, size_t len, struct trace_page_layout *out)
{
    struct lines rest = lines_of(text, len);
    char line[LINE_BYTES];
    struct trace_page_layout l = {0};
    while (next_line(&rest, line)) {
        struct trace_field f = {0};
        if (!parse_field(line, &f))
            continue;
        if (strcmp(f.name, "commit") == 0) {
            l.commit_at = f.offset;
            l.commit_size = f.size;
        } else if (strcmp(f.name, "data") == 0 && f.size <= TRACE_PAGE_MAX &&
                   f.offset <= TRACE_PAGE_MAX) {
            l.data_at = f.offset;
            l.page_size = f.offset + f.size;
        }
    }
    bool sane = l.commit_at == 8 && (l.commit_size == 4 || l.commit_size == 8) &&
                l.data_at >= l.commit_at + l.commit_size && l.page_size >= l.data_at + 64;
    if (!sane)
        return -EINVAL;
    *out = l;
    return 0;
}
