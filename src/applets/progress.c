#include "applets/progress.h"

#include "plat/clock.h"
#include "plat/tty.h"

#include <stdio.h>

void progress_start(struct progress *p, bool wanted)
{
    *p = (struct progress){.start_ns = clock_mono_ns(), .width = wanted ? tty_err_width() : 0};
}

bool progress_due(struct progress *p, size_t *width, uint64_t *spent_ns)
{
    const uint64_t delay_ns = 2000000000u, interval_ns = 200000000u;
    if (!p->width)
        return false;
    uint64_t now_ns = clock_mono_ns();
    *width = (size_t)p->width - 1;
    *spent_ns = now_ns - p->start_ns;
    if (*spent_ns < delay_ns || now_ns - p->drawn_ns < interval_ns)
        return false;
    p->drawn_ns = now_ns;
    return true;
}

void progress_draw(const struct progress *p, const char *line)
{
    fprintf(stderr, "%-*s\r", p->width - 1, line); /* an echoed ^C then stays on this line */
    fflush(stderr);
}

void progress_wipe(const struct progress *p)
{
    if (p->drawn_ns)
        fprintf(stderr, "%*s\r", p->width - 1, "");
}
