#include "observer.h"

#include "core/ninep/proxy.h"
#include "core/ns/ns.h"

#include <stdlib.h>

static size_t parent_len(const char *path, size_t len)
{
    while (len && path[--len] != '/')
        ;
    return len;
}

/* "" is the root. */
static bool add_names(char path[NS_PATH_MAX + 1], size_t len, const struct ninep_text *names,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ninep_text t = names[i];
        if (ninep_text_equals(t, "..")) {
            len = parent_len(path, len);
            continue;
        }
        if (t.len >= NS_PATH_MAX - len)
            return false;
        path[len++] = '/';
        memcpy(path + len, t.at, t.len);
        len += t.len;
    }
    path[len] = '\0';
    return true;
}

char *ninep_watch_path(const struct ninep_watch *w, uint32_t fid, const struct ninep_text *names,
                       size_t count)
{
    const struct ninep_watched *from = ninep_map_get(&w->fids, fid);
    char path[NS_PATH_MAX + 1];
    if (!from || !from->path)
        return NULL;
    size_t len = strlen(from->path);
    memcpy(path, from->path, len + 1);
    return add_names(path, len, names, count) ? strdup(path) : NULL;
}

const char *ninep_watch_name(const struct ninep_watch *w, uint32_t fid)
{
    const struct ninep_watched *f = ninep_map_get(&w->fids, fid);
    return f ? f->path : NULL;
}

static void free_watched(struct ninep_watch *w, struct ninep_watched *f, bool removed)
{
    if (w->counts && f->opened && !removed)
        io_counts_closed(w->counts, f->file, f->did_io);
    free(f->path);
    free(f);
}

void ninep_watch_drop(struct ninep_watch *w, uint32_t fid, bool removed)
{
    struct ninep_watched *f = ninep_map_remove(&w->fids, fid);
    if (f)
        free_watched(w, f, removed);
}

void ninep_watch_uncounted(struct ninep_watch *w)
{
    struct ninep_watched *f;
    for (size_t i = 0; i < w->fids.slots; i++)
        if ((f = w->fids.slot[i].value) != NULL)
            f->file = -1;
}

void ninep_watch_drop_all(struct ninep_watch *w)
{
    for (struct ninep_watched *f; (f = ninep_map_remove_any(&w->fids));)
        free_watched(w, f, false);
    ninep_map_release(&w->fids);
}

/* A fid that walks becomes another file's; one that was opened is not moved, but created in. */
void ninep_watch_walked(struct ninep_watch *w, uint32_t fid, char *path)
{
    ninep_watch_drop(w, fid, false);
    struct ninep_watched *f = w->fids.count < NINEP_WATCHED_FIDS ? calloc(1, sizeof *f) : NULL;
    if (f && ninep_map_put(&w->fids, fid, f)) {
        *f = (struct ninep_watched){.path = path, .file = -1};
        return;
    }
    free(f);
    free(path);
}

void ninep_watch_opened(struct ninep_watch *w, uint32_t fid)
{
    struct ninep_watched *f = ninep_map_get(&w->fids, fid);
    if (!f)
        return;
    const char *path = !f->path ? NULL : f->path[0] ? f->path : "/";
    f->opened = true;
    f->file = path && w->counts ? io_counts_file(w->counts, path, strlen(path)) : -1;
}

static int mark_used(struct ninep_watch *w, uint32_t fid)
{
    struct ninep_watched *f = ninep_map_get(&w->fids, fid);
    if (!f)
        return -1;
    f->did_io = true;
    return f->file;
}

void ninep_watch_read(struct ninep_watch *w, uint32_t fid, uint64_t bytes)
{
    if (w->counts)
        io_counts_read(w->counts, mark_used(w, fid), bytes);
}

void ninep_watch_written(struct ninep_watch *w, uint32_t fid, uint64_t bytes)
{
    if (w->counts)
        io_counts_written(w->counts, mark_used(w, fid), bytes);
}
