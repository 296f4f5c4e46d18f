#include "plat/kernel_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define KCORE "/proc/kcore"

int kernel_memory_open(struct fail *f)
{
    int fd = open(KCORE, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    int err = errno;
    fail_set(f, err, KCORE);
    if (err == EACCES || err == EPERM)
        fail_hint(f, "run it as root; a kernel that is locked down refuses even root");
    else if (err == ENOENT)
        fail_hint(f, "it needs a kernel with CONFIG_PROC_KCORE");
    return -err;
}

void kernel_memory_close(int handle)
{
    close(handle);
}

size_t kernel_memory_read(int handle, uint64_t offset, void *to, size_t len)
{
    size_t got = 0;
    while (got < len) {
        ssize_t n =
            TEMP_FAILURE_RETRY(pread(handle, (char *)to + got, len - got, (off_t)(offset + got)));
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    return got;
}
