#include "find.h"

#include <errno.h>
#include <string.h>

/* The length of the element at s; *s is moved to its start. */
static size_t next_element(const char **s)
{
    *s += strspn(*s, "/");
    return strcspn(*s, "/");
}

/* How many of the elements the mount's name has, when it begins the name; else SIZE_MAX. Of the
 * mount's name *rest is what follows the elements. */
static size_t match_prefix(const struct ns_mount *m, const struct ns_elements *e, const char **rest)
{
    const char *s = m->name;
    size_t i = 0, len;
    for (; (len = next_element(&s)) != 0 && i < e->count; i++, s += len)
        if (strlen(e->at[i]) != len || memcmp(e->at[i], s, len) != 0)
            return SIZE_MAX;
    *rest = s;
    return i;
}

static int walk_element(const struct ns_mount *m, uint64_t *path, const char *name, struct fail *f)
{
    return m->server.calls->walk(m->server.state, *path, name, path, f);
}

/* Down to where the mount begins in its server. */
static int walk_under(const struct ns_mount *m, uint64_t *path, struct fail *f)
{
    char name[NS_NAME_MAX + 1];
    const char *s = m->under;
    size_t len;
    for (; (len = next_element(&s)) != 0; s += len) {
        memcpy(name, s, len);
        name[len] = '\0';
        int r = walk_element(m, path, name, f);
        if (r < 0)
            return r;
    }
    return 0;
}

int ns_find_in(const struct ns_mount *m, const struct ns_elements *e, struct ns_found *out,
               struct fail *f)
{
    const char *rest;
    uint64_t path = 0;
    size_t i = match_prefix(m, e, &rest);
    if (i == SIZE_MAX || *rest)
        return -ENOENT;
    int r = walk_under(m, &path, f);
    for (; r == 0 && i < e->count; i++)
        r = walk_element(m, &path, e->at[i], f);
    if (r == 0)
        *out = (struct ns_found){m, path};
    return r;
}

bool ns_leads_to(const struct ns_mount *m, const struct ns_elements *e, const char **next,
                 size_t *len)
{
    size_t i = match_prefix(m, e, next);
    *len = i == e->count ? strcspn(*next, "/") : 0;
    return *len && (**next != '#' || e->count);
}

static int not_found(const struct ns_elements *e, const char *name, struct fail *f)
{
    bool device = e->count == 1 && e->at[0][0] == '#';
    return fail_set(f, device ? ENODEV : ENOENT, "%s", name);
}

static bool is_synthetic(const struct ns *ns, const struct ns_elements *e)
{
    const char *next;
    size_t len;
    for (size_t i = 0; i < ns->mounts; i++)
        if (ns_leads_to(&ns->mount[i], e, &next, &len))
            return true;
    return e->count == 0;
}

int ns_find(const struct ns *ns, const char *name, struct ns_found *out, struct fail *f)
{
    struct ns_elements e;
    int r = ns_split(name, &e, f);
    if (r < 0)
        return r;
    for (size_t i = 0; i < ns->mounts; i++) {
        r = ns_find_in(&ns->mount[i], &e, out, f);
        if (r != -ENOENT && r != -ENOTDIR)
            return r;
    }
    *out = (struct ns_found){NULL, 0};
    return is_synthetic(ns, &e) ? 0 : not_found(&e, name, f);
}
