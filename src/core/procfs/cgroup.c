#include "core/procfs/cgroup.h"

#include "core/base/buf.h"
#include "core/base/scan.h"

#include <string.h>

/* The group of len bytes and its parents up to the root, whose path is "". */
static void add_files(const char *mount, const char *group, size_t len, const char *file,
                      struct buf *out)
{
    for (int depth = 0; depth < CGROUP_MAX_DEPTH; depth++) {
        while (len && group[len - 1] == '/')
            len--;
        buf_printf(out, "%s%.*s/%s", mount, (int)len, group, file);
        buf_addc(out, '\0');
        if (!len)
            return;
        while (len && group[len - 1] != '/')
            len--;
    }
}

/* Whether a comma-separated list of len bytes has the word. */
static bool has_word(const char *list, size_t len, const char *word)
{
    size_t want = strlen(word);
    for (const char *at = list, *end = list + len; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t n = (size_t)((comma ? comma : end) - at);
        if (n == want && memcmp(at, word, n) == 0)
            return true;
        at += n + 1;
    }
    return false;
}

/* A line's controllers, and its group; false: it has none. */
struct hierarchy {
    const char *controllers, *group;
    size_t controllers_len, group_len;
};

static bool read_line(const char *line, struct hierarchy *h)
{
    size_t end = strcspn(line, "\n");
    const char *first = memchr(line, ':', end);
    const char *second = first ? memchr(first + 1, ':', (size_t)(line + end - first) - 1) : NULL;
    if (!second || second[1] != '/')
        return false;
    *h = (struct hierarchy){first + 1, second + 1, (size_t)(second - first) - 1,
                            (size_t)(line + end - second) - 1};
    return true;
}

static void add_line(const char *line, struct buf *out)
{
    struct hierarchy h;
    if (!read_line(line, &h))
        return;
    if (!h.controllers_len) {
        add_files("/sys/fs/cgroup", h.group, h.group_len, "memory.max", out);
        add_files("/sys/fs/cgroup/unified", h.group, h.group_len, "memory.max", out);
    } else if (has_word(h.controllers, h.controllers_len, "memory")) {
        add_files("/sys/fs/cgroup/memory", h.group, h.group_len, "memory.limit_in_bytes", out);
    }
}

void cgroup_memory_files(const char *text, struct buf *out)
{
    for (const char *line = text; line; line = scan_next(line))
        add_line(line, out);
}

uint64_t cgroup_memory_limit(const char *text)
{
    uint64_t bytes;
    return scan_u64(&text, &bytes) ? bytes : UINT64_MAX;
}

bool cgroup_path(const char *text, struct buf *out)
{
    struct hierarchy best = {0}, h;
    for (const char *line = text; line; line = scan_next(line))
        if (read_line(line, &h) &&
            (!best.group || (h.group_len > 1 && (best.group_len == 1 || !h.controllers_len))))
            best = h;
    buf_add(out, best.group, best.group_len);
    return best.group;
}
