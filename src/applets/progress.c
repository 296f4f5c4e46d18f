#include "applets/progress.h"

#include "core/base/buf.h"
#include "core/text/shown.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "plat/tty.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WIDTH = 160 }; /* of a line that is drawn over and over: a serial console is slow */

void progress_start(struct progress *p, bool wanted)
{
    int width = 0, height;
    if (wanted && !tty_stream_size(true, &width, &height))
        width = 0;
    if (width > MAX_WIDTH)
        width = MAX_WIDTH;
    *p = (struct progress){.start_ns = clock_mono_ns(), .width = width};
}

void progress_begin(struct progress *p, const char *what, ...)
{
    SCOPED_BUF words = BUF_INIT, line = BUF_INIT;
    va_list ap;
    if (!p->width || p->begun)
        return;
    p->begun = true;
    va_start(ap, what);
    buf_vprintf(&words, what, ap);
    va_end(ap);
    shown_adds(&line, buf_str(&words));
    fprintf(stderr, "%s, Ctrl-C ends\n", buf_str(&line));
    fflush(stderr);
}

uint64_t progress_spent_ns(const struct progress *p)
{
    return clock_mono_ns() - p->start_ns;
}

bool progress_due(struct progress *p)
{
    const uint64_t delay_ns = 2000000000u, interval_ns = 1000000000u;
    if (!p->width)
        return false;
    uint64_t now_ns = clock_mono_ns();
    p->spent_ns = now_ns - p->start_ns;
    if (p->spent_ns < delay_ns || now_ns - p->drawn_ns < interval_ns)
        return false;
    p->drawn_ns = now_ns;
    return true;
}

void progress_draw(struct progress *p, const char *line, ...)
{
    char text[MAX_WIDTH];
    va_list ap;
    va_start(ap, line);
    int len = vsnprintf(text, sizeof text, line, ap);
    va_end(ap);
    if (len >= p->width)
        return;
    fprintf(stderr, "%-*s\r", p->width - 1, text); /* an echoed ^C then stays on this line */
    fflush(stderr);
    p->drawn = true;
}

bool progress_line_due(struct progress *p)
{
    const uint64_t first_ns = 2000000000u;
    if (!p->width)
        return false;
    p->spent_ns = progress_spent_ns(p);
    if (p->spent_ns < (p->line_ns ? p->line_ns : first_ns))
        return false;
    p->line_ns = 2 * p->spent_ns;
    return true;
}

void progress_line(const struct progress *p, const char *line)
{
    fprintf(stderr, "%.*s\n", p->width - 1, line);
    fflush(stderr);
}

void progress_wipe(struct progress *p)
{
    if (p->drawn || p->begun)
        fprintf(stderr, "\r%*s\r", p->width - 1, "");
    fflush(stderr);
    p->drawn = false;
}

void progress_process(struct buf *out, int pid)
{
    SCOPED_BUF name = BUF_INIT;
    buf_printf(out, "pid %d", pid);
    if (proc_text(pid, "comm", &name, NULL) == 0 && name.len)
        buf_printf(out, " (%.*s)", (int)strcspn(buf_str(&name), "\n"), buf_str(&name));
}
