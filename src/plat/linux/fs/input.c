#include "plat/input.h"

#include "process/descriptors.h"

#include <errno.h>
#include <unistd.h>

int input_read(struct buf *out, struct fail *f)
{
    enum { CHUNK = 65536 };
    char *chunk = buf_reserve(out, CHUNK);
    ssize_t n;
    if (!chunk)
        return fail_set(f, ENOMEM, "standard input");
    n = TEMP_FAILURE_RETRY(read(STDIN_FILENO, chunk, CHUNK));
    if (n < 0)
        return fail_set(f, errno, "standard input");
    buf_commit(out, (size_t)n);
    return n > 0;
}

int input_handle(void)
{
    return STDIN_FILENO;
}

int output_write(const void *bytes, size_t len, struct fail *f)
{
    int r = descriptor_write(STDOUT_FILENO, bytes, len);
    return r < 0 ? fail_set(f, -r, "standard output") : 0;
}
