/* A text that is too long to be held as a whole. */
#include "plat/file.h"

#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct parts {
    void (*part)(void *arg, char *text, size_t len);
    void *arg;
    size_t have;
    char text[FILE_PART_BYTES + 1];
};

/* Up to the last newline; what is behind it begins the next part. */
static void give_lines(struct parts *p)
{
    char *newline = memrchr(p->text, '\n', p->have);
    size_t len = newline                      ? (size_t)(newline - p->text) + 1
                 : p->have == FILE_PART_BYTES ? p->have
                                              : 0;
    char next = p->text[len];
    if (len)
        p->part(p->arg, p->text, len);
    p->text[len] = next;
    p->have -= len;
    memmove(p->text, p->text + len, p->have);
}

static int read_parts(int fd, struct parts *p)
{
    ssize_t n;
    while ((n = TEMP_FAILURE_RETRY(read(fd, p->text + p->have, FILE_PART_BYTES - p->have))) > 0) {
        p->have += (size_t)n;
        give_lines(p);
    }
    if (n < 0)
        return -errno;
    if (p->have)
        p->part(p->arg, p->text, p->have);
    return 0;
}

int file_read_parts(const char *path, void (*part)(void *arg, char *text, size_t len), void *arg,
                    struct fail *f)
{
    struct parts p = {.part = part, .arg = arg};
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_parts(fd, &p);
    return r < 0 ? fail_set(f, -r, "%s", path) : 0;
}
