/* Single files of a mount, among others. */
#include "plat/mount_at.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

int mount_make_tempdir(struct buf *path, struct fail *f)
{
    static const char *const parents[] = {"/run", "/tmp", "/dev/shm", "/var/tmp"};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        buf_clear(path);
        buf_printf(path, "%s/psuite-bind.XXXXXX", parents[i]);
        if (buf_error(path))
            return fail_set(f, ENOMEM, "a directory to mount at");
        if (mkdtemp(path->data))
            return 0;
    }
    return fail_set(f, errno, "a directory to mount at");
}

void mount_remove_tempdir(const char *path)
{
    mount_unmount(path, true, NULL);
    rmdir(path);
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
    int fd = -1;
    int r = directory ? mkdir(path, 0)
                      : (fd = open(path, O_CREAT | O_EXCL | O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0));
    if (r < 0)
        return fail_set(f, errno, "%s", path);
    if (fd >= 0)
        close(fd);
    return 0;
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
