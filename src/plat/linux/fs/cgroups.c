#include "plat/cgroups.h"

#include "core/base/buf.h"
#include "core/procfs/cgroup.h"
#include "mount_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <unistd.h>

struct walk {
    void (*emit)(void *arg, uint64_t number, const char *path);
    void *arg;
    struct buf path;
};

/* A handle of the kernel's own file systems is the file's number, of 64 bits; 0: it is none. */
static uint64_t number_of(int fd)
{
    struct {
        struct file_handle head;
        unsigned char number[sizeof(uint64_t)];
    } handle = {.head.handle_bytes = sizeof(uint64_t)};
    int mount;
    uint64_t number = 0;
    if (name_to_handle_at(fd, "", &handle.head, &mount, AT_EMPTY_PATH) == 0 &&
        handle.head.handle_bytes == sizeof number)
        memcpy(&number, handle.head.f_handle, sizeof number);
    return number;
}

static void walk_children(struct walk *w, DIR *dir, int depth);

static void walk_group(struct walk *w, int fd, int depth)
{
    uint64_t number = number_of(fd);
    if (number)
        w->emit(w->arg, number, w->path.len ? buf_str(&w->path) : "/");
    DIR *dir = depth < CGROUP_MAX_DEPTH ? fdopendir(fd) : NULL;
    if (!dir) {
        close(fd);
        return;
    }
    walk_children(w, dir, depth + 1);
    closedir(dir);
}

static void walk_children(struct walk *w, DIR *dir, int depth)
{
    struct dirent *e;
    size_t len = w->path.len;
    while ((e = readdir(dir)) && !buf_error(&w->path)) {
        if (e->d_type != DT_DIR || strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        int fd = openat(dirfd(dir), e->d_name,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); /* it may have gone */
        if (fd < 0)
            continue;
        buf_printf(&w->path, "/%s", e->d_name);
        walk_group(w, fd, depth);
        w->path.len = len;
    }
}

static int open_root(void)
{
    char path[PATH_MAX];
    if (mount_find("cgroup2", CGROUP2_SUPER_MAGIC, path, sizeof path))
        return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return mount_private("cgroup2");
}

bool cgroups_each(void (*emit)(void *arg, uint64_t number, const char *path), void *arg)
{
    struct walk w = {emit, arg, BUF_INIT};
    int root = open_root();
    if (root < 0)
        return false;
    walk_group(&w, root, 0);
    buf_release(&w.path);
    return true;
}
