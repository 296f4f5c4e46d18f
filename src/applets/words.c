/* What applets say, and where. */
#include "applets/applet.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/report_fit.h"
#include "core/text/shown.h"
#include "plat/file.h"
#include "plat/tty.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PART_BYTES = 1 << 16 };

static int output_err;   /* why standard output failed first */
static bool report_lost; /* one that standard error did not take */

void applet_flush(void)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && !output_err)
        output_err = errno ? errno : EIO;
}

int applet_output_error(void)
{
    applet_flush();
    return ferror(stdout) ? output_err : 0;
}

/* `NAME: ', words, newline; words hold what files, processes and other machines are called. */
static void print_line(const struct applet *a, struct buf *words)
{
    shown_message(words);
    applet_flush();
    fprintf(stderr, "%s: %s\n", a->name, buf_str(words));
    buf_release(words);
}

static void print_message(const struct applet *a, const char *fmt, va_list ap)
{
    struct buf words = BUF_INIT;
    buf_vprintf(&words, fmt, ap);
    print_line(a, &words);
}

int applet_error(const struct applet *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print_message(a, fmt, ap);
    va_end(ap);
    return FAILED;
}

/* A hint stays one line: its command can be copied from the terminal. */
static void fold_message(struct buf *text)
{
    int width, height;
    if (!strstr(buf_str(text), ": hint: ") && tty_stream_size(true, &width, &height))
        report_fold(text, 0, (size_t)width);
}

void applet_warn(const struct applet *a, const char *fmt, ...)
{
    SCOPED_BUF text = BUF_INIT, words = BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&words, fmt, ap);
    va_end(ap);
    shown_message(&words);
    buf_printf(&text, "%s: %s\n", a->name, buf_str(&words));
    fold_message(&text);
    applet_flush();
    fputs(buf_str(&text), stderr);
}

int applet_misuse(const struct applet *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print_message(a, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: see `psuite help %s'\n", a->name, a->name);
    return USAGE;
}

int applet_not_executed(int error)
{
    return error == -ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

int applet_fail(const struct applet *a, const struct fail *f)
{
    if (f->err)
        applet_error(a, "%s: %s", f->what, strerror(f->err));
    else
        applet_error(a, "%s", f->what);
    if (f->hint[0])
        applet_error(a, "hint: %s", f->hint);
    return FAILED;
}

static int no_text(const struct applet *a, const struct buf *text)
{
    return applet_error(a, "report: %s", strerror(-buf_error(text)));
}

/* Whole lines, PART_BYTES or the first one. */
static size_t part_of(const char *text, size_t len)
{
    const char *end = len > PART_BYTES ? memrchr(text, '\n', PART_BYTES) : NULL;
    if (len > PART_BYTES && !end)
        end = memchr(text, '\n', len);
    return end ? (size_t)(end - text) + 1 : len;
}

/* A part at a time, so that a long text is not there twice. */
static int print_to(const struct applet *a, FILE *to, const struct buf *text, int status)
{
    SCOPED_BUF shown = BUF_INIT;
    if (buf_error(text))
        return no_text(a, text);
    for (size_t at = 0, len; at < text->len && !buf_error(&shown); at += len) {
        len = part_of(text->data + at, text->len - at);
        buf_clear(&shown);
        buf_add(&shown, text->data + at, len);
        shown_lines(&shown, 0);
        /* A short write shows at exit, where stdout is checked as a whole. */
        if (!buf_error(&shown))
            fwrite(buf_str(&shown), 1, shown.len, to);
    }
    if (buf_error(&shown))
        status = no_text(a, &shown);
    return status;
}

int applet_print(const struct applet *a, const struct buf *text, int status)
{
    status = print_to(a, stdout, text, status);
    applet_flush(); /* who serves from here on may not print again for long */
    return status;
}

int applet_print_err(const struct applet *a, const struct buf *text, int status)
{
    applet_flush();
    status = print_to(a, stderr, text, status);
    report_lost |= ferror(stderr) != 0;
    return status;
}

bool applet_report_lost(void)
{
    return report_lost;
}

int applet_write_bytes(const struct applet *a, const struct buf *bytes, int status)
{
    if (buf_error(bytes))
        return no_text(a, bytes);
    fwrite(buf_str(bytes), 1, bytes->len, stdout);
    applet_flush();
    return status;
}

int applet_write_file(const struct applet *a, const char *path, const struct buf *bytes, bool force,
                      int made)
{
    struct fail f;
    int r = made < 0 ? made : buf_error(bytes);
    r = r < 0 ? fail_set(&f, -r, "%s", path) : file_write(path, bytes->data, bytes->len, force, &f);
    return r < 0 ? applet_fail(a, &f) : DONE;
}

int applet_print_values(const struct applet *a, const char *keys, const struct text_value *values)
{
    SCOPED_BUF out = BUF_INIT;
    struct json j;
    json_start(&j, &out, a->name);
    json_add_members(&j, keys, values);
    json_end(&j);
    return applet_print(a, &out, DONE);
}
