#include "core/containers/imap.h"

#include <stdbool.h>
#include <stdlib.h>

static size_t count_set(const struct imap *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->slots; i++)
        n += m->slot[i].value != 0;
    return n;
}

static size_t slots_for(size_t keys)
{
    size_t slots = 64;
    while (slots < keys * 2)
        slots *= 2;
    return slots;
}

/* Keys whose value is 0 again are as good as never set, and are left out. */
static bool make_space(struct imap *m)
{
    struct imap fresh = {.slots = slots_for(count_set(m) + 1)};
    fresh.slot = calloc(fresh.slots, sizeof *fresh.slot);
    if (!fresh.slot)
        return false;
    for (size_t i = 0; i < m->slots; i++)
        if (m->slot[i].value) {
            fresh.slot[imap_slot_of(&fresh, m->slot[i].key)] = m->slot[i];
            fresh.used++;
        }
    free(m->slot);
    *m = fresh;
    return true;
}

void imap_release(struct imap *m)
{
    free(m->slot);
    *m = (struct imap){0};
}

uint64_t *imap_at(struct imap *m, uint64_t key)
{
    if (m->used * 4 >= m->slots * 3 && !make_space(m))
        return NULL;
    struct imap_slot *s = &m->slot[imap_slot_of(m, key + 1)];
    if (!s->key) {
        s->key = key + 1;
        m->used++;
    }
    return &s->value;
}

int imap_next(const struct imap *m, size_t *i, struct imap_slot *out)
{
    for (; *i < m->slots; ++*i)
        if (m->slot[*i].key && m->slot[*i].value) {
            *out = (struct imap_slot){m->slot[*i].key - 1, m->slot[*i].value};
            ++*i;
            return 1;
        }
    return 0;
}
