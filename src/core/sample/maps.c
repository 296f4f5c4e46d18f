#include "core/sample/maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool parse_line(const char *line, size_t len, struct maps_line *out)
{
    char head[160], perms[5];
    size_t n = len < sizeof head ? len : sizeof head - 1;
    memcpy(head, line, n);
    head[n] = '\0';
    int path = 0;
    if (sscanf(head,
               "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n",
               &out->start, &out->end, perms, &out->file_offset, &out->major, &out->minor,
               &out->inode, &path) < 7 ||
        out->start >= out->end)
        return false;
    out->executable = strchr(perms, 'x') != NULL;
    size_t at = path ? (size_t)path : len;
    size_t left = len - at < sizeof out->path ? len - at : sizeof out->path - 1;
    memcpy(out->path, line + at, left);
    out->path[left] = '\0';
    return true;
}

bool maps_next(const char **text, struct maps_line *out)
{
    while (**text) {
        const char *line = *text;
        size_t len = strcspn(line, "\n");
        *text = line + len + (line[len] != '\0');
        if (parse_line(line, len, out))
            return true;
    }
    return false;
}
