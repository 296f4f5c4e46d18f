#include "engine/trace/functions.h"

#include <errno.h>
#include <string.h>

enum { MODULE_BYTES = 64 };

/* A `*' tries again with one letter more, the last one alone: each letter is looked at as often as
 * there are stars at most. */
bool function_name_matches(const char *pattern, const char *name, size_t len)
{
    const char *star = NULL;
    size_t at = 0, retry = 0;
    while (at < len) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = at;
        } else if (*pattern && (*pattern == '?' || *pattern == name[at])) {
            pattern++;
            at++;
        } else if (star) {
            pattern = star;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool function_list_next(const char **list, char name[FUNCTION_LIST_NAME])
{
    size_t len = strcspn(*list, ",");
    if (!**list)
        return false;
    size_t kept = len < FUNCTION_LIST_NAME ? len : 0; /* nothing has a longer name */
    memcpy(name, *list, kept);
    name[kept] = '\0';
    *list += len + ((*list)[len] == ',');
    return true;
}

/* MODULE:PATTERN is about functions of modules. */
static bool matches(const struct kernel_text *k, const struct symbol *s, const char *pattern)
{
    const char *colon = strchr(pattern, ':');
    char module[MODULE_BYTES];
    size_t len;
    const char *of = kallsyms_module(&k->names, s, &len);
    if (!colon)
        return function_name_matches(pattern, s->name, strlen(s->name));
    if (!len || colon - pattern >= MODULE_BYTES)
        return false;
    memcpy(module, pattern, (size_t)(colon - pattern));
    module[colon - pattern] = '\0';
    return function_name_matches(module, of, len) &&
           function_name_matches(colon + 1, s->name, strlen(s->name));
}

static int check_count(size_t found, const char *pattern, struct fail *f)
{
    if (!found) {
        fail_set(f, 0, "%s: the kernel has no such function", pattern);
        fail_hint(f, "quote patterns: --functions 'vfs_*'; names are those of /proc/kallsyms");
        return -ESRCH;
    }
    if (found <= FUNCTIONS_MAX)
        return 0;
    fail_set(f, 0, "%s: %zu functions: at most %d can be traced at once", pattern, found,
             FUNCTIONS_MAX);
    fail_hint(f, "use a longer pattern: each function takes milliseconds to probe");
    return -E2BIG;
}

int kernel_text_find(const struct kernel_text *k, const char *const *pattern, size_t patterns,
                     kernel_text_found_fn *emit, void *arg, struct fail *f)
{
    size_t found = 0;
    int r = 0;
    for (size_t i = 0; i < symtab_count(k->names.symbols) && r == 0; i++) {
        const struct symbol *s = symtab_at(k->names.symbols, i);
        bool asked = false;
        for (size_t n = 0; n < patterns && s->name[0] && !asked; n++)
            asked = matches(k, s, pattern[n]);
        found += asked;
        r = asked ? emit(arg, s, f) : 0;
    }
    return r < 0 ? r : check_count(found, pattern[0], f);
}
