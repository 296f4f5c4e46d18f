#include "core/symbol/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

enum { MAX_NAME = 1 << 14 };

struct sink {
    struct buf *out;
    size_t start;
    const char *name;
    uintptr_t frame; /* the library's frames are below */
    bool too_long;
    jmp_buf left;
};

/* The linker's: where the program's own sections begin and end. */
extern const char __executable_start[], end[];

static bool is_between(const void *at, uintptr_t start, uintptr_t limit)
{
    return (uintptr_t)at >= start && (uintptr_t)at < limit;
}

/* Text is a literal, a part of the name, on the library's stack, or an identifier that was decoded
 * from Punycode into memory which the library frees after it has written it. */
static bool is_allocated(const char *text, const struct sink *s)
{
    uintptr_t name = (uintptr_t)s->name;
    return !is_between(text, (uintptr_t)__executable_start, (uintptr_t)end) &&
           !is_between(text, name, name + MAX_NAME) &&
           !is_between(text, (uintptr_t)__builtin_frame_address(0), s->frame);
}

/* A short name can demangle to an endless one. The library is left from its callback then, but not
 * while it holds memory: that text is dropped. */
static void append_text(const char *text, size_t len, void *arg)
{
    struct sink *s = arg;
    s->too_long = s->too_long || s->out->len - s->start + len > DEMANGLE_MAX_LEN;
    if (!s->too_long)
        buf_add(s->out, text, len);
    else if (!is_allocated(text, s))
        longjmp(s->left, 1);
}

static bool demangle_by_callback(const char *name, struct sink *s)
{
    s->name = name;
    s->frame = (uintptr_t)__builtin_frame_address(0);
    if (setjmp(s->left))
        return false;
    bool known = rust_demangle_callback(name, DMGL_PARAMS | DMGL_ANSI, append_text, s) ||
                 cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, append_text, s);
    return known && !s->too_long;
}

bool demangle_able(void)
{
    return true;
}

/* `_Znwm@plt' is `operator new(unsigned long)@plt'. */
bool demangle_add(const char *name, struct buf *out)
{
    struct sink s = {.out = out, .start = out->len};
    char bare[MAX_NAME];
    size_t len = strcspn(name, "@");
    if (len >= sizeof bare)
        return false;
    memcpy(bare, name, len);
    bare[len] = '\0';
    if (demangle_by_callback(bare, &s)) {
        buf_adds(out, name + len);
        return true;
    }
    if (out->data) {
        out->len = s.start;
        out->data[s.start] = '\0';
    }
    return false;
}
