/* Requests about open files. */
#include "fuse.h"

#include <errno.h>
#include <string.h>

int fuse_open(struct job *j)
{
    struct hostfs_file opened;
    int r = hostfs_open(&j->s->fs, &j->cred, j->ask.node, j->ask.flags, &opened);
    return r < 0 ? r : fuse_answer_open(j, &opened);
}

int fuse_opendir(struct job *j)
{
    struct hostfs_file opened;
    int r = hostfs_open_dir(&j->s->fs, &j->cred, j->ask.node, &opened);
    return r < 0 ? r : fuse_answer_open(j, &opened);
}

/* The file of the counts, by the path at its first use. */
static int file_of(struct job *j, struct fuse_handle *h)
{
    struct hostfs_fuse *s = j->s;
    int file = h->file;
    if (file >= 0 || !s->counting)
        return file;
    SCOPED_BUF path = BUF_INIT;
    hostfs_path(&s->fs, h->open.node, &path);
    SCOPED_LOCK held = lock_acquire(s->account);
    if (h->file < 0 && !buf_error(&path))
        h->file = io_counts_file(s->counts, buf_str(&path), path.len);
    return h->file;
}

static void note_moved(struct job *j, struct fuse_handle *h, uint64_t bytes)
{
    j->moved = bytes;
    j->file = file_of(j, h);
    if (j->s->counting)
        h->did_io = true;
}

int fuse_read(struct job *j, struct fuse_handle *h)
{
    size_t len = j->ask.size < HOSTFS_MAX_IO ? (size_t)j->ask.size : HOSTFS_MAX_IO;
    int64_t n = tree_read(h->open.fd, j->buffer, len, j->ask.offset);
    if (n < 0)
        return (int)n;
    j->body = j->buffer;
    j->len = (size_t)n;
    note_moved(j, h, (uint64_t)n);
    return 0;
}

int fuse_write(struct job *j, struct fuse_handle *h)
{
    hostfs_set_cred(&j->s->fs,
                    &j->cred); /* a set-user-id bit shall not outlive another user's write */
    int64_t n = tree_write(h->open.fd, j->ask.data, j->ask.data_len, j->ask.offset);
    if (n < 0)
        return (int)n;
    j->len = fuse_body_count(j->small, (uint32_t)n);
    note_moved(j, h, (uint64_t)n);
    return 0;
}

int fuse_copy(struct job *j, struct fuse_handle *h)
{
    struct fuse_handle *to = fuse_handle(j->s, j->ask.fh2);
    if (!to)
        return -EBADF;
    size_t len = j->ask.size < 1 << 30 ? (size_t)j->ask.size : 1 << 30;
    int64_t n = tree_copy(h->open.fd, j->ask.offset, to->open.fd, j->ask.offset2, len);
    if (n < 0)
        return (int)n;
    note_moved(j, h, (uint64_t)n);
    int in = j->file;
    note_moved(j, to, (uint64_t)n);
    lock_acquire(j->s->account);
    if (j->s->counting)
        io_counts_read(j->s->counts, in, (uint64_t)n);
    lock_release(j->s->account);
    j->len = fuse_body_count(j->small, (uint32_t)n);
    return 0;
}

int fuse_readdir(struct job *j, struct fuse_handle *h)
{
    enum { STAT_ENTRY = 49 }; /* 9P2000's, without names */
    size_t cap = j->ask.size < HOSTFS_MAX_IO ? (size_t)j->ask.size : HOSTFS_MAX_IO, len = 0;
    uint64_t bytes = 0;
    struct ns_entry e;
    int r = hostfs_next(&j->s->fs, &h->open, j->ask.offset, &e);
    if (r < 0)
        return r;
    while (r > 0) {
        size_t n = fuse_body_dirent(j->buffer + len, cap - len, &e);
        if (!n)
            break;
        len += n;
        bytes += STAT_ENTRY + strlen(e.name);
        r = hostfs_next(&j->s->fs, &h->open, e.next, &e);
    }
    j->body = j->buffer;
    j->len = len;
    note_moved(j, h, bytes);
    return 0;
}

int fuse_release(struct job *j, struct fuse_handle *h)
{
    lock_acquire(j->s->account);
    if (j->s->counting)
        io_counts_closed(j->s->counts, h->file, h->did_io);
    lock_release(j->s->account);
    fuse_handle_free(j->s, j->ask.fh);
    return 0;
}

int fuse_fsync(struct job *j, struct fuse_handle *h)
{
    return tree_sync(h->open.fd, j->ask.flags & 1);
}

int fuse_fallocate(struct job *j, struct fuse_handle *h)
{
    return tree_allocate(h->open.fd, j->ask.flags, j->ask.offset, j->ask.size);
}

int fuse_lseek(struct job *j, struct fuse_handle *h)
{
    int64_t at = tree_seek(h->open.fd, j->ask.offset, j->ask.flags);
    if (at < 0)
        return (int)at;
    j->len = fuse_body_offset(j->small, (uint64_t)at);
    return 0;
}
