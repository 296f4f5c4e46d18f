/* Locks: those of an open file (F_OFD_*, Linux 3.15), which others' locks of either kind exclude.
 */
#include "plat/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>

bool tree_is_unlock(uint32_t type)
{
    return type == F_UNLCK;
}

/* Writable if that is allowed at all: what is locked first to read may be locked later to write. */
int tree_open_for_lock(int fd)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int own = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (own < 0)
        own = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return own < 0 ? -errno : own;
}

/* The end of all files is length 0. */
static struct flock range_of(const struct ns_lock *lock)
{
    const uint64_t last = INT64_MAX;
    uint64_t start = lock->start < last ? lock->start : last;
    uint64_t end = lock->end < last ? lock->end : last;
    return (struct flock){.l_type = (short)lock->type,
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)start,
                          .l_len = end == last || end < start ? 0 : (off_t)(end - start + 1)};
}

int tree_lock(int fd, const struct ns_lock *lock)
{
    struct flock range = range_of(lock);
    if (fcntl(fd, F_OFD_SETLK, &range) == 0)
        return 0;
    return errno == EACCES ? -EAGAIN : -errno;
}

int tree_get_lock(int fd, const struct ns_lock *lock, struct ns_lock *found)
{
    struct flock range = range_of(lock);
    if (fcntl(fd, F_OFD_GETLK, &range) < 0)
        return -errno;
    *found = (struct ns_lock){
        .start = (uint64_t)range.l_start,
        .end = range.l_len ? (uint64_t)(range.l_start + range.l_len - 1) : (uint64_t)INT64_MAX,
        .type = (uint32_t)range.l_type,
        .pid = range.l_type != F_UNLCK && range.l_pid > 0 ? (uint32_t)range.l_pid : 0};
    return 0;
}

int tree_flock(int fd, uint32_t type)
{
    int operation = type == F_UNLCK ? LOCK_UN : type == F_RDLCK ? LOCK_SH : LOCK_EX;
    return flock(fd, operation | LOCK_NB) < 0 ? -errno : 0;
}

void tree_unflock(int fd)
{
    flock(fd, LOCK_UN);
}
