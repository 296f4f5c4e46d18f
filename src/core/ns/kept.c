#include "core/ns/kept.h"

#include <stdlib.h>
#include <string.h>

bool ns_waiting_init(struct ns_waiting *w, size_t limit)
{
    *w = (struct ns_waiting){.kept = calloc(limit, sizeof *w->kept), .limit = limit};
    return w->kept != NULL;
}

void ns_waiting_release(struct ns_waiting *w)
{
    while (w->count)
        free(w->kept[--w->count].bytes);
    free(w->kept);
}

bool ns_waiting_keep(struct ns_waiting *w, uint64_t id, uint64_t object, const void *bytes,
                     size_t len)
{
    bool fits = w->count < w->limit && len <= NS_WAITING_BYTES - w->bytes;
    uint8_t *copy = fits ? malloc(len) : NULL;
    if (!copy)
        return false;
    memcpy(copy, bytes, len);
    w->kept[w->count++] = (struct ns_kept){id, object, len, copy};
    w->bytes += len;
    return true;
}

struct ns_kept *ns_waiting_find(const struct ns_waiting *w, uint64_t id)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->kept[i].id == id)
            return &w->kept[i];
    return NULL;
}

static void remove_at(struct ns_waiting *w, size_t i)
{
    w->count--;
    memmove(&w->kept[i], &w->kept[i + 1], (w->count - i) * sizeof *w->kept);
}

static void insert_at(struct ns_waiting *w, size_t i, const struct ns_kept *k)
{
    memmove(&w->kept[i + 1], &w->kept[i], (w->count - i) * sizeof *w->kept);
    w->kept[i] = *k;
    w->count++;
}

void ns_waiting_drop(struct ns_waiting *w, struct ns_kept *k)
{
    w->bytes -= k->len;
    free(k->bytes);
    remove_at(w, (size_t)(k - w->kept));
}

int ns_waiting_retry(struct ns_waiting *w, ns_answer_kept *answer, void *server)
{
    for (size_t i = 0; i < w->count;) {
        struct ns_kept k = w->kept[i];
        remove_at(w, i);
        int r = answer(server, &k);
        if (r == 0) {
            w->bytes -= k.len;
            free(k.bytes);
            continue;
        }
        insert_at(w, i < w->count ? i : w->count, &k);
        if (r < 0)
            return r;
        i++;
    }
    return 0;
}

size_t ns_waiting_handles(const struct ns_waiting *w, ns_handle_of *handle_of, const void *server,
                          int *handle, size_t cap)
{
    size_t n = 0;
    for (size_t i = 0; i < w->count && n < cap; i++) {
        handle[n] = handle_of(server, &w->kept[i]);
        n += handle[n] >= 0;
    }
    return n;
}
