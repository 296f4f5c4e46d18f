#include "core/base/budget.h"
#include "lines_unit.h"

#include <stdlib.h>

enum { MAX_PATH_LEN = 4096 };

struct path {
    char text[MAX_PATH_LEN];
    size_t len;
    bool too_long;
};

static void append_part(struct path *p, const char *part)
{
    if (!part || !*part || p->too_long)
        return;
    bool ends = p->len && p->text[p->len - 1] == '/';
    while (ends && *part == '/')
        part++;
    size_t len = strlen(part), slash = p->len && !ends && *part != '/';
    p->too_long = len + slash >= MAX_PATH_LEN - p->len;
    if (p->too_long)
        return;
    if (slash)
        p->text[p->len++] = '/';
    memcpy(p->text + p->len, part, len + 1);
    p->len += len;
}

static size_t slot_of_path(const struct lines_paths *p, const char *text)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        h = (h ^ (uint8_t)*c) * 1099511628211u;
    size_t i = (size_t)(h ^ h >> 32) & (p->slots - 1);
    while (p->slot[i] && strcmp(p->slot[i], text) != 0)
        i = (i + 1) & (p->slots - 1);
    return i;
}

static bool grow_slots(struct lines_paths *p)
{
    if (p->used * 4 < p->slots * 3)
        return true;
    struct lines_paths bigger = *p;
    bigger.slots = p->slots ? p->slots * 2 : 256;
    size_t more = (bigger.slots - p->slots) * sizeof *p->slot;
    bigger.slot = budget_take(p->budget, more) ? calloc(bigger.slots, sizeof *p->slot) : NULL;
    if (!bigger.slot)
        return false;
    for (size_t i = 0; i < p->slots; i++)
        if (p->slot[i])
            bigger.slot[slot_of_path(&bigger, p->slot[i])] = p->slot[i];
    bigger.bytes = p->bytes + more;
    free(p->slot);
    *p = bigger;
    return true;
}

static const char *intern_path(struct lines_paths *p, const struct path *path)
{
    if (!grow_slots(p))
        return NULL;
    size_t i = slot_of_path(p, path->text);
    if (!p->slot[i]) {
        p->slot[i] = budget_take(p->budget, path->len + 1) ? malloc(path->len + 1) : NULL;
        if (!p->slot[i])
            return NULL;
        memcpy(p->slot[i], path->text, path->len + 1);
        p->used++;
        p->bytes += path->len + 1;
    }
    return p->slot[i];
}

const char *lines_path(struct lines_paths *p, const char *base, const char *dir, const char *name)
{
    struct path path;
    path.len = 0;
    path.too_long = false;
    path.text[0] = '\0';
    if (name[0] != '/' && !(dir && dir[0] == '/'))
        append_part(&path, base);
    if (name[0] != '/')
        append_part(&path, dir);
    append_part(&path, name);
    return path.too_long ? NULL : intern_path(p, &path);
}

void lines_paths_release(struct lines_paths *p)
{
    for (size_t i = 0; i < p->slots; i++)
        free(p->slot[i]);
    free(p->slot);
    budget_give(p->budget, p->bytes);
    *p = (struct lines_paths){0};
}
