/* Draws the table of core/report/io_top.h: two lines of sums, a header, rows, a line of keys. */
#include "core/report/io_top.h"
#include "core/text/counted.h"
#include "core/tui/styles.h"

#include <inttypes.h>
#include <stdio.h>

static const struct style ended = {.fg = COLOUR_YELLOW};

enum { WIDE = 72 }; /* narrower ones have no columns of calls, so that names fit */

struct amount {
    char text[16];
};

/* Three digits, and K, M, ... of 1024. */
static struct amount amount(double n)
{
    static const char units[] = " KMGTPE";
    struct amount a;
    size_t unit = 0;
    for (; n >= 999.5 && unit < sizeof units - 2; unit++)
        n /= 1024;
    if (unit == 0)
        snprintf(a.text, sizeof a.text, "%.0f", n);
    else
        snprintf(a.text, sizeof a.text, "%.*f%c", n < 9.95 ? 1 : 0, n, units[unit]);
    return a;
}

/* A second's, or all. */
static struct amount shown(const struct io_top *t, uint64_t n)
{
    if (t->all || !t->sum.span_ns)
        return amount((double)n);
    return amount((double)n * 1e9 / (double)t->sum.span_ns);
}

static void draw_devices(const struct io_top *t, struct canvas *c)
{
    const struct io_machine_sum *s = &t->sum;
    const char *rate = t->all ? "" : "/s";
    int x = canvas_put(c, 0, 0, bold, "iostats ");
    if (!t->rounds) {
        canvas_put(c, x, 0, plain, "waiting for the first second");
        return;
    }
    if (s->has_devices)
        canvas_printf(c, x, 0, plain, "devices: read %s%s, %s%s of it not attributed, wrote %s%s",
                      shown(t, s->device_read).text, rate, shown(t, s->unattributed).text, rate,
                      shown(t, s->device_written).text, rate);
    else
        canvas_put(c, x, 0, plain, "devices: not known");
}

static void draw_state(const struct io_top *t, struct canvas *c)
{
    static const char *const sorts[IO_SORTS] = {"bytes", "bytes", "read", "written",
                                                "opens", "calls", "name"};
    int x = canvas_printf(c, 0, 1, plain, "%s", counted(t->sum.processes, "process").text);
    if (t->sum.unreadable)
        x = canvas_printf(c, x, 1, plain, ", %zu not readable", t->sum.unreadable);
    x = canvas_printf(c, x, 1, plain, "; %s, sorted by %s", t->all ? "all so far" : "now",
                      sorts[t->sort]);
    if (t->filter[0] || t->typing)
        x = canvas_printf(c, x, 1, bold, "; /%s%s", t->filter, t->typing ? "_" : "");
    if (t->paused)
        canvas_put(c, x, 1, marked, " paused ");
}

static int draw_wait(const struct io_top *t, struct canvas *c, int x, int y, uint64_t wait_ns)
{
    double pct = t->sum.span_ns ? 100.0 * (double)wait_ns / (double)t->sum.span_ns : 0;
    return t->sum.has_wait ? canvas_printf(c, x, y, quiet, " %7.1f", pct) : x;
}

static void draw_row(const struct io_top *t, struct canvas *c, int y, size_t number)
{
    const struct io_machine_row *row = &t->row[number];
    const uint64_t *v = row->io.value;
    int x = row->pid ? canvas_printf(c, 0, y, plain, "%7d", row->pid) : 7;
    x = canvas_printf(c, x, y, plain, " %10s %10s", shown(t, v[PROC_IO_DISK_READ]).text,
                      shown(t, v[PROC_IO_DISK_WRITTEN]).text);
    if (c->width >= WIDE)
        x = canvas_printf(c, x, y, quiet, " %8s %8s %8s", shown(t, v[PROC_IO_READ]).text,
                          shown(t, v[PROC_IO_WRITTEN]).text,
                          shown(t, v[PROC_IO_READ_CALLS] + v[PROC_IO_WRITE_CALLS]).text);
    x = draw_wait(t, c, x, y, row->wait_ns);
    canvas_put(c, x + 2, y, row->of_ended ? ended : plain, row->name);
    if (number == t->list.cursor)
        canvas_restyle(c, 0, y, c->width, 1, marked);
}

static void draw_header(const struct io_top *t, struct canvas *c)
{
    static const char *const rates[] = {"disk rd/s", "disk wr/s", "read/s", "write/s", "calls/s"};
    static const char *const sums[] = {"disk read", "disk write", "read", "write", "calls"};
    const char *const *names = t->all ? sums : rates;
    int x = canvas_printf(c, 0, 2, bold, "%7s %10s %10s", "pid", names[0], names[1]);
    if (c->width >= WIDE)
        x = canvas_printf(c, x, 2, bold, " %8s %8s %8s", names[2], names[3], names[4]);
    if (t->sum.has_wait)
        x = canvas_printf(c, x, 2, bold, " %7s", "wait %");
    canvas_put(c, x + 2, 2, bold, "program");
}

static void draw_rows(const struct io_top *t, struct canvas *c)
{
    draw_header(t, c);
    for (int y = 3; y < c->height - 1; y++)
        if (t->list.first + (size_t)(y - 3) < t->list.count)
            draw_row(t, c, y, t->list.first + (size_t)(y - 3));
    if (t->rounds && !t->list.count)
        canvas_put(c, 2, 4, plain, t->filter[0] ? "nothing of that name" : "no I/O");
}

static void draw_help(struct canvas *c)
{
    static const char *const lines[] = {
        "s           sort by: bytes, read, written, calls, name",
        "a           sums of all so far, or what is done now",
        "/           show only programs with this text; esc: all",
        "space       pause the view; counting goes on",
        "arrows page home end, wheel, click    move the cursor",
        "q ^C        quit, and print the report",
        "",
        "disk        bytes read from devices; changed in files, to be written",
        "read write  bytes of calls, also from the cache, pipes and terminals",
        "wait %      time that its threads waited for devices",
        "(ended)     of children and threads that ended, not in another row",
        "K M G       1024 bytes, and so on",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        canvas_put(c, 4, 4 + i, plain, lines[i]);
}

void io_top_draw(const struct io_top *t, struct canvas *c)
{
    const char *keys = "q end h help  a all/now  s sort / filter space stop";
    canvas_clear(c);
    draw_devices(t, c);
    draw_state(t, c);
    if (t->help)
        draw_help(c);
    else
        draw_rows(t, c);
    canvas_put(c, 0, c->height - 1, quiet, t->answer.text[0] ? t->answer.text : keys);
}
