#include "read.h"

#include "plat/clock.h"

#include <errno.h>
#include <stdio.h>

enum { FIRST_BYTES = 4096, FILE_REST = 5 };

static const char *const names[STATS_FILES] = {
    [STATS_SYSSTAT] = "#c/sysstat",           [STATS_SWAP] = "#c/swap",
    [STATS_ETHER_STATS] = "#l0/ether0/stats", [STATS_IFSTATS] = "#l0/ether0/ifstats",
    [STATS_APM] = "/mnt/apm/battery",         [STATS_BATTERY] = "#c/battery",
    [STATS_CPUTEMP] = "#c/cputemp",           [STATS_CPUSTAT] = "#c/cpustat",
    [STATS_DISKSTAT] = "#c/diskstat",         [STATS_NETSTAT] = "#c/netstat",
    [STATS_MEMSTAT] = "#c/memstat",           [STATS_PRESSURE] = "#c/pressure",
};

static void close_file(struct stats_watch_file *file)
{
    ns_close(file->open);
    file->open = NULL;
    buf_clear(&file->text);
}

void stats_read_close(struct stats_source *s)
{
    for (size_t i = 0; i < STATS_FILES; i++)
        close_file(&s->file[i]);
    close_file(&s->absent);
}

void stats_read_release(struct stats_source *s)
{
    stats_read_close(s);
    for (size_t i = 0; i < STATS_FILES; i++)
        buf_release(&s->file[i].text);
    buf_release(&s->absent.text);
}

int stats_read_handle(const struct stats_source *s)
{
    for (size_t i = 0; i < STATS_FILES; i++)
        if (s->due & 1u << i && s->file[i].open)
            return ns_handle(s->file[i].open);
    return -1;
}

/* To the end of the file: 0; -EINPROGRESS: not yet. */
static int read_text(struct ns_file *file, struct buf *text, struct fail *f)
{
    for (;;) {
        size_t avail = text->cap > text->len + 1 ? text->cap - text->len - 1 : FIRST_BYTES;
        void *at = buf_reserve(text, avail);
        if (!at)
            return fail_set(f, ENOMEM, "its text");
        long n = ns_read(file, text->len, at, avail, f);
        if (n <= 0)
            return (int)n;
        buf_commit(text, (size_t)n);
        if (text->len > STATS_WATCH_TEXT)
            return fail_set(f, EFBIG, "its text");
    }
}

/* -EINPROGRESS also when its connection broke: it is opened again on the next one. */
static int read_file(const struct stats_source *s, struct stats_watch_file *file, const char *name,
                     struct fail *f)
{
    int r = 0;
    if (!file->open)
        r = ns_open(s->ns, name, NS_READ, &file->open, f);
    if (r == 0)
        r = read_text(file->open, &file->text, f);
    if (r != -ENOTCONN)
        return r;
    close_file(file);
    return -EINPROGRESS;
}

static void mark_missing(struct stats_source *s, enum stats_file file, const struct fail *f)
{
    SCOPED_BUF why = BUF_INIT;
    buf_printf(&why, "%s: %s%s%s", names[file], ns_error(f), f->hint[0] ? "; " : "", f->hint);
    stats_meter_set_missing(&s->meter, file, buf_str(&why));
    s->file[file].retry_in = FILE_REST;
    close_file(&s->file[file]);
}

static void finish_file(struct stats_source *s, enum stats_file file)
{
    struct buf *text = &s->file[file].text;
    s->has_answered = true;
    stats_meter_add(&s->meter, file, buf_str(text), text->len, s->last_ns);
    buf_clear(text);
    if (s->reopens)
        close_file(&s->file[file]);
}

static int step_file(struct stats_source *s, enum stats_file file)
{
    struct fail f = {.err = 0};
    int r = read_file(s, &s->file[file], names[file], &f);
    if (ns_would_block(r))
        return r;
    s->last_ns = clock_mono_ns();
    s->due &= ~(1u << file);
    if (r == 0)
        finish_file(s, file);
    else
        mark_missing(s, file, &f);
    return 0;
}

/* Once: a machine's reasons stay what they are. */
static int ask_absent(struct stats_source *s)
{
    if (s->asked || !s->meter.has_absent)
        return 0;
    int r = read_file(s, &s->absent, "#c/absent", NULL);
    if (ns_would_block(r))
        return r;
    s->asked = true;
    if (r == 0)
        stats_meter_absent(&s->meter, buf_str(&s->absent.text), s->absent.text.len);
    close_file(&s->absent);
    return 0;
}

int stats_read_step(struct stats_source *s)
{
    int r = 0;
    for (size_t i = 0; i < STATS_FILES; i++)
        if (s->due & 1u << i && step_file(s, (enum stats_file)i) < 0)
            r = -EINPROGRESS;
    return ask_absent(s) < 0 ? -EINPROGRESS : r;
}
