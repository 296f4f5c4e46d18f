#include "core/ns/ns_tree.h"

#include "core/base/grow.h"
#include "core/ns/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Listings that are read by index, the newest: as long as one is read, nothing in it moves. */
enum { LISTINGS = 8, MAX_LISTED = 1 << 14 };

struct listing {
    char *name; /* NULL: none */
    uint64_t age;
    struct ns_stat *file;
    size_t count, cap;
};

struct ns_tree {
    const struct ns *ns;
    char *root; /* of its names, "" for "/" */
    struct ns_names names;
    struct listing listing[LISTINGS];
    uint64_t age;
    ns_tree_may *may_write;
};

/* An open file, with the name that its writes are judged by. */
struct tree_file {
    struct ns_file *file;
    char name[];
};

struct ns_tree *ns_tree_new(const struct ns *ns, const char *under)
{
    struct ns_tree *t = strlen(under) <= NS_PATH_MAX ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    t->ns = ns;
    t->names.max = NS_TREE_NAMES;
    t->root = strdup(strcmp(under, "/") == 0 ? "" : under);
    if (t->root)
        return t;
    free(t);
    return NULL;
}

static void drop_listing(struct listing *l)
{
    free(l->name);
    free(l->file);
    *l = (struct listing){.name = NULL};
}

void ns_tree_free(struct ns_tree *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < LISTINGS; i++)
        drop_listing(&t->listing[i]);
    ns_names_release(&t->names);
    free(t->root);
    free(t);
}

size_t ns_tree_held(const struct ns_tree *t)
{
    return t->names.used;
}

/* --- names --- */

static int name_of(const struct ns_tree *t, uint64_t path, char name[NS_PATH_MAX + 1],
                   struct fail *f)
{
    int r = ns_names_whole(&t->names, path, t->root, name);
    return r < 0 ? fail_set(f, -r, "%.128s", name) : 0;
}

/* 64-bit FNV-1a: what a qid tells files apart by. */
static uint64_t number_of(const char *directory, const char *name)
{
    uint64_t h = 0xcbf29ce484222325;
    for (const char *s = directory; *s; s++)
        h = (h ^ (uint8_t)*s) * 0x100000001b3;
    if (*name)
        h = (h ^ '/') * 0x100000001b3;
    for (const char *s = name; *s; s++)
        h = (h ^ (uint8_t)*s) * 0x100000001b3;
    return h;
}

static void tree_forget(void *state, uint64_t path, uint64_t times)
{
    struct ns_tree *t = state;
    ns_names_drop(&t->names, path, times);
}

static int tree_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                     struct fail *f)
{
    struct ns_tree *t = state;
    struct ns_stat st;
    char whole[NS_PATH_MAX + 1];
    int r = name_of(t, directory, whole, f);
    if (r < 0)
        return r;
    size_t len = strlen(whole), left = sizeof whole - len;
    if (snprintf(whole + len, left, "/%s", name) >= (int)left)
        return fail_set(f, ENAMETOOLONG, "%.128s", name);
    r = ns_stat(t->ns, whole, &st, f);
    if (r < 0)
        return r;
    int64_t i = ns_names_hold(&t->names, directory, name);
    if (i < 0)
        return fail_set(f, (int)-i, "%.128s", name);
    *path = (uint64_t)i;
    return 0;
}

static int tree_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ns_tree *t = state;
    char name[NS_PATH_MAX + 1];
    int r = name_of(t, path, name, f);
    if (r == 0)
        r = ns_stat(t->ns, name, out, f);
    out->path = number_of(name, "");
    return r;
}

/* --- listings --- */

static int add_file(void *arg, const struct ns_stat *file)
{
    struct listing *l = arg;
    if (l->count == MAX_LISTED)
        return -EFBIG;
    if (!grow(&l->file, &l->cap, l->count, sizeof *l->file))
        return -ENOMEM;
    l->file[l->count] = *file;
    l->file[l->count++].path = number_of(l->name, file->name);
    return 0;
}

static struct listing *find_listing(struct ns_tree *t, const char *name)
{
    struct listing *oldest = &t->listing[0];
    for (size_t i = 0; i < LISTINGS; i++) {
        struct listing *l = &t->listing[i];
        if (l->name && strcmp(l->name, name) == 0)
            return l;
        if (l->age < oldest->age)
            oldest = l;
    }
    drop_listing(oldest);
    return oldest;
}

/* A fresh one at index 0, as then somebody begins. */
static int get_listing(struct ns_tree *t, const char *name, size_t index, struct listing **out,
                       struct fail *f)
{
    struct listing *l = *out = find_listing(t, name);
    l->age = ++t->age;
    if (l->name && index)
        return 0;
    drop_listing(l);
    l->age = t->age;
    l->name = strdup(name);
    int r = l->name ? ns_list(t->ns, name, add_file, l, f) : -ENOMEM;
    if (r < 0) {
        drop_listing(l);
        if (r == -ENOMEM || r == -EFBIG)
            fail_set(f, -r, "%.128s", name);
    }
    return r;
}

static int tree_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                      struct fail *f)
{
    struct ns_tree *t = state;
    struct listing *l = NULL;
    char name[NS_PATH_MAX + 1];
    int r = name_of(t, directory, name, f);
    if (r == 0)
        r = get_listing(t, name, index, &l, f);
    if (r < 0 || index >= l->count)
        return r < 0 ? r : 0;
    *out = l->file[index];
    return 1;
}

/* --- files --- */

void ns_tree_guard(struct ns_tree *t, ns_tree_may *may_write)
{
    t->may_write = may_write;
}

static int tree_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ns_tree *t = state;
    char name[NS_PATH_MAX + 1];
    int r = name_of(t, path, name, f);
    if (r < 0)
        return r;
    size_t len = strlen(name) + 1;
    struct tree_file *o = malloc(sizeof *o + len);
    if (!o)
        return fail_set(f, ENOMEM, "%.128s", name);
    memcpy(o->name, name, len);
    r = ns_open(t->ns, name, how, &o->file, f);
    if (r < 0)
        free(o);
    else
        *file = o;
    return r;
}

static long tree_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct tree_file *o = io->file;
    return ns_read(o->file, io->offset, bytes, io->len, f);
}

static long tree_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    struct ns_tree *t = state;
    struct tree_file *o = io->file;
    if (t->may_write && !t->may_write(o->name, bytes, io->len))
        return fail_set(f, EPERM, "%.128s", o->name);
    return ns_write(o->file, io->offset, bytes, io->len, f);
}

static void tree_close(void *state, void *file, uint64_t path)
{
    SCOPED_FREE struct tree_file *o = file;
    ns_close(o->file);
}

static int tree_handle(void *state, void *file, uint64_t path)
{
    struct tree_file *o = file;
    return o ? ns_handle(o->file) : -1;
}

struct ns_server ns_tree_server(struct ns_tree *t)
{
    static const struct ns_calls calls = {.walk = tree_walk,
                                          .stat = tree_stat,
                                          .entry = tree_entry,
                                          .open = tree_open,
                                          .read = tree_read,
                                          .write = tree_write,
                                          .close = tree_close,
                                          .handle = tree_handle,
                                          .forget = tree_forget};
    return (struct ns_server){&calls, t};
}
