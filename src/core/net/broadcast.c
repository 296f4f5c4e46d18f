#include "core/net/broadcast.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct feed_text {
    char *bytes;
    size_t len;
};

int feed_init(struct feed *f, size_t max_texts, size_t max_bytes)
{
    *f = (struct feed){.max_texts = max_texts, .max_bytes = max_bytes};
    f->text = calloc(max_texts, sizeof *f->text);
    return f->text ? 0 : -ENOMEM;
}

static struct feed_text *find_slot(const struct feed *f, uint64_t at)
{
    return &f->text[at % f->max_texts];
}

static void drop_first(struct feed *f)
{
    struct feed_text *t = find_slot(f, f->first++);
    f->bytes -= t->len;
    free(t->bytes);
    t->bytes = NULL;
}

void feed_release(struct feed *f)
{
    while (f->first < f->next)
        drop_first(f);
    free(f->text);
    *f = (struct feed){.text = NULL};
}

int feed_add(struct feed *f, const char *text, size_t len)
{
    char *bytes = malloc(len + 1);
    if (!bytes)
        return -ENOMEM;
    memcpy(bytes, text, len);
    bytes[len] = '\0';
    while (f->first < f->next &&
           (f->next - f->first == f->max_texts || f->bytes + len > f->max_bytes))
        drop_first(f);
    *find_slot(f, f->next++) = (struct feed_text){bytes, len};
    f->bytes += len;
    return 0;
}

const char *feed_at(const struct feed *f, uint64_t *at, size_t *len, uint64_t *lost)
{
    if (*at < f->first) {
        *lost += f->first - *at;
        *at = f->first;
    }
    if (*at >= f->next)
        return NULL;
    *len = find_slot(f, *at)->len;
    return find_slot(f, *at)->bytes;
}
