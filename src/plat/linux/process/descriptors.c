#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void descriptor_close(int *fd)
{
    int err = errno;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    errno = err;
}

void descriptor_close_dir(DIR **dir)
{
    int err = errno;
    if (*dir)
        closedir(*dir);
    errno = err;
}

int descriptor_pipes(int first[2], int second[2])
{
    if (pipe2(first, O_CLOEXEC) < 0)
        return -errno;
    if (pipe2(second, O_CLOEXEC) == 0)
        return 0;
    descriptor_close(&first[0]);
    descriptor_close(&first[1]);
    return -errno;
}

int descriptor_write(int fd, const void *bytes, size_t len)
{
    for (const char *at = bytes; len;) {
        ssize_t n = TEMP_FAILURE_RETRY(write(fd, at, len));
        if (n < 0)
            return -errno;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

ssize_t descriptor_text(int fd, char *to, size_t cap)
{
    ssize_t n = fd < 0 ? -1 : pread(fd, to, cap - 1, 0);
    to[n > 0 ? n : 0] = '\0';
    return n;
}

int descriptor_put(const char *path, const char *text)
{
    SCOPED_FD fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

static bool is_kept(int fd, const int *keep, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (keep[i] == fd)
            return true;
    return false;
}

void descriptors_close_others(const int *keep, size_t n)
{
    long max_fd = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < max_fd && fd < 1 << 20; fd++) {
        if (is_kept(fd, keep, n))
            continue;
#ifdef SYS_close_range
        int next = INT32_MAX;
        for (size_t i = 0; i < n; i++)
            if (keep[i] > fd && keep[i] < next)
                next = keep[i];
        if (syscall(SYS_close_range, fd, next - 1, 0) == 0) {
            if (next == INT32_MAX)
                return;
            fd = next - 1;
            continue;
        }
#endif
        close(fd);
    }
}
