#include "plat/file.h"

#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, size_t max_bytes, struct buf *out)
{
    size_t start = out->len;
    for (;;) {
        char *chunk = buf_reserve(out, 16384);
        if (!chunk)
            return -ENOMEM;
        ssize_t n = TEMP_FAILURE_RETRY(read(fd, chunk, 16384));
        if (n < 0)
            return -errno;
        buf_commit(out, (size_t)n);
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
        int r =
            read_all(fd, max_bytes < FILE_STREAM_MAX_BYTES ? max_bytes : FILE_STREAM_MAX_BYTES, &b);
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
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : image_of(fd, max_bytes, out);
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
    if (r < 0)
        descriptor_close(&fd);
    return r;
}

static int fail_regular(int err, const char *path, struct fail *f)
{
    if (err == -ENOEXEC)
        fail_set(f, 0, "%s: not a regular file", path);
    else
        fail_set(f, -err, "%s", path);
    return err;
}

static bool is_owned(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_uid == 0 || st.st_uid == geteuid());
}

static int map_regular(const char *path, bool owned, struct image *out, struct fail *f)
{
    SCOPED_FD fd = open_regular(path);
    int r = fd < 0 ? fd : owned && !is_owned(fd) ? -EPERM : image_of(fd, SIZE_MAX / 2, out);
    return r < 0 ? fail_regular(r, path, f) : 0;
}

int file_map_regular(const char *path, struct image *out, struct fail *f)
{
    return map_regular(path, false, out, f);
}

int file_map_owned(const char *path, struct image *out, struct fail *f)
{
    return map_regular(path, true, out, f);
}

void file_realpath(const char *path, struct buf *out)
{
    char real[PATH_MAX];
    buf_adds(out, realpath(path, real) ? real : path);
}

void file_drop_pages(const struct image *image)
{
    if (image->mapped)
        madvise((void *)(uintptr_t)image->data, image->len, MADV_DONTNEED);
}

/* Where a page is touched the kernel maps those around it, too, in aligned blocks: some before the
 * range, which no later range has. */
void file_drop_range(const struct image *image, const void *at, size_t len)
{
    size_t before = (uintptr_t)at % FILE_FAULT_BYTES;
    size_t most = (size_t)((const uint8_t *)at - image->data);
    if (before > most)
        before = most;
    if (image->mapped)
        madvise((void *)((uintptr_t)at - before), before + len, MADV_DONTNEED);
}

/* The third number: pages of files and of shared memory. */
size_t file_resident(void)
{
    char text[128];
    unsigned long size, resident, shared;
    SCOPED_FD fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    descriptor_text(fd, text, sizeof text);
    if (sscanf(text, "%lu %lu %lu", &size, &resident, &shared) != 3)
        return SIZE_MAX;
    return (size_t)shared * (size_t)sysconf(_SC_PAGESIZE);
}

unsigned long file_faults(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (unsigned long)used.ru_minflt + (unsigned long)used.ru_majflt;
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
    SCOPED_FD fd = open_regular(path);
    int r = fd < 0 ? fd : read_all(fd, max_bytes, out);
    return r < 0 ? fail_regular(r, path, f) : 0;
}

