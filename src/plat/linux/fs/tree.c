#include "plat/tree.h"

#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static int result_or_errno(int64_t r)
{
    return r < 0 ? -errno : (int)r;
}

bool tree_is_dir(uint32_t mode)
{
    return S_ISDIR(mode);
}

bool tree_is_file(uint32_t mode)
{
    return S_ISREG(mode);
}

bool tree_is_link(uint32_t mode)
{
    return S_ISLNK(mode);
}

bool tree_opens_to_write(uint32_t flags)
{
    return (flags & O_ACCMODE) != O_RDONLY;
}

int tree_root(const char *path)
{
    return result_or_errno(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

int tree_open_path(int at, const char *name)
{
    if (!*name)
        return result_or_errno(fcntl(at, F_DUPFD_CLOEXEC, 3));
    return result_or_errno(openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
}

static struct ns_time time_of(const struct timespec *t)
{
    return (struct ns_time){(uint64_t)t->tv_sec, (uint64_t)t->tv_nsec};
}

/* What a mount of the host ignores must not have an effect in ours. */
static mode_t without_ignored(int at, const char *name, mode_t mode)
{
    const mode_t set_ids = S_ISUID | S_ISGID;
    struct statvfs v;
    if (!S_ISREG(mode) || !(mode & set_ids))
        return mode;
    SCOPED_FD place = tree_open_path(at, name);
    bool honoured = place >= 0 && fstatvfs(place, &v) == 0 && !(v.f_flag & ST_NOSUID);
    return honoured ? mode : mode & ~set_ids;
}

int tree_read_attr(int at, const char *name, struct tree_attr *out)
{
    struct stat s;
    if (fstatat(at, name, &s, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT) < 0)
        return -errno;
    s.st_mode = without_ignored(at, name, s.st_mode);
    out->dev = s.st_dev;
    out->attr = (struct ns_attr){.ino = s.st_ino,
                                 .size = (uint64_t)s.st_size,
                                 .blocks = (uint64_t)s.st_blocks,
                                 .accessed = time_of(&s.st_atim),
                                 .modified = time_of(&s.st_mtim),
                                 .changed = time_of(&s.st_ctim),
                                 .mode = s.st_mode,
                                 .links = s.st_nlink,
                                 .uid = s.st_uid,
                                 .gid = s.st_gid,
                                 /* the kernel's own encoding of a device */
                                 .device = (minor(s.st_rdev) & 0xff) | major(s.st_rdev) << 8 |
                                           (minor(s.st_rdev) & ~0xffu) << 12,
                                 .block_bytes = (uint64_t)s.st_blksize};
    return 0;
}

struct by_fd {
    char path[32];
};

/* A descriptor's file by a name that leads to the file itself. */
static struct by_fd by_fd(int fd)
{
    struct by_fd b;
    snprintf(b.path, sizeof b.path, "/proc/self/fd/%d", fd);
    return b;
}

/* What the opener meant for its own descriptor is not ours. Appending is: the kernel's idea of the
 * end may be old. */
static int open_flags(uint32_t flags)
{
    return (int)((flags & ~(uint32_t)(O_NOCTTY | O_DIRECT | O_CLOEXEC | FASYNC | O_NONBLOCK)) |
                 O_CLOEXEC | O_NONBLOCK) &
           ~(O_CREAT | O_EXCL);
}

uint32_t tree_flags(unsigned mode)
{
    int flags = mode & TREE_READ_WRITE ? O_RDWR : mode & TREE_WRITE ? O_WRONLY : O_RDONLY;
    flags |= mode & TREE_TRUNCATE ? O_TRUNC : 0;
    flags |= mode & TREE_APPEND ? O_APPEND : 0;
    flags |= mode & TREE_SYNC ? O_SYNC : 0;
    flags |= mode & TREE_EXCLUSIVE ? O_EXCL : 0;
    return (uint32_t)flags;
}

void tree_clear_umask(void)
{
    umask(0);
}

int tree_open(int at, const char *name, uint32_t flags)
{
    int want = open_flags(flags);
    if (!*name)
        return result_or_errno(open(by_fd(at).path, want & ~O_NOFOLLOW));
    return result_or_errno(openat(at, name, want | O_NOFOLLOW));
}

int tree_open_dir(int at, const char *name)
{
    return result_or_errno(
        openat(at, *name ? name : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

int tree_create(int at, const char *name, uint32_t flags, uint32_t mode)
{
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return result_or_errno(openat(at, ".", open_flags(flags) | O_TMPFILE, mode));
    int want = open_flags(flags) | O_CREAT | O_NOFOLLOW | (int)(flags & O_EXCL);
    return result_or_errno(openat(at, name, want, mode));
}

void tree_close(int fd)
{
    descriptor_close(&fd);
}

int tree_fd_limit(void)
{
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) < 0)
        return 256;
    l.rlim_cur = l.rlim_max;
    setrlimit(RLIMIT_NOFILE, &l);
    getrlimit(RLIMIT_NOFILE, &l);
    return l.rlim_cur > 1 << 20 ? 1 << 20 : (int)l.rlim_cur;
}

int64_t tree_read(int fd, void *to, size_t len, uint64_t offset)
{
    ssize_t n = pread(fd, to, len, (off_t)offset);
    return n < 0 ? -errno : n;
}

int64_t tree_write(int fd, const void *from, size_t len, uint64_t offset)
{
    ssize_t n = pwrite(fd, from, len, (off_t)offset);
    return n < 0 ? -errno : n;
}

int64_t tree_copy(int from, uint64_t from_offset, int to, uint64_t to_offset, size_t len)
{
    off_t in = (off_t)from_offset, out = (off_t)to_offset;
    ssize_t n = copy_file_range(from, &in, to, &out, len, 0);
    return n < 0 ? -errno : n;
}

int64_t tree_seek(int fd, uint64_t offset, uint32_t whence)
{
    off_t at = lseek(fd, (off_t)offset, (int)whence);
    return at < 0 ? -errno : at;
}

int tree_sync(int fd, bool data_only)
{
    return result_or_errno(data_only ? fdatasync(fd) : fsync(fd));
}

int tree_allocate(int fd, uint32_t mode, uint64_t offset, uint64_t len)
{
    return result_or_errno(fallocate(fd, (int)mode, (off_t)offset, (off_t)len));
}

struct raw_entry {
    uint64_t ino;
    int64_t next;
    uint16_t len;
    uint8_t type;
    char name[];
};

int64_t tree_entries(int fd, uint64_t offset, uint64_t *at, void *to, size_t len)
{
    if (offset != *at && lseek(fd, (off_t)offset, SEEK_SET) < 0)
        return -errno;
    *at = offset;
    ssize_t n = syscall(SYS_getdents64, fd, to, len);
    if (n < 0)
        return -errno;
    struct ns_entry e;
    for (size_t i = 0, each; (each = tree_entry((char *)to + i, (size_t)n - i, &e)); i += each)
        *at = e.next;
    return n;
}

size_t tree_entry(const void *raw, size_t len, struct ns_entry *out)
{
    const struct raw_entry *e = raw;
    if (!len)
        return 0;
    *out = (struct ns_entry){e->ino, (uint64_t)e->next, e->type, e->name};
    return e->len;
}

int tree_make_dir(int at, const char *name, uint32_t mode)
{
    return result_or_errno(mkdirat(at, name, mode));
}

int tree_make_node(int at, const char *name, uint32_t mode, uint32_t rdev)
{
    unsigned high = (rdev >> 8) & 0xfff, low = (rdev & 0xff) | ((rdev >> 12) & 0xfff00);
    return result_or_errno(mknodat(at, name, mode, makedev(high, low)));
}

int tree_make_link(int at, const char *name, const char *target)
{
    return result_or_errno(symlinkat(target, at, name));
}

int tree_link(int place, int at, const char *name)
{
    return result_or_errno(linkat(AT_FDCWD, by_fd(place).path, at, name, AT_SYMLINK_FOLLOW));
}

int tree_unlink(int at, const char *name, bool dir)
{
    return result_or_errno(unlinkat(at, name, dir ? AT_REMOVEDIR : 0));
}

int tree_rename(int at, const char *name, int at2, const char *name2, uint32_t flags)
{
    if (!flags)
        return result_or_errno(renameat(at, name, at2, name2));
    return result_or_errno((int)syscall(SYS_renameat2, at, name, at2, name2, flags));
}

int64_t tree_read_link(int at, const char *name, void *to, size_t len)
{
    ssize_t n = readlinkat(at, name, to, len);
    return n < 0 ? -errno : n;
}

/* --- what is asked of a place --- */

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
    struct by_fd b = by_fd(place);
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
    return result_or_errno(faccessat(AT_FDCWD, by_fd(place).path, (int)mask & 7, AT_EACCESS));
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
    return result_or_errno(getxattr(by_fd(place).path, name, to, len));
}

int64_t tree_list_xattr(int place, void *to, size_t len)
{
    return result_or_errno(listxattr(by_fd(place).path, to, len));
}

int tree_set_xattr(int place, const char *name, const void *value, size_t len, uint32_t flags)
{
    return result_or_errno(setxattr(by_fd(place).path, name, value, len, (int)flags));
}

int tree_remove_xattr(int place, const char *name)
{
    return result_or_errno(removexattr(by_fd(place).path, name));
}
