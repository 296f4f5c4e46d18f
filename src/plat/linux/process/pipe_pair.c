#include "pipe_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int pipe_pair_open(int first[2], int second[2])
{
    if (pipe2(first, O_CLOEXEC) < 0)
        return -errno;
    if (pipe2(second, O_CLOEXEC) == 0)
        return 0;
    int err = errno;
    close(first[0]);
    close(first[1]);
    return -err;
}
