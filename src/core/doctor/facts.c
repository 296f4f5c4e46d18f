#include "core/doctor/facts.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void facts_release(struct facts *fs)
{
    for (size_t i = 0; i < fs->n; i++) {
        free(fs->fact[i].key);
        free(fs->fact[i].text);
    }
    free(fs->fact);
    *fs = (struct facts)FACTS_INIT;
}

int facts_error(const struct facts *fs)
{
    return fs->err;
}

/* Takes text over. */
static void push_fact(struct facts *fs, const char *key, char *text, size_t len, int err)
{
    char *name = strdup(key);
    if (!name || (!text && !err) || !grow(&fs->fact, &fs->cap, fs->n, sizeof *fs->fact)) {
        free(name);
        free(text);
        fs->err = -ENOMEM;
        return;
    }
    fs->fact[fs->n++] = (struct fact){name, text, len, err};
}

void facts_add(struct facts *fs, const char *key, const void *bytes, size_t len)
{
    if (len && ((const char *)bytes)[len - 1] == '\n')
        len--;
    char *text = malloc(len + 1);
    if (text) {
        if (len)
            memcpy(text, bytes, len);
        text[len] = '\0';
    }
    push_fact(fs, key, text, len, 0);
}

void facts_addf(struct facts *fs, const char *key, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    facts_add(fs, key, text, strlen(text));
}

void facts_fail(struct facts *fs, const char *key, int err)
{
    push_fact(fs, key, NULL, 0, err ? err : -EINVAL);
}

const struct fact *facts_find(const struct facts *fs, const char *key)
{
    for (size_t i = 0; i < fs->n; i++)
        if (strcmp(fs->fact[i].key, key) == 0)
            return &fs->fact[i];
    return NULL;
}

const char *facts_text(const struct facts *fs, const char *key)
{
    const struct fact *f = facts_find(fs, key);
    return f ? f->text : NULL;
}

int facts_err(const struct facts *fs, const char *key)
{
    const struct fact *f = facts_find(fs, key);
    return f ? f->err : -ENODATA;
}

bool facts_i64(const struct facts *fs, const char *key, int64_t *out)
{
    const char *text = facts_text(fs, key);
    if (!text || !*text)
        return false;
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || end[strspn(end, " \n")] != '\0' || errno)
        return false;
    *out = v;
    return true;
}

double facts_double(const struct facts *fs, const char *key, double absent)
{
    const char *text = facts_text(fs, key);
    char *end;
    double v = text ? strtod(text, &end) : absent;
    return text && end == text ? absent : v;
}

bool facts_word(const struct facts *fs, const char *key, const char *word)
{
    static const char blank[] = " \t\n";
    size_t len = strlen(word);
    for (const char *s = facts_text(fs, key); s && *s; s += strcspn(s, blank)) {
        s += strspn(s, blank);
        if (strncmp(s, word, len) == 0 && (!s[len] || strchr(blank, s[len])))
            return true;
    }
    return false;
}

bool facts_line(const struct facts *fs, const char *key, const char *name, char *out, size_t size)
{
    size_t len = strlen(name);
    for (const char *s = facts_text(fs, key); s && *s; s += strcspn(s, "\n"), s += *s == '\n') {
        if (strncmp(s, name, len) != 0)
            continue;
        s += len;
        s += strspn(s, " \t");
        size_t end = strcspn(s, "\n");
        while (end && (s[end - 1] == ' ' || s[end - 1] == '\t'))
            end--;
        snprintf(out, size, "%.*s", (int)end, s);
        return true;
    }
    return false;
}
