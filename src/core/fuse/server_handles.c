/* Open files: what the kernel knows by a handle. */
#include "server_parts.h"

#include "core/base/grow.h"

uint64_t fs_open_new(struct fuse_server *s, const struct ns_file *file, bool directory)
{
    if (s->open_now == FUSE_SERVER_FILES ||
        (!s->free_open && !grow(&s->open, &s->open_cap, s->opens, sizeof *s->open)))
        return 0;
    size_t i = s->free_open ? s->free_open - 1 : s->opens++;
    if (s->free_open)
        s->free_open = s->open[i].next_free;
    s->open[i] = (struct fs_open){.file = *file, .used = true, .directory = directory};
    s->open_now++;
    return i + 1;
}

struct fs_open *fs_open_at(const struct fuse_server *s, uint64_t handle)
{
    if (handle == 0 || handle > s->opens || !s->open[handle - 1].used)
        return NULL;
    return &s->open[handle - 1];
}

void fs_open_close(struct fuse_server *s, struct fs_open *o)
{
    ns_file_close(&o->file);
    *o = (struct fs_open){.next_free = s->free_open};
    s->free_open = (size_t)(o - s->open) + 1;
    s->open_now--;
}

void fs_open_close_all(struct fuse_server *s)
{
    for (size_t i = 0; i < s->opens; i++)
        if (s->open[i].used)
            fs_open_close(s, &s->open[i]);
    free(s->open);
}
