#include "core/symbol/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

enum { LONGEST_NAME = 1 << 14 };

struct sink {
    struct buf *out;
    size_t start;
    jmp_buf full;
};

/* A short name can stand for an endless one. The library keeps all its state on the stack when it
 * writes to a callback, so it may be left from there. */
static void take(const char *text, size_t len, void *arg)
{
    struct sink *s = arg;
    if (s->out->len - s->start + len > DEMANGLE_LONGEST)
        longjmp(s->full, 1);
    buf_add(s->out, text, len);
}

static bool by_callback(const char *name, struct sink *s)
{
    if (setjmp(s->full))
        return false;
    return rust_demangle_callback(name, DMGL_PARAMS | DMGL_ANSI, take, s) ||
           cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, take, s);
}

bool demangle_able(void)
{
    return true;
}

/* `_Znwm@plt' is `operator new(unsigned long)@plt'. */
bool demangle_add(const char *name, struct buf *out)
{
    struct sink s = {.out = out, .start = out->len};
    char bare[LONGEST_NAME];
    size_t len = strcspn(name, "@");
    if (len >= sizeof bare)
        return false;
    memcpy(bare, name, len);
    bare[len] = '\0';
    if (by_callback(bare, &s)) {
        buf_adds(out, name + len);
        return true;
    }
    if (out->data) {
        out->len = s.start;
        out->data[s.start] = '\0';
    }
    return false;
}
