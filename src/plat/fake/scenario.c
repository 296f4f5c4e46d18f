#include "scenario.h"

#include "core/base/grow.h"

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
    char *line = NULL;
    size_t cap = 0;
    while (in && getline(&line, &cap, in) >= 0)
        if (line[0] != '#')
            add_line(line);
    free(line);
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
    const char *rest;
    size_t len = strlen(call);
    for (size_t n = 0; (rest = scenario_nth("fail", n)); n++)
        if (strncmp(rest, call, len) == 0 && rest[len] == ' ')
            return fail_set(f, scenario_errno(rest + len + 1), "%s", call);
    return 0;
}
