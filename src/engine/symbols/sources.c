#include "engine/symbols/sources.h"

#include <stdlib.h>
#include <string.h>

static struct source *find_source(struct sources *s, const char *path)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->source[i].path && strcmp(s->source[i].path, path) == 0)
            return &s->source[i];
    return NULL;
}

static void release_source(struct source *one)
{
    file_unmap(&one->image);
    free(one->path);
    *one = (struct source){0};
}

static void read_source(struct source *one)
{
    if (file_map_regular(one->path, &one->image, NULL) < 0)
        one->image = (struct image){0};
    if (one->image.len > SOURCES_MAX_BYTES)
        file_unmap(&one->image);
}

/* In the place of the oldest, when all are taken. */
static struct source *add_source(struct sources *s, const char *path)
{
    struct source *one = &s->source[s->next];
    release_source(one);
    one->path = strdup(path);
    if (!one->path)
        return NULL;
    s->next = (s->next + 1) % SOURCES_CAP;
    s->count += s->count < SOURCES_CAP;
    read_source(one);
    return one;
}

bool sources_text(struct sources *s, const char *path, const char **text, size_t *len)
{
    struct source *one = find_source(s, path);
    if (!one)
        one = add_source(s, path);
    if (!one || !one->image.len)
        return false;
    *text = (const char *)one->image.data;
    *len = one->image.len;
    return true;
}

void sources_release(struct sources *s)
{
    for (size_t i = 0; i < s->count; i++)
        release_source(&s->source[i]);
    *s = (struct sources){0};
}
