#include "core/elf/debug_package.h"

#include "core/base/buf.h"
#include "core/base/line.h"
#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

/* --- the package --- */

static bool is_line(struct line line, const char *text)
{
    return line_len(line) == strlen(text) && memcmp(line.at, text, line_len(line)) == 0;
}

bool debug_package_owns(const char *list, size_t len, const char *path)
{
    struct lines rest = lines_of(list, len);
    struct line line;
    const char *unmerged = text_starts(path, "/usr/") ? path + 4 : path;
    while (line_next(&rest, &line))
        if (is_line(line, path) || is_line(line, unmerged))
            return true;
    return false;
}

bool debug_package_name(const char *list_name, struct buf *out)
{
    size_t len = strlen(list_name), name = strcspn(list_name, ":");
    if (len < 6 || !text_ends(list_name, ".list"))
        return false;
    len -= 5;
    name = name < len ? name : len;
    bool libc = name == 5 && memcmp(list_name, "libc6", 5) == 0;
    buf_printf(out, "%.*s-%s%.*s", (int)name, list_name, libc ? "dbg" : "dbgsym", (int)(len - name),
               list_name + name);
    return true;
}

/* --- the source --- */

/* The value of KEY=VALUE or KEY="VALUE": letters, digits and "-._" alone. */
static struct line value_of(const char *text, size_t len, const char *key)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-._";
    struct lines rest = lines_of(text, len);
    struct line line;
    size_t n = strlen(key);
    while (line_next(&rest, &line)) {
        if (line_len(line) <= n || memcmp(line.at, key, n) != 0 || line.at[n] != '=')
            continue;
        const char *at = line.at + n + 1, *end;
        at += at < line.end && (*at == '"' || *at == '\'');
        for (end = at; end < line.end && *end && strchr(letters, *end);)
            end++;
        return (struct line){at, end};
    }
    return (struct line){text, text};
}

bool debug_package_source(const char *os_release, size_t len, struct debug_source *out)
{
    struct line id = value_of(os_release, len, "ID");
    struct line release = value_of(os_release, len, "VERSION_CODENAME");
    int n = (int)line_len(release);
    if (n == 0 || n > 40)
        return false;
    if (is_line(id, "debian")) {
        snprintf(out->words, sizeof out->words, "suite %.*s-debug of the archive debian-debug", n,
                 release.at);
        snprintf(out->mark, sizeof out->mark, "%.*s-debug", n, release.at);
    } else if (is_line(id, "ubuntu")) {
        snprintf(out->words, sizeof out->words, "suite %.*s of the archive ddebs", n, release.at);
        snprintf(out->mark, sizeof out->mark, "ddebs.");
    } else {
        return false;
    }
    return true;
}

bool debug_package_listed(const char *sources, size_t len, const struct debug_source *source)
{
    struct lines rest = lines_of(sources, len);
    struct line line;
    while (line_next(&rest, &line)) {
        while (line_len(line) && (*line.at == ' ' || *line.at == '\t'))
            line.at++;
        if (line_len(line) && *line.at != '#' &&
            memmem(line.at, line_len(line), source->mark, strlen(source->mark)))
            return true;
    }
    return false;
}
