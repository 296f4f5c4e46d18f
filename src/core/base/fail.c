#include "core/base/fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int fail_set(struct fail *f, int err, const char *fmt, ...)
{
    if (f) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(f->what, sizeof f->what, fmt, ap);
        va_end(ap);
        f->err = err;
        f->hint[0] = '\0';
    }
    return err ? -err : -EINVAL;
}

void fail_hint(struct fail *f, const char *fmt, ...)
{
    if (!f)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->hint, sizeof f->hint, fmt, ap);
    va_end(ap);
}
