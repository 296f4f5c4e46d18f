/* Single files of a mount, among others. */
#include "plat/mount_at.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* 64 bits from the kernel: nobody else can have made it before. */
static bool random_name(const char *parent, struct buf *path)
{
    uint64_t bits;
    SCOPED_FREE char *real = realpath(parent, NULL);
    if (!real || getrandom(&bits, sizeof bits, 0) != sizeof bits)
        return false;
    buf_printf(path, "%s/psuite-bind.%016" PRIx64, real, bits);
    return true;
}

int mount_name_tempdir(struct buf *path, struct fail *f)
{
    static const char *const parents[] = {"/run", "/tmp", "/dev/shm", "/var/tmp"};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++)
        if (access(parents[i], W_OK | X_OK) == 0 && random_name(parents[i], path))
            return buf_error(path) ? fail_set(f, ENOMEM, "a directory to mount at") : 0;
    return fail_set(f, EACCES, "a directory to mount at");
}

int mount_make_tempdir(const char *path, struct fail *f)
{
    return mkdir(path, 0700) < 0 ? fail_set(f, errno, "%s", path) : 0;
}

bool mount_remove_tempdir(const char *path)
{
    if (rmdir(path) == 0 || errno == ENOENT)
        return true;
    mount_unmount(path, true, NULL);
    return rmdir(path) == 0;
}

int mount_bind(const char *from, const char *to, struct fail *f)
{
    if (mount(from, to, NULL, MS_BIND, NULL) == 0)
        return 0;
    fail_set(f, errno, "%s", to);
    int r = -errno;
    if (r == -EPERM)
        fail_hint(f, "only root can mount single files; bind at a directory of its own");
    return r;
}

/* Without any permission: nothing else has such names of no use. */
int mount_make_point(const char *path, bool directory, struct fail *f)
{
    SCOPED_FD fd = -1;
    int r = directory ? mkdir(path, 0)
                      : (fd = open(path, O_CREAT | O_EXCL | O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0));
    return r < 0 ? fail_set(f, errno, "%s", path) : 0;
}

void mount_remove_point(const char *path)
{
    struct stat s;
    if (lstat(path, &s) < 0 || s.st_mode & 07777)
        return;
    if (S_ISDIR(s.st_mode))
        rmdir(path);
    else if (S_ISREG(s.st_mode) && s.st_size == 0)
        unlink(path);
}
