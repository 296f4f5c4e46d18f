#include "core/procfs/mounts.h"

#include <stdlib.h>
#include <string.h>

/* The next word of a line, in *len; NULL behind the last. */
static const char *next_word(const char **at, size_t *len)
{
    *at += strspn(*at, " ");
    const char *start = *at;
    *len = strcspn(start, " \n");
    *at += *len;
    return *len ? start : NULL;
}

static bool is_octal(const char *s, const char *end)
{
    if (end - s < 4 || s[0] != '\\' || s[1] > '3')
        return false;
    for (int i = 1; i < 4; i++)
        if (s[i] < '0' || s[i] > '7')
            return false;
    return true;
}

/* Blanks and the like are written as \040. */
static bool read_text(const char **at, char *out, size_t cap)
{
    size_t len, n = 0;
    const char *s = next_word(at, &len), *end = s ? s + len : NULL;
    if (!s || len >= cap)
        return false;
    while (s < end)
        if (is_octal(s, end)) {
            out[n++] = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
            s += 4;
        } else {
            out[n++] = *s++;
        }
    out[n] = '\0';
    return true;
}

static bool read_device(const char **at, uint64_t *out)
{
    size_t len;
    const char *s = next_word(at, &len);
    char *end;
    if (!s)
        return false;
    uint64_t major = strtoul(s, &end, 10) & UINT32_MAX;
    if (end == s || *end != ':')
        return false;
    *out = major << 32 | (strtoul(end + 1, NULL, 10) & UINT32_MAX);
    return true;
}

/* Optional words end with a dash. */
static bool skip_to_dash(const char **at)
{
    size_t len;
    const char *s;
    while ((s = next_word(at, &len)))
        if (len == 1 && *s == '-')
            return true;
    return false;
}

static bool read_line(const char *at, struct mount_line *out)
{
    size_t len;
    return next_word(&at, &len) && next_word(&at, &len) && read_device(&at, &out->device) &&
           read_text(&at, out->root, sizeof out->root) &&
           read_text(&at, out->mount_point, sizeof out->mount_point) && next_word(&at, &len) &&
           skip_to_dash(&at) && read_text(&at, out->fs_type, sizeof out->fs_type) &&
           read_text(&at, out->source, sizeof out->source);
}

bool mounts_next(const char **at, struct mount_line *out)
{
    while (**at) {
        const char *line = *at;
        *at += strcspn(line, "\n");
        *at += **at == '\n';
        if (read_line(line, out))
            return true;
    }
    return false;
}
