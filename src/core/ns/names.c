#include "core/ns/names.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdio.h>

enum { MIN_SLOTS = 64, MIN_NUMBERS = 64, MAX_NUMBERS = UINT32_MAX - 1 };

void ns_names_release(struct ns_names *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->name[i].text);
    free(t->name);
    free(t->slot);
    *t = (struct ns_names){.name = NULL};
}

struct ns_name *ns_names_at(const struct ns_names *t, uint64_t path)
{
    if (path == 0 || path > t->count || !t->name[path - 1].text)
        return NULL;
    return &t->name[path - 1];
}

/* 32-bit FNV-1a, mixed at the end: the table takes the low bits. */
static uint32_t hash_name(uint32_t parent, const char *text)
{
    uint32_t h = 0x811c9dc5u ^ parent * 0x9e3779b1u;
    for (const char *s = text; *s; s++)
        h = (h ^ (uint8_t)*s) * 0x01000193u;
    return h ^ h >> 15;
}

/* --- the hash table --- */

static uint32_t *slot_of(const struct ns_names *t, uint32_t hash)
{
    return &t->slot[hash & (t->slots - 1)];
}

static void link_name(struct ns_names *t, uint32_t path)
{
    uint32_t *slot = slot_of(t, t->name[path - 1].hash);
    t->name[path - 1].chain = *slot;
    *slot = path;
}

static void unlink_name(struct ns_names *t, uint32_t path)
{
    uint32_t *at = slot_of(t, t->name[path - 1].hash);
    while (*at != path)
        at = &t->name[*at - 1].chain;
    *at = t->name[path - 1].chain;
}

static bool resize_slots(struct ns_names *t, size_t slots)
{
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < t->count; i++)
        if (t->name[i].text)
            link_name(t, (uint32_t)i + 1);
    return true;
}

static uint32_t find_name(const struct ns_names *t, uint32_t parent, const char *text,
                          uint32_t hash)
{
    uint32_t path = t->slots ? *slot_of(t, hash) : 0;
    for (; path; path = t->name[path - 1].chain) {
        const struct ns_name *n = &t->name[path - 1];
        if (n->hash == hash && n->parent == parent && strcmp(n->text, text) == 0)
            break;
    }
    return path;
}

/* --- numbers --- */

static void link_free(struct ns_names *t, uint32_t path)
{
    t->name[path - 1] = (struct ns_name){.chain = t->free};
    if (t->free)
        t->name[t->free - 1].parent = path;
    t->free = path;
}

static void unlink_free(struct ns_names *t, uint32_t path)
{
    uint32_t next = t->name[path - 1].chain, previous = t->name[path - 1].parent;
    *(previous ? &t->name[previous - 1].chain : &t->free) = next;
    if (next)
        t->name[next - 1].parent = previous;
}

static uint32_t new_number(struct ns_names *t)
{
    uint32_t path = t->free;
    if (path) {
        unlink_free(t, path);
        return path;
    }
    if (!grow_within(&t->name, &t->cap, t->count, MAX_NUMBERS, sizeof *t->name))
        return 0;
    return (uint32_t)++t->count;
}

/* Free numbers at the end are taken away, and memory that is four times what is needed. */
static void shrink_numbers(struct ns_names *t)
{
    while (t->count && !t->name[t->count - 1].text)
        unlink_free(t, (uint32_t)t->count--);
    if (t->cap <= MIN_NUMBERS || t->count > t->cap / 4)
        return;
    size_t cap = t->count < MIN_NUMBERS / 2 ? MIN_NUMBERS : 2 * t->count;
    struct ns_name *less = realloc(t->name, cap * sizeof *less);
    if (less) {
        t->name = less;
        t->cap = cap;
    }
}

/* Where memory ends they stay as they are. */
static void shrink_slots(struct ns_names *t)
{
    if (t->slots > MIN_SLOTS && t->used < t->slots / 8)
        resize_slots(t, t->slots / 4);
}

static bool has_slots(struct ns_names *t)
{
    if (t->used < t->slots)
        return true;
    return resize_slots(t, t->slots ? t->slots * 2 : MIN_SLOTS);
}

static int64_t add_name(struct ns_names *t, uint32_t parent, const char *text, uint32_t hash)
{
    if (t->max && t->used >= t->max)
        return -ENFILE;
    char *copy = has_slots(t) ? strdup(text) : NULL;
    uint32_t path = copy ? new_number(t) : 0;
    if (!path) {
        free(copy);
        return -ENOMEM;
    }
    t->name[path - 1] = (struct ns_name){.text = copy, .parent = parent, .hash = hash, .refs = 1};
    link_name(t, path);
    ns_names_ref(t, parent);
    t->used++;
    return path;
}

int64_t ns_names_hold(struct ns_names *t, uint64_t parent, const char *text)
{
    if (parent && !ns_names_at(t, parent))
        return -ENOENT;
    uint32_t hash = hash_name((uint32_t)parent, text);
    uint32_t path = find_name(t, (uint32_t)parent, text, hash);
    if (!path)
        return add_name(t, (uint32_t)parent, text, hash);
    t->name[path - 1].refs++;
    return path;
}

void ns_names_ref(struct ns_names *t, uint64_t path)
{
    struct ns_name *n = ns_names_at(t, path);
    if (n)
        n->refs++;
}

static void remove_name(struct ns_names *t, uint32_t path)
{
    unlink_name(t, path);
    free(t->name[path - 1].text);
    link_free(t, path);
    t->used--;
}

/* With the last name of a directory that nothing else refers to, the directory's goes as well. */
void ns_names_drop(struct ns_names *t, uint64_t path, uint64_t times)
{
    for (struct ns_name *n; (n = ns_names_at(t, path)) != NULL; times = 1) {
        uint32_t parent = n->parent;
        n->refs -= times < n->refs ? times : n->refs;
        if (n->refs)
            return;
        remove_name(t, (uint32_t)path);
        shrink_numbers(t);
        shrink_slots(t);
        path = parent;
    }
}

int ns_names_elements(const struct ns_names *t, uint64_t path, const char *name[NS_DEPTH_MAX])
{
    const struct ns_name *of = ns_names_at(t, path);
    int n = 0;
    if (path && !of)
        return -ESTALE;
    for (const struct ns_name *at = of; at; at = ns_names_at(t, at->parent))
        if (++n > NS_DEPTH_MAX)
            return -ENAMETOOLONG;
    int i = n;
    for (const struct ns_name *at = of; at; at = ns_names_at(t, at->parent))
        name[--i] = at->text;
    return n;
}

int ns_names_whole(const struct ns_names *t, uint64_t path, const char *root,
                   char out[NS_PATH_MAX + 1])
{
    const char *name[NS_DEPTH_MAX];
    int n = ns_names_elements(t, path, name);
    size_t cap = NS_PATH_MAX + 1, len = (size_t)snprintf(out, cap, "%s", root);
    for (int i = 0; i < n && len < cap; i++)
        len += (size_t)snprintf(out + len, cap - len, "/%s", name[i]);
    return n < 0 ? n : len < cap ? 0 : -ENAMETOOLONG;
}
