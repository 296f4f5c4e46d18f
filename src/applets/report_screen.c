#include "applets/report_screen.h"

#include "core/base/buf.h"
#include "core/text/shown.h"
#include "plat/tty.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { PROMPT_LINES = 1, MAX_ROWS = 1000000000 };

void report_screen(struct report_size *size, bool err, size_t lines_behind)
{
    int width, height;
    size->width = size->height = 0;
    if (!tty_stream_size(err, &width, &height))
        return;
    size->width = (size_t)width;
    size->height = (size_t)height > PROMPT_LINES + lines_behind
                       ? (size_t)height - PROMPT_LINES - lines_behind
                       : 1;
}

int report_rows_opt(const struct opt_state *s, struct report_size *size)
{
    uint64_t rows = 0;
    size->all = strcmp(s->arg, "all") == 0;
    if (!size->all && opt_u64(s, 1, MAX_ROWS, &rows) < 0)
        return -1;
    size->rows = (size_t)rows;
    return 1;
}

void report_below_interrupt(int signal)
{
    int width, height;
    if (signal != SIGINT || !tty_stream_size(true, &width, &height))
        return;
    applet_flush();
    fputc('\n', stderr);
}

void report_wrote(const char *path, const char *opened)
{
    SCOPED_BUF line = BUF_INIT;
    int width, height;
    if (strcmp(path, "-") == 0 || !tty_stream_size(true, &width, &height))
        return;
    buf_printf(&line, "wrote %s", path);
    for (const char *c = opened ? opened : ""; *c; c++) {
        buf_adds(&line, c == opened ? " (" : "");
        if (*c == '%')
            buf_adds(&line, path);
        else
            buf_addc(&line, *c);
    }
    buf_adds(&line, opened ? ")" : "");
    shown_message(&line);
    applet_flush();
    fprintf(stderr, "%s\n", buf_str(&line));
}
