/* What applets say, and where. */
#include "applets/applet.h"

#include "core/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const struct applet *a, const char *fmt, va_list ap)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", a->name);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

int applet_error(const struct applet *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(a, fmt, ap);
    va_end(ap);
    return FAILED;
}

void applet_warn(const struct applet *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(a, fmt, ap);
    va_end(ap);
}

int applet_misuse(const struct applet *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(a, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: see `psuite help %s'\n", a->name, a->name);
    return USAGE;
}

int applet_fail(const struct applet *a, const struct fail *f)
{
    if (f->err)
        applet_error(a, "%s: %s", f->what, strerror(f->err));
    else
        applet_error(a, "%s", f->what);
    if (f->hint[0])
        fprintf(stderr, "%s: hint: %s\n", a->name, f->hint);
    return FAILED;
}

static int print_to(const struct applet *a, FILE *to, const struct buf *text, int status)
{
    if (buf_error(text))
        return applet_error(a, "report: %s", strerror(-buf_error(text)));
    /* A short write shows at exit, where stdout is checked as a whole. */
    fwrite(buf_str(text), 1, text->len, to);
    return status;
}

int applet_print(const struct applet *a, const struct buf *text, int status)
{
    status = print_to(a, stdout, text, status);
    fflush(stdout); /* who serves from here on may not print again for long */
    return status;
}

int applet_print_err(const struct applet *a, const struct buf *text, int status)
{
    fflush(stdout);
    return print_to(a, stderr, text, status);
}
