/* Lines of a report on a terminal: how many, and none wider than it. */
#include "core/base/buf.h"
#include "core/base/line.h"
#include "core/text/name_fit.h"
#include "core/text/report_fit.h"

#include <string.h>

enum { TAB = 8, INDENT = 4 };

/* Where the cursor is behind len bytes that begin at column. */
static size_t column_behind(const char *text, size_t len, size_t column)
{
    for (size_t i = 0; i < len; i++) {
        size_t plain = 0;
        while (i + plain < len && text[i + plain] != '\t')
            plain++;
        column += text_columns(text + i, plain);
        i += plain;
        if (i < len)
            column += TAB - column % TAB;
    }
    return column;
}

/* How many bytes of a line fit, without the blank behind them; all of them when nothing can be
 * broken. */
static size_t fitting_bytes(const char *line, size_t len, size_t indent, size_t width)
{
    size_t fits = 0, start = strspn(line, " \t");
    for (size_t i = start; i < len; i++) {
        if (line[i] != ' ')
            continue;
        if (fits && column_behind(line, i, indent) > width)
            return fits;
        fits = i;
    }
    return fits && column_behind(line, len, indent) > width ? fits : len;
}

static void fold_line(struct buf *out, const char *line, size_t len, size_t width)
{
    size_t indent = 0;
    for (;;) {
        size_t fits = fitting_bytes(line, len, indent, width);
        buf_add(out, line, fits);
        buf_addc(out, '\n');
        line += fits;
        len -= fits;
        size_t blanks = strspn(line, " ");
        if (blanks >= len)
            return;
        line += blanks;
        len -= blanks;
        indent = width > 4 * INDENT ? INDENT : 0;
        buf_printf(out, "%*s", (int)indent, "");
    }
}

/* As many characters as leave two columns. */
static void clip_line(struct buf *out, const char *line, size_t len, size_t width)
{
    static const char mark[] = "..";
    size_t fits = 0, column = 0, room = width < sizeof mark ? 0 : width - (sizeof mark - 1);
    while (fits < len) {
        size_t next = fits + 1;
        while (next < len && ((unsigned char)line[next] & 0xc0) == 0x80)
            next++;
        column = column_behind(line + fits, next - fits, column);
        if (column > room)
            break;
        fits = next;
    }
    buf_add(out, line, fits);
    buf_printf(out, "%s\n", mark);
}

typedef void shorten_line(struct buf *out, const char *line, size_t len, size_t width);

static void shorten_lines(struct buf *text, size_t from, size_t width, shorten_line *shorten)
{
    SCOPED_BUF short_lines = BUF_INIT;
    if (!width || text->len <= from)
        return;
    struct lines rest = lines_of(text->data + from, text->len - from);
    for (struct line l; line_next(&rest, &l);)
        if (column_behind(l.at, line_len(l), 0) > width)
            shorten(&short_lines, l.at, line_len(l), width);
        else
            buf_add(&short_lines, l.at, (size_t)(rest.at - l.at));
    text->len = from;
    buf_add(text, short_lines.data, short_lines.len);
}

void report_fold(struct buf *text, size_t from, size_t width)
{
    shorten_lines(text, from, width, fold_line);
}

void report_clip(struct buf *text, size_t from, size_t width)
{
    shorten_lines(text, from, width, clip_line);
}

size_t report_lines(const char *text, size_t len, size_t width)
{
    size_t lines = 0;
    struct lines rest = lines_of(text, len);
    for (struct line l; line_next(&rest, &l);) {
        size_t columns = width ? column_behind(l.at, line_len(l), 0) : 0;
        lines += columns ? (columns + width - 1) / width : 1;
    }
    return lines;
}
