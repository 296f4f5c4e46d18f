#include "plat/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, size_t max_bytes, struct buf *out)
{
    size_t start = out->len;
    for (;;) {
        char *room = buf_room(out, 16384);
        if (!room)
            return -ENOMEM;
        ssize_t n = read(fd, room, 16384);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        buf_grew(out, (size_t)n);
        if (n == 0)
            return 0;
        if (out->len - start > max_bytes)
            return -EFBIG;
    }
}

static int image_of(int fd, size_t max_bytes, struct image *out)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode) || st.st_size == 0) {
        struct buf b = BUF_INIT;
        int r = read_all(fd, max_bytes < FILE_STREAM_MOST ? max_bytes : FILE_STREAM_MOST, &b);
        if (r < 0)
            buf_release(&b);
        else
            *out = (struct image){(const uint8_t *)b.data, b.len, false};
        return r;
    }
    if ((uint64_t)st.st_size > max_bytes || (uint64_t)st.st_size > SIZE_MAX)
        return -EFBIG;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return -errno;
    *out = (struct image){data, (size_t)st.st_size, true};
    return 0;
}

int file_map(const char *path, size_t max_bytes, struct image *out, struct fail *f)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : image_of(fd, max_bytes, out);
    if (fd >= 0)
        close(fd);
    return r < 0 ? fail_set(f, -r, "%s", path) : 0;
}

int file_input(const char *path, size_t max_bytes, struct image *out, struct fail *f)
{
    if (strcmp(path, "-") != 0)
        return file_map(path, max_bytes, out, f);
    int r = image_of(STDIN_FILENO, max_bytes, out);
    return r < 0 ? fail_set(f, -r, "standard input") : 0;
}

/* A handle, or -errno. */
static int open_regular(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int r = fd < 0 || fstat(fd, &st) < 0 ? -errno : fd;
    if (r >= 0 && !S_ISREG(st.st_mode))
        r = S_ISDIR(st.st_mode) ? -EISDIR : -ENOEXEC;
    if (r < 0 && fd >= 0)
        close(fd);
    return r;
}

static int regular_failed(int err, const char *path, struct fail *f)
{
    if (err == -ENOEXEC)
        fail_set(f, 0, "%s: not a regular file", path);
    else
        fail_set(f, -err, "%s", path);
    return err;
}

int file_map_regular(const char *path, struct image *out, struct fail *f)
{
    int fd = open_regular(path), r = fd;
    if (fd >= 0)
        r = image_of(fd, SIZE_MAX / 2, out);
    if (fd >= 0)
        close(fd);
    return r < 0 ? regular_failed(r, path, f) : 0;
}

void file_real(const char *path, struct buf *out)
{
    char real[PATH_MAX];
    buf_adds(out, realpath(path, real) ? real : path);
}

void file_unload(const struct image *image)
{
    if (image->mapped)
        madvise((void *)(uintptr_t)image->data, image->len, MADV_DONTNEED);
}

/* The third number: pages of files and of shared memory. */
size_t file_resident(void)
{
    char text[128];
    unsigned long size, resident, shared;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n < 0 ? 0 : n] = '\0';
    if (sscanf(text, "%lu %lu %lu", &size, &resident, &shared) != 3)
        return SIZE_MAX;
    return (size_t)shared * (size_t)sysconf(_SC_PAGESIZE);
}

void file_unmap(struct image *image)
{
    if (image->mapped)
        munmap((void *)(uintptr_t)image->data, image->len);
    else
        free((void *)(uintptr_t)image->data);
    *image = (struct image){0};
}

int file_read_regular(const char *path, size_t max_bytes, struct buf *out, struct fail *f)
{
    int fd = open_regular(path);
    int r = fd < 0 ? fd : read_all(fd, max_bytes, out);
    if (fd >= 0)
        close(fd);
    return r < 0 ? regular_failed(r, path, f) : 0;
}

int file_read(const char *path, size_t max_bytes, struct buf *out, struct fail *f)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_all(fd, max_bytes, out);
    if (fd >= 0)
        close(fd);
    return r < 0 ? fail_set(f, -r, "%s", path) : 0;
}

static int write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return -errno;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return 0;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A device, a pipe: writing to it overwrites nothing. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int refused(int err, const char *path, struct fail *f)
{
    if (err == EEXIST && is_folder(path))
        err = EISDIR;
    fail_set(f, err, "%s", path);
    if (err == EEXIST)
        fail_hint(f, "-f overwrites it");
    return -err;
}

int file_create(const char *path, bool force, struct fail *f)
{
    if (strcmp(path, "-") == 0) {
        signal(SIGPIPE, SIG_IGN);
        return STDOUT_FILENO;
    }
    int how = is_special(path) ? 0 : O_CREAT | (force ? O_TRUNC : O_EXCL);
    int fd = open(path, O_WRONLY | O_CLOEXEC | how, 0666);
    return fd < 0 ? refused(errno, path, f) : fd;
}

int file_take_stdout(struct fail *f)
{
    signal(SIGPIPE, SIG_IGN);
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        int err = errno;
        if (fd >= 0)
            close(fd);
        return refused(err, "standard output", f);
    }
    return fd;
}

int file_extend(const char *path, struct fail *f)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return fd < 0 ? refused(errno, path, f) : fd;
}

int file_append(int handle, const void *bytes, size_t len, const char *path, struct fail *f)
{
    int r = write_all(handle, bytes, len);
    return r < 0 ? refused(-r, path, f) : 0;
}

int file_finish(int handle, const char *path, struct fail *f)
{
    return handle != STDOUT_FILENO && close(handle) < 0 ? refused(errno, path, f) : 0;
}

int file_write(const char *path, const void *bytes, size_t len, bool force, struct fail *f)
{
    int fd = file_create(path, force, f);
    int r = fd < 0 ? fd : file_append(fd, bytes, len, path, f);
    if (r < 0) {
        if (fd >= 0)
            file_finish(fd, path, NULL);
        return r;
    }
    return file_finish(fd, path, f);
}

int file_writable(const char *path, bool force, struct fail *f)
{
    if (strcmp(path, "-") == 0)
        return 0;
    if (access(path, F_OK) == 0)
        return (!force && !is_special(path)) || is_folder(path) ? refused(EEXIST, path, f)
               : access(path, W_OK) == 0                        ? 0
                                                                : refused(errno, path, f);
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX] = ".";
    if (slash)
        snprintf(dir, sizeof dir, "%.*s", (int)(slash - path + 1), path);
    return access(dir, W_OK | X_OK) == 0 ? 0 : refused(errno, path, f);
}

int file_self(struct buf *out, struct fail *f)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n < 0)
        return fail_set(f, errno, "/proc/self/exe");
    buf_add(out, path, (size_t)n);
    return 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

int file_link(const char *target, const char *path, bool symbolic, struct fail *f)
{
    if ((symbolic ? symlink(target, path) : link(target, path)) == 0)
        return 0;
    int err = errno;
    if (err == EEXIST && same_file(target, path))
        return 0;
    fail_set(f, err, "%s", path);
    if (err == EXDEV)
        fail_hint(f, "a hard link cannot cross file systems: use -s");
    return -err;
}
