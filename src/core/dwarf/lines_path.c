#include "core/base/budget.h"
#include "lines_unit.h"

#include <stdlib.h>

enum { LONGEST = 4096 };

struct path {
    char text[LONGEST];
    size_t len;
    bool too_long;
};

static void append(struct path *p, const char *part)
{
    if (!part || !*part || p->too_long)
        return;
    bool ends = p->len && p->text[p->len - 1] == '/';
    while (ends && *part == '/')
        part++;
    size_t len = strlen(part), slash = p->len && !ends && *part != '/';
    p->too_long = len + slash >= LONGEST - p->len;
    if (p->too_long)
        return;
    if (slash)
        p->text[p->len++] = '/';
    memcpy(p->text + p->len, part, len + 1);
    p->len += len;
}

static size_t place(const struct lines_paths *p, const char *text)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        h = (h ^ (uint8_t)*c) * 1099511628211u;
    size_t i = (size_t)(h ^ h >> 32) & (p->slots - 1);
    while (p->slot[i] && strcmp(p->slot[i], text) != 0)
        i = (i + 1) & (p->slots - 1);
    return i;
}

static bool make_room(struct lines_paths *p)
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
            bigger.slot[place(&bigger, p->slot[i])] = p->slot[i];
    bigger.bytes = p->bytes + more;
    free(p->slot);
    *p = bigger;
    return true;
}

static const char *intern(struct lines_paths *p, const struct path *path)
{
    if (!make_room(p))
        return NULL;
    size_t i = place(p, path->text);
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
        append(&path, base);
    if (name[0] != '/')
        append(&path, dir);
    append(&path, name);
    return path.too_long ? NULL : intern(p, &path);
}

void lines_paths_release(struct lines_paths *p)
{
    for (size_t i = 0; i < p->slots; i++)
        free(p->slot[i]);
    free(p->slot);
    budget_give(p->budget, p->bytes);
    *p = (struct lines_paths){0};
}
