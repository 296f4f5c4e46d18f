#include "lines_unit.h"

#include <string.h>

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
    return path.too_long ? NULL : intern_copy(&p->texts, path.text);
}
