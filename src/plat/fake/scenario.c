#include "scenario.h"

#include "core/base/grow.h"
#include "plat/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char **line;
    size_t lines, cap;
    char *dir;
} script;

static void add_line(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    if (!grow(&script.line, &script.cap, script.lines, sizeof *script.line))
        abort();
    script.line[script.lines++] = strdup(line);
}

static void load_script(void)
{
    const char *path = getenv("PSUITE_FAKE");
    if (script.dir)
        return;
    const char *slash = path ? strrchr(path, '/') : NULL;
    script.dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    FILE *in = path ? fopen(path, "r") : NULL;
    if (path && !in) {
        fprintf(stderr, "fake platform: %s: %s\n", path, strerror(errno));
        exit(3);
    }
    SCOPED_FREE char *line = NULL;
    size_t cap = 0;
    while (in && getline(&line, &cap, in) >= 0)
        if (line[0] != '#')
            add_line(line);
    if (in)
        fclose(in);
}

const char *scenario_nth(const char *word, size_t n)
{
    load_script();
    size_t len = strlen(word);
    for (size_t i = 0; i < script.lines; i++) {
        const char *s = script.line[i];
        if (strncmp(s, word, len) != 0 || (s[len] != ' ' && s[len] != '\0'))
            continue;
        if (n-- == 0)
            return s[len] ? s + len + 1 : s + len;
    }
    return NULL;
}

const char *scenario_get(const char *word)
{
    return scenario_nth(word, 0);
}

const char *scenario_nth_or_last(const char *word, size_t n)
{
    const char *last = NULL, *line;
    for (size_t i = 0; i <= n && (line = scenario_nth(word, i)); i++)
        last = line;
    return last;
}

const char *scenario_named(const char *word, const char *name, size_t name_len)
{
    const char *rest;
    for (size_t n = 0; (rest = scenario_nth(word, n)); n++)
        if (strncmp(rest, name, name_len) == 0 && strchr(" ", rest[name_len]))
            return rest + name_len + (rest[name_len] == ' ');
    return NULL;
}

uint64_t scenario_value(const char *word, uint64_t absent)
{
    const char *rest = scenario_get(word);
    return rest ? strtoull(rest, NULL, 10) : absent;
}

uint64_t scenario_number(const char *rest, const char *key, uint64_t absent)
{
    size_t len = strlen(key);
    for (const char *s = rest; s && *s; s += strcspn(s, " "), s += strspn(s, " "))
        if (strncmp(s, key, len) == 0 && s[len] == '=')
            return strtoull(s + len + 1, NULL, 0);
    return absent;
}

void scenario_path(const char *name, struct buf *out)
{
    load_script();
    if (name[0] == '/')
        buf_adds(out, name);
    else
        buf_printf(out, "%s/%s", script.dir, name);
}

int scenario_file(const char *name, size_t max_bytes, struct buf *out, struct fail *f)
{
    SCOPED_BUF path = BUF_INIT;
    scenario_path(name, &path);
    return file_read(buf_str(&path), max_bytes, out, f);
}

int scenario_errno(const char *text)
{
    for (int e = 1; e < 134; e++) {
        const char *name = strerrorname_np(e);
        if (name && strcmp(name, text) == 0)
            return e;
    }
    return atoi(text);
}

int scenario_fail(const char *call, struct fail *f)
{
    const char *error = scenario_named("fail", call, strlen(call));
    return error ? fail_set(f, scenario_errno(error), "%s", call) : 0;
}
