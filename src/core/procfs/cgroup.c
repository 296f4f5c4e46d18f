#include "core/procfs/cgroup.h"

#include "core/base/buf.h"
#include "core/base/scan.h"

#include <stdbool.h>
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

static void add_line(const char *line, struct buf *out)
{
    size_t end = strcspn(line, "\n");
    const char *controllers = memchr(line, ':', end);
    const char *group =
        controllers ? memchr(controllers + 1, ':', (size_t)(line + end - controllers) - 1) : NULL;
    if (!group || group[1] != '/')
        return;
    size_t names = (size_t)(group - controllers) - 1, len = (size_t)(line + end - group) - 1;
    if (!names) {
        add_files("/sys/fs/cgroup", group + 1, len, "memory.max", out);
        add_files("/sys/fs/cgroup/unified", group + 1, len, "memory.max", out);
    } else if (has_word(controllers + 1, names, "memory")) {
        add_files("/sys/fs/cgroup/memory", group + 1, len, "memory.limit_in_bytes", out);
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
