#include "oom_score.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "/proc/self/oom_score_adj", first[] = "1000";

static char before[8]; /* empty: it was not raised */

static ssize_t read_score(char *to, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, to, size - 1);
    if (fd >= 0)
        close(fd);
    to[n > 0 ? n : 0] = '\0';
    to[strcspn(to, "\n")] = '\0';
    return n;
}

static bool write_score(const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    size_t len = strlen(text);
    bool written = fd >= 0 && write(fd, text, len) == (ssize_t)len;
    if (fd >= 0)
        close(fd);
    return written;
}

void oom_score_raise(void)
{
    char now[sizeof before];
    if (before[0] || read_score(now, sizeof now) <= 0 || strcmp(now, first) == 0)
        return;
    if (write_score(first))
        memcpy(before, now, sizeof before);
}

void oom_score_restore(void)
{
    if (before[0])
        write_score(before);
}
