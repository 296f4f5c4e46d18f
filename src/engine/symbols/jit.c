/* What JIT compilers of a process told of the code that they made. */
#include "core/symbol/perfmap.h"
#include "plat/proc.h"
#include "private.h"

#include <stdlib.h>

enum { MOST_JITS = 256 };

struct symbols_jit {
    size_t module;
    struct proc_jit from;
};

void symbols_need_jit(struct symbols *s, const struct module *m, int pid)
{
    struct symbols_jit one = {.module = m->id};
    if (s->jits >= MOST_JITS || proc_jit_open(pid, &one.from, NULL) < 0)
        return;
    struct symbols_jit *grown = realloc(s->jit, (s->jits + 1) * sizeof *grown);
    if (!grown) {
        proc_jit_close(&one.from);
        return;
    }
    s->jit = grown;
    s->jit[s->jits++] = one;
}

void symbols_read_jit(struct symbols *s, struct module *m)
{
    struct buf text = BUF_INIT;
    struct symtab *told = NULL;
    for (size_t i = 0; i < s->jits && !told; i++) {
        if (s->jit[i].module != m->id || proc_jit_read(&s->jit[i].from, &text, NULL) < 0)
            continue;
        if (text.len && !buf_error(&text))
            told = perfmap_symbols(text.data, text.len);
    }
    if (!told) {
        buf_release(&text);
        return;
    }
    m->told = (struct module_told){.symbols = told, .by = "jit", .own = told, .text = text.data};
    m->why[0] = '\0';
}

void symbols_release_jits(struct symbols *s)
{
    for (size_t i = 0; i < s->jits; i++)
        proc_jit_close(&s->jit[i].from);
    free(s->jit);
}
