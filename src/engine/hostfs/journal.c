#include "engine/hostfs/journal.h"

#include "core/io/report.h"
#include "plat/clock.h"
#include "plat/file.h"

#include <string.h>

enum { FLUSH = 1 << 16 };

static int close_file(struct journal_file *to, struct fail *f)
{
    int r = to->handle < 0 ? 0 : file_finish(to->handle, to->name, f);
    to->handle = -1;
    buf_release(&to->text);
    return r;
}

static bool is_log(const char *path)
{
    struct image file;
    if (file_map_regular(path, &file, NULL) < 0)
        return false;
    bool is = io_log_detect((const char *)file.data, file.len);
    file_unmap(&file);
    return is;
}

int journal_open(struct journal *j, const char *log, const char *trace, bool force, struct fail *f)
{
    *j = (struct journal){.log = {.handle = -1, .name = log},
                          .trace = {.handle = -1, .name = trace}};
    if (trace && (j->trace.handle = file_create_private(trace, force, f)) < 0)
        return j->trace.handle;
    if (log && (j->log.handle = file_create_private(log, force || is_log(log), f)) < 0) {
        close_file(&j->trace, NULL);
        return j->log.handle;
    }
    return 0;
}

bool journal_wanted(const struct journal *j)
{
    return j->log.handle >= 0 || j->trace.handle >= 0;
}

void journal_start(struct journal *j, const char *title)
{
    j->origin_ns = clock_mono_ns();
    buf_clear(&j->trace.text);
    io_chrome_start(&j->chrome, &j->trace.text, title);
}

/* A full disk: the command goes on. */
static void cut_short(struct journal *j, struct journal_file *to, const struct fail *f)
{
    buf_printf(&j->cut, "%s%s: %s", j->cut.len ? ", " : "", f->what, strerror(f->err));
    close_file(to, NULL);
}

static void flush_file(struct journal *j, struct journal_file *to)
{
    struct fail f;
    int r = buf_error(&to->text);
    if (r < 0)
        fail_set(&f, -r, "%s", to->name);
    else if (to->handle >= 0 && to->text.len)
        r = file_append(to->handle, to->text.data, to->text.len, to->name, &f);
    buf_clear(&to->text);
    if (r < 0)
        cut_short(j, to, &f);
}

static void end_file(struct journal *j, struct journal_file *to)
{
    struct fail f;
    flush_file(j, to);
    if (close_file(to, &f) < 0)
        cut_short(j, to, &f);
}

void journal_add(struct journal *j, int tid, const struct io_done *done, const char *path,
                 int error)
{
    journal_add_words(j, tid, done, path, error ? strerror(error) : NULL);
}

void journal_add_words(struct journal *j, int tid, const struct io_done *done, const char *path,
                       const char *error)
{
    const struct io_log line = {
        .origin_ns = j->origin_ns, .done = done, .path = path, .error = error};
    if (j->log.handle >= 0)
        io_log_line(&line, &j->log.text);
    if (j->trace.handle >= 0)
        io_chrome_add(&j->chrome, tid, &line);
    if (j->log.text.len > FLUSH)
        flush_file(j, &j->log);
    if (j->trace.text.len > FLUSH)
        flush_file(j, &j->trace);
}

const char *journal_end(struct journal *j)
{
    if (j->trace.handle >= 0)
        io_chrome_end(&j->chrome);
    end_file(j, &j->log);
    end_file(j, &j->trace);
    return j->cut.len ? buf_str(&j->cut) : NULL;
}

void journal_close(struct journal *j)
{
    close_file(&j->log, NULL);
    close_file(&j->trace, NULL);
    buf_release(&j->cut);
}
