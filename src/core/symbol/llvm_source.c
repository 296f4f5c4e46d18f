#include "core/symbol/llvm_output.h"

#include <inttypes.h>
#include <string.h>

struct part {
    const char *at, *end;
    uint64_t first, last, marked; /* numbers of lines */
};

static const char *line_end(const struct part *p)
{
    const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    return newline ? newline : p->end;
}

static void next_line(struct part *p)
{
    const char *end = line_end(p);
    p->at = end + (end < p->end);
}

/* How wide the numbers are: of 10, 100 and so on a digit too few. */
static int width_of(uint64_t last)
{
    int width = 0;
    for (uint64_t one = 1; one < last; one *= 10)
        width++;
    return width;
}

static void add_line(const struct part *p, uint64_t number, struct buf *out)
{
    const char *end = line_end(p);
    size_t len = (size_t)(end - p->at);
    len -= len && p->at[len - 1] == '\r';
    buf_printf(out, "%*" PRIu64 "%s", width_of(p->last), number,
               number == p->marked ? " >: " : "  : ");
    buf_add(out, p->at, len);
    buf_addc(out, '\n');
}

void llvm_context(const struct llvm_format *f, const struct llvm_frame *at, struct buf *out)
{
    struct part p = {.marked = at->line};
    uint64_t before = f->context / 2, number = 1;
    size_t len;
    if (!f->context || !at->file || !f->source(f->source_arg, at->file, &p.at, &len))
        return;
    p.end = p.at + len;
    p.first = at->line > before ? at->line - before : 1;
    p.last = p.first + f->context - 1;
    for (; number < p.first && p.at < p.end; number++)
        next_line(&p);
    for (; number <= p.last && p.at < p.end; number++) {
        add_line(&p, number, out);
        next_line(&p);
    }
}
