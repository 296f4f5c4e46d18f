#include "core/containers/strtable.h"

#include "core/base/grow.h"

#include <errno.h>

static uint32_t no_memory(struct strtable *t)
{
    t->err = -ENOMEM;
    return 0;
}

uint32_t strtable_index(struct strtable *t, const char *text)
{
    const char *own = texts_intern(&t->texts, text);
    uint64_t *number = own ? imap_at(&t->index, (uintptr_t)own) : NULL;
    if (!number)
        return no_memory(t);
    if (!*number) {
        if (!grow(&t->text, &t->cap, t->count, sizeof *t->text))
            return no_memory(t);
        t->text[t->count++] = own;
        *number = t->count;
    }
    return (uint32_t)(*number - 1);
}

void strtable_release(struct strtable *t)
{
    texts_release(&t->texts);
    imap_release(&t->index);
    free(t->text);
    *t = (struct strtable){0};
}
