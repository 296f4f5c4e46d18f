/* What is asked of a place: by its name in /proc, which leads to the file itself. */
#include "plat/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static int told(int64_t r)
{
    return r < 0 ? -errno : (int)r;
}

struct by_fd {
    char path[32];
};

static struct by_fd by_fd(int fd)
{
    struct by_fd b;
    snprintf(b.path, sizeof b.path, "/proc/self/fd/%d", fd);
    return b;
}

static struct timespec time_to_set(uint32_t valid, uint32_t set, uint32_t now, struct fuse_time t)
{
    if (valid & now)
        return (struct timespec){0, UTIME_NOW};
    if (!(valid & set))
        return (struct timespec){0, UTIME_OMIT};
    return (struct timespec){(time_t)t.s, (long)t.ns};
}

/* Owner before mode, as a change of owner takes set-user-id away. */
int tree_set(int place, const struct fuse_ask *ask)
{
    struct by_fd b = by_fd(place);
    uint32_t valid = ask->set.valid;
    uid_t uid = valid & FUSE_SET_UID ? ask->set.uid : (uid_t)-1;
    gid_t gid = valid & FUSE_SET_GID ? ask->set.gid : (gid_t)-1;
    bool owner = valid & (FUSE_SET_UID | FUSE_SET_GID) || !valid;
    if (owner && fchownat(place, "", uid, gid, AT_EMPTY_PATH) < 0)
        return -errno;
    if (valid & FUSE_SET_MODE && chmod(b.path, ask->mode & 07777) < 0)
        return -errno;
    if (valid & FUSE_SET_SIZE && truncate(b.path, (off_t)ask->set.size) < 0)
        return -errno;
    if (!(valid & (FUSE_SET_ATIME | FUSE_SET_MTIME)))
        return 0;
    const struct timespec times[2] = {
        time_to_set(valid, FUSE_SET_ATIME, FUSE_SET_ATIME_NOW, ask->set.atime),
        time_to_set(valid, FUSE_SET_MTIME, FUSE_SET_MTIME_NOW, ask->set.mtime)};
    return told(utimensat(AT_FDCWD, b.path, times, 0));
}

int tree_set_open(int fd, const struct fuse_ask *ask)
{
    return ask->set.valid & FUSE_SET_SIZE ? told(ftruncate(fd, (off_t)ask->set.size)) : 0;
}

int tree_access(int place, uint32_t mask)
{
    return told(faccessat(AT_FDCWD, by_fd(place).path, (int)mask & 7, AT_EACCESS));
}

int tree_statfs(int place, struct fuse_statfs *out)
{
    struct statvfs s;
    if (fstatvfs(place, &s) < 0)
        return -errno;
    *out = (struct fuse_statfs){.blocks = s.f_blocks,
                                .bfree = s.f_bfree,
                                .bavail = s.f_bavail,
                                .files = s.f_files,
                                .ffree = s.f_ffree,
                                .bsize = (uint32_t)s.f_bsize,
                                .namelen = (uint32_t)s.f_namemax,
                                .frsize = (uint32_t)s.f_frsize};
    return 0;
}

int64_t tree_get_xattr(int place, const char *name, void *to, size_t len)
{
    return told(getxattr(by_fd(place).path, name, to, len));
}

int64_t tree_list_xattr(int place, void *to, size_t len)
{
    return told(listxattr(by_fd(place).path, to, len));
}

int tree_set_xattr(int place, const char *name, const void *value, size_t len, uint32_t flags)
{
    return told(setxattr(by_fd(place).path, name, value, len, (int)flags));
}

int tree_remove_xattr(int place, const char *name)
{
    return told(removexattr(by_fd(place).path, name));
}
