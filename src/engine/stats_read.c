#include "stats_read.h"

#include "plat/clock.h"

#include <errno.h>
#include <stdio.h>

enum { FIRST_BYTES = 4096, FILE_REST = 5 };

static const char *const names[STATS_FILES] = {
    [STATS_SYSSTAT] = "#c/sysstat",           [STATS_SWAP] = "#c/swap",
    [STATS_ETHER_STATS] = "#l0/ether0/stats", [STATS_IFSTATS] = "#l0/ether0/ifstats",
    [STATS_APM] = "/mnt/apm/battery",         [STATS_BATTERY] = "#c/battery",
    [STATS_CPUTEMP] = "#c/cputemp",
};

static enum stats_file first_due(const struct stats_source *s)
{
    return (enum stats_file)__builtin_ctz(s->due);
}

static void close_file(struct stats_source *s, enum stats_file file)
{
    ns_close(s->file[file].open);
    s->file[file].open = NULL;
}

static void close_absent(struct stats_source *s)
{
    ns_close(s->absent);
    s->absent = NULL;
}

void stats_read_close(struct stats_source *s)
{
    for (size_t i = 0; i < STATS_FILES; i++)
        close_file(s, (enum stats_file)i);
    close_absent(s);
    buf_clear(&s->text);
}

int stats_read_handle(const struct stats_source *s)
{
    struct ns_file *file = s->due ? s->file[first_due(s)].open : NULL;
    return file ? ns_handle(file) : -1;
}

/* To the end of the file: 0; -EAGAIN: not yet. */
static int read_text(struct ns_file *file, struct buf *text, struct fail *f)
{
    for (;;) {
        size_t room = text->cap > text->len + 1 ? text->cap - text->len - 1 : FIRST_BYTES;
        void *at = buf_room(text, room);
        if (!at)
            return fail_set(f, ENOMEM, "its text");
        long n = ns_read(file, text->len, at, room, f);
        if (n <= 0)
            return (int)n;
        buf_grew(text, (size_t)n);
        if (text->len > STATS_WATCH_TEXT)
            return fail_set(f, EFBIG, "its text");
    }
}

static void lacks(struct stats_source *s, enum stats_file file, const struct fail *f)
{
    char why[STATS_WHY];
    snprintf(why, sizeof why, "%.24s: %.50s", names[file], ns_error(f));
    stats_meter_lack(&s->meter, file, why);
    s->file[file].rest = FILE_REST;
    close_file(s, file);
}

static int read_file(struct stats_source *s, enum stats_file file, struct fail *f)
{
    int r = 0;
    if (!s->file[file].open)
        r = ns_open(s->ns, names[file], NS_READ, &s->file[file].open, f);
    return r < 0 ? r : read_text(s->file[file].open, &s->text, f);
}

/* Once: a machine's reasons stay what they are. -EAGAIN: it has not answered yet. */
static int ask_absent(struct stats_source *s)
{
    int r = 0;
    if (s->asked || !s->meter.asks)
        return 0;
    if (!s->absent)
        r = ns_open(s->ns, "#c/absent", NS_READ, &s->absent, NULL);
    if (r == 0)
        r = read_text(s->absent, &s->text, NULL);
    if (r == -EAGAIN)
        return r;
    s->asked = r != -ENOTCONN;
    if (r == 0)
        stats_meter_absent(&s->meter, buf_str(&s->text), s->text.len);
    close_absent(s);
    buf_clear(&s->text);
    return 0;
}

int stats_read_step(struct stats_source *s)
{
    while (s->due) {
        enum stats_file file = first_due(s);
        struct fail f = {.err = 0};
        int r = read_file(s, file, &f);
        if (r == -ENOTCONN) { /* what is open is of a connection that broke */
            stats_read_close(s);
            r = read_file(s, file, &f);
        }
        if (r == -EAGAIN)
            return r;
        s->last_ns = clock_mono_ns();
        s->due &= s->due - 1;
        if (r == 0) {
            s->ever = true;
            stats_meter_take(&s->meter, file, buf_str(&s->text), s->text.len, s->last_ns);
        } else {
            lacks(s, file, &f);
        }
        if (s->reopens)
            close_file(s, file);
        buf_clear(&s->text);
    }
    return ask_absent(s);
}
