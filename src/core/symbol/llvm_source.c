#include "core/symbol/llvm_output.h"

#include "core/base/line.h"

#include <inttypes.h>

struct part {
    uint64_t first, last, marked; /* numbers of lines */
};

/* How wide the numbers are: of 10, 100 and so on a digit too few. */
static int width_of(uint64_t last)
{
    int width = 0;
    for (uint64_t one = 1; one < last; one *= 10)
        width++;
    return width;
}

static void add_line(const struct part *p, uint64_t number, struct line line, struct buf *out)
{
    size_t len = line_len(line);
    len -= len && line.end[-1] == '\r';
    buf_printf(out, "%*" PRIu64 "%s", width_of(p->last), number,
               number == p->marked ? " >: " : "  : ");
    buf_add(out, line.at, len);
    buf_addc(out, '\n');
}

void llvm_context(const struct llvm_format *f, const struct frame *at, struct buf *out)
{
    struct part p = {.marked = at->line};
    uint64_t before = f->context / 2, number = 1;
    struct lines rest;
    struct line line;
    size_t len;
    if (!f->context || !at->file || !f->source(f->source_arg, at->file, &rest.at, &len))
        return;
    rest.end = rest.at + len;
    p.first = at->line > before ? at->line - before : 1;
    p.last = p.first + f->context - 1;
    while (number < p.first && line_next(&rest, &line))
        number++;
    for (; number <= p.last && line_next(&rest, &line); number++)
        add_line(&p, number, line, out);
}
