#include "descriptors.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

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
