#include "plat/input.h"

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
    const char *b = bytes;
    while (len) {
        ssize_t n = write(STDOUT_FILENO, b, len);
        if (n < 0 && errno != EINTR)
            return fail_set(f, errno, "standard output");
        b += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}
