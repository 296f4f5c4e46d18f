/* What is asked of a place: by its name in /proc, which leads to the file itself. */
#include "plat/tree.h"

#include "tree_by_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static int result_or_errno(int64_t r)
{
    return r < 0 ? -errno : (int)r;
}

static struct timespec time_to_set(uint32_t set, uint32_t this, uint32_t given, struct ns_time t)
{
    if (!(set & this))
        return (struct timespec){0, UTIME_OMIT};
    if (!(set & given))
        return (struct timespec){0, UTIME_NOW};
    return (struct timespec){(time_t)t.s, (long)t.ns};
}

/* Owner before mode, as a change of owner takes set-user-id away. */
int tree_set(int place, const struct ns_change *c)
{
    enum { OTHERS = NS_SET_CHANGED - 1 };
    struct tree_by_fd b = tree_by_fd(place);
    uint32_t set = c->set;
    uid_t uid = set & NS_SET_UID ? c->to.uid : (uid_t)-1;
    gid_t gid = set & NS_SET_GID ? c->to.gid : (gid_t)-1;
    bool owner = set & (NS_SET_UID | NS_SET_GID) || (set & NS_SET_CHANGED && !(set & OTHERS));
    if (owner && fchownat(place, "", uid, gid, AT_EMPTY_PATH) < 0)
        return -errno;
    if (set & NS_SET_MODE && chmod(b.path, c->to.mode & 07777) < 0)
        return -errno;
    if (set & NS_SET_SIZE && truncate(b.path, (off_t)c->to.size) < 0)
        return -errno;
    if (!(set & (NS_SET_ACCESSED | NS_SET_MODIFIED)))
        return 0;
    const struct timespec times[2] = {
        time_to_set(set, NS_SET_ACCESSED, NS_SET_ACCESSED_TO, c->to.accessed),
        time_to_set(set, NS_SET_MODIFIED, NS_SET_MODIFIED_TO, c->to.modified)};
    return result_or_errno(utimensat(AT_FDCWD, b.path, times, 0));
}

int tree_set_size(int fd, uint64_t size)
{
    return result_or_errno(ftruncate(fd, (off_t)size));
}

int tree_access(int place, uint32_t mask)
{
    return result_or_errno(faccessat(AT_FDCWD, tree_by_fd(place).path, (int)mask & 7, AT_EACCESS));
}

int tree_statfs(int place, struct ns_statfs *out)
{
    struct statvfs s;
    if (fstatvfs(place, &s) < 0)
        return -errno;
    *out = (struct ns_statfs){.blocks = s.f_blocks,
                              .free = s.f_bfree,
                              .available = s.f_bavail,
                              .files = s.f_files,
                              .free_files = s.f_ffree,
                              .io_bytes = (uint32_t)s.f_bsize,
                              .name_max = (uint32_t)s.f_namemax,
                              .block_bytes = (uint32_t)s.f_frsize};
    return 0;
}

int64_t tree_get_xattr(int place, const char *name, void *to, size_t len)
{
    return result_or_errno(getxattr(tree_by_fd(place).path, name, to, len));
}

int64_t tree_list_xattr(int place, void *to, size_t len)
{
    return result_or_errno(listxattr(tree_by_fd(place).path, to, len));
}

int tree_set_xattr(int place, const char *name, const void *value, size_t len, uint32_t flags)
{
    return result_or_errno(setxattr(tree_by_fd(place).path, name, value, len, (int)flags));
}

int tree_remove_xattr(int place, const char *name)
{
    return result_or_errno(removexattr(tree_by_fd(place).path, name));
}