int file_read(const char *path, size_t max_bytes, struct buf *out, struct fail *f)
{
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_all(fd, max_bytes, out);
    return r < 0 ? fail_set(f, -r, "%s", path) : 0;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A device, a pipe: writing to it overwrites nothing. Others may have put a link or a pipe of
 * theirs where we write: what the link leads to is not what we meant, and the pipe might never be
 * read. */
static bool is_special(const char *path, bool *by_link)
{
    struct stat name, st;
    if (lstat(path, &name) < 0 || stat(path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return false;
    bool trusted = name.st_uid == 0 || name.st_uid == geteuid();
    *by_link = S_ISLNK(name.st_mode);
    return trusted || S_ISCHR(name.st_mode);
}

/* /dev/stdout, when standard output is a file: the link must neither be removed nor opened anew,
 * which would begin at the file's start. -1: it is not of this kind. */
static int standard_stream(const char *path)
{
    struct stat name, st, own;
    if (lstat(path, &name) < 0 || !S_ISLNK(name.st_mode) || stat(path, &st) < 0)
        return -1;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &own) == 0 && own.st_dev == st.st_dev && own.st_ino == st.st_ino)
            return fd;
    return -1;
}

static bool exists_path(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static int fail_file(int err, const char *path, struct fail *f)
{
    if (err == EEXIST && is_folder(path))
        err = EISDIR;
    fail_set(f, err, "%s", path);
    if (err == EEXIST)
        fail_hint(f, "use --force to overwrite it");
    return -err;
}

static bool is_regular(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static int open_special(const char *path, bool by_link)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (by_link ? 0 : O_NOFOLLOW));
    if (fd < 0 || !is_regular(fd))
        return fd;
    close(fd); /* it was exchanged meanwhile */
    errno = EEXIST;
    return -1;
}

static int open_new(const char *path, bool force, mode_t mode)
{
    if (force && !is_folder(path) && unlink(path) < 0 && errno != ENOENT)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

static int create_file(const char *path, bool force, mode_t mode, struct fail *f)
{
    bool by_link;
    if (strcmp(path, "-") == 0) {
        signal(SIGPIPE, SIG_IGN);
        return STDOUT_FILENO;
    }
    int stream = standard_stream(path);
    int fd = stream >= 0                  ? fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
             : is_special(path, &by_link) ? open_special(path, by_link)
                                          : open_new(path, force, mode);
    return fd < 0 ? fail_file(errno, path, f) : fd;
}

int file_create(const char *path, bool force, struct fail *f)
{
    return create_file(path, force, 0666, f);
}

int file_create_private(const char *path, bool force, struct fail *f)
{
    return create_file(path, force, 0600, f);
}

int file_redirect_stdout(struct fail *f)
{
    signal(SIGPIPE, SIG_IGN);
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        descriptor_close(&fd);
        return fail_file(errno, "standard output", f);
    }
    return fd;
}

int file_append(int handle, const void *bytes, size_t len, const char *path, struct fail *f)
{
    int r = descriptor_write(handle, bytes, len);
    return r < 0 ? fail_file(-r, path, f) : 0;
}

int file_finish(int handle, const char *path, struct fail *f)
{
    return handle != STDOUT_FILENO && close(handle) < 0 ? fail_file(errno, path, f) : 0;
}

static bool is_named(int fd, const char *path)
{
    struct stat st, named;
    return fstat(fd, &st) == 0 && lstat(path, &named) == 0 && S_ISREG(st.st_mode) &&
           st.st_dev == named.st_dev && st.st_ino == named.st_ino;
}

void file_abandon(int handle, const char *path)
{
    if (handle != STDOUT_FILENO && is_named(handle, path))
        unlink(path);
    file_finish(handle, path, NULL);
}

static int write_whole(int fd, const void *bytes, size_t len, const char *path, struct fail *f)
{
    int r = fd < 0 ? fd : file_append(fd, bytes, len, path, f);
    if (r < 0) {
        if (fd >= 0)
            file_abandon(fd, path);
        return r;
    }
    return file_finish(fd, path, f);
}

int file_write(const char *path, const void *bytes, size_t len, bool force, struct fail *f)
{
    return write_whole(file_create(path, force, f), bytes, len, path, f);
}

int file_write_private(const char *path, const void *bytes, size_t len, bool force, struct fail *f)
{
    return write_whole(file_create_private(path, force, f), bytes, len, path, f);
}

int file_extend(const char *path, const void *bytes, size_t len, struct fail *f)
{
    struct stat st = {0};
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        int err = fd < 0 ? errno : EINVAL;
        descriptor_close(&fd);
        return fail_file(err, path, f);
    }
    int r = file_append(fd, bytes, len, path, f);
    if (r < 0 && ftruncate(fd, st.st_size) < 0)
        fail_hint(f, "the file now ends with a part of what was added");
    return file_finish(fd, path, r < 0 ? NULL : f) < 0 && r == 0 ? -EIO : r;
}

static int folder_writable(const char *path, struct fail *f)
{
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX] = ".";
    if (slash)
        snprintf(dir, sizeof dir, "%.*s", (int)(slash - path + 1), path);
    return access(dir, W_OK | X_OK) == 0 ? 0 : fail_file(errno, path, f);
}

int file_writable(const char *path, bool force, struct fail *f)
{
    bool by_link;
    if (strcmp(path, "-") == 0 || standard_stream(path) >= 0)
        return 0;
    if (is_special(path, &by_link))
        return access(path, W_OK) == 0 ? 0 : fail_file(errno, path, f);
    if (exists_path(path) && (!force || is_folder(path)))
        return fail_file(EEXIST, path, f);
    return folder_writable(path, f);
}

int file_own_path(struct buf *out, struct fail *f)
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
