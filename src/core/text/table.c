#include "core/text/table.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/text/shown.h"
#include "core/text/text_fold.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table_column {
    bool right, hidden;
    int decimals;
};

static size_t width_of(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* Takes text over. */
static void push_cell(struct table *t, char *text)
{
    if (text && grow(&t->cell, &t->cap, t->cells, sizeof *t->cell)) {
        t->cell[t->cells++] = text;
        return;
    }
    free(text);
    t->err = -ENOMEM;
}

int table_init(struct table *t, const char *columns)
{
    *t = (struct table){0};
    const char *at = columns, *word;
    size_t len;
    while (text_word(&at, &word, &len))
        t->columns++;
    t->column = calloc(t->columns ? t->columns : 1, sizeof *t->column);
    if (!t->column)
        return t->err = -ENOMEM;
    at = columns;
    for (size_t i = 0; text_word(&at, &word, &len); i++) {
        bool has_decimals = len > 2 && word[len - 2] == '.';
        t->column[i].right = word[0] == '>';
        t->column[i].decimals = has_decimals ? word[len - 1] - '0' : 0;
        char *head = strndup(word + 1, len - 1 - 2 * has_decimals);
        for (char *c = head; c && *c; c++)
            if (*c == '_')
                *c = ' ';
        push_cell(t, head);
    }
    return t->err;
}

void table_release(struct table *t)
{
    for (size_t i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    free(t->column);
    *t = (struct table){0};
}

void table_cell(struct table *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text;
    if (vasprintf(&text, fmt, ap) < 0)
        text = NULL;
    va_end(ap);
    if (text)
        shown_word(text);
    if (t->err)
        free(text);
    else
        push_cell(t, text);
}

static void add_value(struct table *t, const struct text_value *v)
{
    if (v->type == VALUE_DOUBLE)
        table_cell(t, "%.*f", t->column[t->cells % t->columns].decimals, v->number);
    else if (v->type == VALUE_TEXT)
        table_cell(t, "%s", v->text ? v->text : "-");
    else if (v->type == VALUE_I64)
        table_cell(t, "%" PRId64, v->i64);
    else
        table_cell(t, "%" PRIu64, v->u64);
}

void table_add_cells(struct table *t, const struct text_value *values)
{
    for (; !t->err && values->type != VALUE_END; values++)
        add_value(t, values);
}

static void add_padding(struct buf *out, size_t n)
{
    buf_printf(out, "%*s", (int)n, "");
}

static void print_row(const struct table *t, char **cell, const size_t *width, struct buf *out,
                      size_t limit)
{
    size_t at = 0, last = t->columns - 1;
    while (last && t->column[last].hidden)
        last--;
    for (size_t i = 0; i <= last; i++) {
        if (t->column[i].hidden)
            continue;
        size_t w = width_of(cell[i]), gap = width[i] > w ? width[i] - w : 0;
        if (t->column[i].right)
            add_padding(out, gap);
        if (i == last && !t->column[i].right && limit > at + 20 && w > limit - at)
            text_fold(out, cell[i], limit - at, at);
        else
            buf_adds(out, cell[i]);
        if (i < last && !t->column[i].right)
            add_padding(out, gap);
        if (i < last)
            buf_adds(out, "  ");
        at += width[i] + 2;
    }
    while (out->len && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
    buf_addc(out, '\n');
}

/* Of each column; NULL: no memory. */
static size_t *measure_columns(const struct table *t)
{
    size_t rows = t->cells / t->columns;
    size_t *width = calloc(t->columns, sizeof *width);
    for (size_t i = 0; width && i < rows * t->columns; i++) {
        size_t w = width_of(t->cell[i]);
        if (w > width[i % t->columns])
            width[i % t->columns] = w;
    }
    return width;
}

static size_t line_width(const struct table *t, const size_t *width)
{
    size_t sum = 0;
    for (size_t i = 0; i < t->columns; i++)
        if (!t->column[i].hidden)
            sum += width[i] + (sum ? 2 : 0);
    return sum;
}

static bool is_header(const char *head, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (head[i] != (word[i] == '_' ? ' ' : word[i]))
            return false;
    return head[len] == '\0';
}

static void hide_column(struct table *t, const char *word, size_t len, struct buf *left_out)
{
    for (size_t i = 0; i < t->columns; i++)
        if (!t->column[i].hidden && is_header(t->cell[i], word, len)) {
            t->column[i].hidden = true;
            buf_printf(left_out, "%s%s", left_out->len ? ", " : "", t->cell[i]);
        }
}

int table_fit(struct table *t, size_t limit, const char *spare, struct buf *left_out)
{
    const char *word;
    size_t len;
    SCOPED_FREE size_t *width = t->err || !t->columns ? NULL : measure_columns(t);
    if (!width)
        return t->err ? t->err : -ENOMEM;
    while (line_width(t, width) > limit && text_word(&spare, &word, &len))
        hide_column(t, word, len, left_out);
    return 0;
}

int table_print(struct table *t, struct buf *out, size_t limit)
{
    SCOPED_FREE size_t *width = t->err || !t->columns ? NULL : measure_columns(t);
    for (size_t r = 0; width && r < t->cells / t->columns; r++)
        print_row(t, t->cell + r * t->columns, width, out, limit);
    if (!width && !out->err)
        out->err = -ENOMEM;
    table_release(t);
    return buf_error(out);
}
