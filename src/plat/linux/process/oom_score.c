#include "oom_score.h"

#include "descriptors.h"
#include "plat/limits.h"

#include <fcntl.h>
#include <string.h>

static const char path[] = "/proc/self/oom_score_adj", first[] = "1000";

static char before[8]; /* empty: it was not raised */

static ssize_t read_score(char *to, size_t size)
{
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = descriptor_text(fd, to, size);
    to[strcspn(to, "\n")] = '\0';
    return n;
}

/* 1000 needs no privilege. Where it is 1000 already, or /proc is missing, nothing is done. */
void limits_first_victim(void)
{
    char now[sizeof before];
    if (before[0] || read_score(now, sizeof now) <= 0 || strcmp(now, first) == 0)
        return;
    if (descriptor_put(path, first) == 0)
        memcpy(before, now, sizeof before);
}

void oom_score_restore(void)
{
    if (before[0])
        descriptor_put(path, before);
}
