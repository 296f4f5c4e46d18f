#include "id_map.h"

#include <stdlib.h>

void ninep_map_release(struct ninep_map *m)
{
    free(m->slot);
    *m = (struct ninep_map){NULL, 0, 0};
}

/* Multiplied by the golden ratio: peers count up, or use pointers. */
static size_t home_slot(const struct ninep_map *m, uint32_t key)
{
    return (size_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & (m->slots - 1);
}

static struct ninep_slot *find_slot(const struct ninep_map *m, uint32_t key)
{
    size_t i = home_slot(m, key);
    while (m->slot[i].value && m->slot[i].key != key)
        i = (i + 1) & (m->slots - 1);
    return &m->slot[i];
}

void *ninep_map_get(const struct ninep_map *m, uint32_t key)
{
    return m->slots ? find_slot(m, key)->value : NULL;
}

static bool grow_slots(struct ninep_map *m)
{
    struct ninep_map wide = {NULL, m->slots ? m->slots * 2 : 16, m->count};
    wide.slot = calloc(wide.slots, sizeof *wide.slot);
    if (!wide.slot)
        return false;
    for (size_t i = 0; i < m->slots; i++)
        if (m->slot[i].value)
            *find_slot(&wide, m->slot[i].key) = m->slot[i];
    free(m->slot);
    *m = wide;
    return true;
}

bool ninep_map_put(struct ninep_map *m, uint32_t key, void *value)
{
    if ((m->count + 1) * 2 > m->slots && !grow_slots(m))
        return false;
    *find_slot(m, key) = (struct ninep_slot){key, value};
    m->count++;
    return true;
}

/* Those behind that were pushed on by it move up. */
static void *remove_slot(struct ninep_map *m, struct ninep_slot *slot)
{
    void *value = slot->value;
    size_t mask = m->slots - 1, hole = (size_t)(slot - m->slot);
    for (size_t i = (hole + 1) & mask; m->slot[i].value; i = (i + 1) & mask) {
        if (((i - home_slot(m, m->slot[i].key)) & mask) >= ((i - hole) & mask)) {
            m->slot[hole] = m->slot[i];
            hole = i;
        }
    }
    m->slot[hole].value = NULL;
    m->count--;
    return value;
}

void *ninep_map_remove(struct ninep_map *m, uint32_t key)
{
    struct ninep_slot *slot = m->slots ? find_slot(m, key) : NULL;
    return slot && slot->value ? remove_slot(m, slot) : NULL;
}

void *ninep_map_remove_any(struct ninep_map *m)
{
    for (size_t i = 0; m->count && i < m->slots; i++)
        if (m->slot[i].value)
            return remove_slot(m, &m->slot[i]);
    return NULL;
}
