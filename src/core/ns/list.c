/* What a name is, and what a directory holds: the files of all that is bound there, and the names
 * that lead on to what is bound below. */
#include "core/ns/ns.h"

#include "core/containers/intern.h"
#include "find.h"

#include <errno.h>
#include <string.h>

enum { SYNTHETIC = UINT32_MAX }; /* ns_stat.server of a directory that no server has */

static uint64_t hash(uint64_t h, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = h * 31 + (uint8_t)name[i];
    return h * 31 + '/';
}

/* The directory of a name below the first so many elements. */
static void make_stat(struct ns_stat *out, const struct ns_elements *e, size_t above,
                      const char *name, size_t len)
{
    *out = (struct ns_stat){.server = SYNTHETIC, .directory = true, .mode = 0555};
    memcpy(out->name, name, len);
    for (size_t i = 0; i < above; i++)
        out->path = hash(out->path, e->at[i], strlen(e->at[i]));
    out->path = hash(out->path, name, len);
}

/* A server has one number, wherever it is bound. */
static uint32_t number_of(const struct ns *ns, const struct ns_server *s)
{
    uint32_t i = 0;
    while (ns->mount[i].server.calls != s->calls || ns->mount[i].server.state != s->state)
        i++;
    return i;
}

int ns_stat(const struct ns *ns, const char *name, struct ns_stat *out, struct fail *f)
{
    struct ns_elements e;
    struct ns_found at;
    struct ns_stat st = {0};
    int r = ns_find(ns, name, &at, f);
    if (r < 0 || (r = ns_split(name, &e, f)) < 0)
        return r;
    const char *last = e.count ? e.at[e.count - 1] : "/";
    if (!at.mount) {
        make_stat(out, &e, e.count ? e.count - 1 : 0, last, strlen(last));
        return 0;
    }
    r = at.mount->server.calls->stat(at.mount->server.state, at.path, &st, f);
    if (r < 0)
        return r;
    st.server = number_of(ns, &at.mount->server);
    strcpy(st.name, last); /* as it is bound, not as the server calls its root */
    *out = st;
    return 0;
}

struct listing {
    struct intern seen;
    ns_visit *visit;
    void *arg;
};

static int visit_once(struct listing *l, const struct ns_stat *st)
{
    char name[NS_NAME_MAX + 1] = {0};
    strcpy(name, st->name);
    size_t before = l->seen.count;
    if (intern(&l->seen, name) == INTERN_NONE)
        return -ENOMEM;
    return l->seen.count > before ? l->visit(l->arg, st) : 0;
}

static int list_server(const struct ns *ns, const struct ns_found *at, struct listing *l,
                       struct fail *f)
{
    struct ns_stat st;
    for (size_t i = 0;; i++) {
        st = (struct ns_stat){0};
        int r = at->mount->server.calls->entry(at->mount->server.state, at->path, i, &st, f);
        if (r <= 0)
            return r;
        st.server = number_of(ns, &at->mount->server);
        r = visit_once(l, &st);
        if (r)
            return r;
    }
}

/* *there: a tree had the directory. */
static int list_mounts(const struct ns *ns, const struct ns_elements *e, bool *there,
                       struct listing *l, struct fail *f)
{
    struct ns_found at;
    struct ns_stat st;
    for (size_t i = 0; i < ns->mounts; i++) {
        int r = ns_find_in(&ns->mount[i], e, &at, f);
        if (r < 0)
            continue;
        r = at.mount->server.calls->stat(at.mount->server.state, at.path, &st, f);
        if (r < 0)
            return r;
        if (!st.directory)
            return fail_set(f, ENOTDIR, "%s", st.name);
        *there = true;
        r = list_server(ns, &at, l, f);
        if (r)
            return r;
    }
    return 0;
}

static int list_synthetic(const struct ns *ns, const struct ns_elements *e, bool *there,
                          struct listing *l)
{
    struct ns_stat st;
    const char *next;
    size_t len;
    for (size_t i = 0; i < ns->mounts; i++) {
        if (!ns_leads_to(&ns->mount[i], e, &next, &len))
            continue;
        *there = true;
        if (next[len])
            make_stat(&st, e, e->count, next, len);
        else if (ns_stat(ns, ns->mount[i].name, &st, NULL) != 0)
            continue; /* a file bound under a name of its own, which its server does not have now */
        int r = visit_once(l, &st);
        if (r)
            return r;
    }
    return 0;
}

int ns_list(const struct ns *ns, const char *name, ns_visit *visit, void *arg, struct fail *f)
{
    struct listing l = {
        .seen = {.each = NS_NAME_MAX + 1, .key = NS_NAME_MAX + 1}, .visit = visit, .arg = arg};
    struct ns_elements e;
    bool there = false;
    int r = ns_split(name, &e, f);
    if (r == 0)
        r = list_mounts(ns, &e, &there, &l, f);
    if (r == 0)
        r = list_synthetic(ns, &e, &there, &l);
    if (r == 0 && !there && e.count)
        r = fail_set(f, ENOENT, "%s", name);
    if (r == -ENOMEM)
        fail_set(f, ENOMEM, "%s", name);
    intern_release(&l.seen);
    return r;
}
