#include "plat/file_stream.h"

#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

enum { FUSE_MAGIC = 0x65735546, V9FS_MAGIC = 0x01021997 }; /* linux/magic.h */

static bool is_served(const char *path)
{
    struct statfs fs;
    return statfs(path, &fs) == 0 && (fs.f_type == FUSE_MAGIC || fs.f_type == V9FS_MAGIC);
}

enum file_stream_kind file_stream_kind(const char *path)
{
    bool input = strcmp(path, "-") == 0;
    struct stat st;
    if ((input ? fstat(STDIN_FILENO, &st) : stat(path, &st)) < 0)
        return FILE_WHOLE;
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
        return FILE_PIPE;
    return !input && S_ISREG(st.st_mode) && st.st_size == 0 && is_served(path) ? FILE_SERVED
                                                                               : FILE_WHOLE;
}

/* A pipe without a writer is opened at once only with O_NONBLOCK, and would look ended then. */
int file_stream_open(const char *path, struct file_stream *out, struct fail *f)
{
    bool input = strcmp(path, "-") == 0;
    out->kind = file_stream_kind(path);
    int wait = out->kind == FILE_SERVED ? O_NONBLOCK : 0;
    out->handle = input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                        : open(path, O_RDONLY | O_CLOEXEC | wait);
    return out->handle < 0 ? fail_set(f, errno, "%s", input ? "standard input" : path) : 0;
}

long file_stream_read(const struct file_stream *s, void *bytes, size_t len)
{
    ssize_t n = TEMP_FAILURE_RETRY(read(s->handle, bytes, len));
    return n < 0 ? -errno : n;
}

void file_stream_close(struct file_stream *s)
{
    descriptor_close(&s->handle);
}
