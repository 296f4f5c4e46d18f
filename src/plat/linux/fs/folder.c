#include "plat/folder.h"

#include "core/base/sort.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_stat(const char *path, struct folder_file *out, struct fail *f)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return fail_set(f, errno, "%s", path);
    *out = (struct folder_file){S_ISDIR(st.st_mode), st.st_mode & 0777,
                                S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0, st.st_mtime};
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_names(char *names, size_t count, struct buf *out)
{
    SCOPED_FREE char **name = malloc((count + 1) * sizeof *name);
    if (!name) {
        out->err = -ENOMEM;
        return;
    }
    for (size_t i = 0; i < count; i++, names += strlen(names) + 1)
        name[i] = names;
    sort_array(name, count, sizeof *name, compare_names);
    for (size_t i = 0; i < count; i++)
        buf_add(out, name[i], strlen(name[i]) + 1);
}

int folder_names(const char *path, size_t max_names, struct buf *out, struct fail *f)
{
    SCOPED_DIR d = opendir(path);
    const struct dirent *e;
    SCOPED_BUF names = BUF_INIT;
    size_t count = 0;
    if (!d)
        return fail_set(f, errno, "%s", path);
    while (count < max_names && (e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            buf_add(&names, e->d_name, strlen(e->d_name) + 1);
            count++;
        }
    if (buf_error(&names))
        out->err = -ENOMEM;
    else
        sort_names(names.data, count, out);
    return buf_error(out) ? fail_set(f, ENOMEM, "%s", path) : 0;
}

int folder_open(const char *path, bool reads, bool writes, bool truncate, struct fail *f)
{
    int access = !writes ? O_RDONLY : reads ? O_RDWR : O_WRONLY;
    struct stat st;
    int fd = open(path, access | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail_set(f, errno == ENXIO ? EINVAL : errno, "%s", path);
    int r = fstat(fd, &st) < 0                               ? -errno
            : S_ISDIR(st.st_mode)                            ? -EISDIR
            : !S_ISREG(st.st_mode)                           ? -EINVAL
            : truncate && st.st_size && ftruncate(fd, 0) < 0 ? -errno
                                                             : 0;
    if (r == 0)
        return fd;
    close(fd);
    return fail_set(f, -r, "%s", path);
}

void folder_close(int handle)
{
    close(handle);
}

long folder_read(int handle, uint64_t offset, void *bytes, size_t len, struct fail *f)
{
    if (offset > (uint64_t)INT64_MAX - len)
        return 0;
    ssize_t n = TEMP_FAILURE_RETRY(pread(handle, bytes, len, (off_t)offset));
    return n < 0 ? fail_set(f, errno, "read") : n;
}

long folder_write(int handle, uint64_t offset, const void *bytes, size_t len, struct fail *f)
{
    if (offset > (uint64_t)INT64_MAX - len)
        return fail_set(f, EFBIG, "write");
    ssize_t n = TEMP_FAILURE_RETRY(pwrite(handle, bytes, len, (off_t)offset));
    return n < 0 ? fail_set(f, errno, "write") : n;
}
