/* mountprivate WAY TYPE PATH: the file at PATH of a private mount of the file system TYPE, by the
 * WAY `detached' or `apart'; or, when PATH ends in a slash, makes that directory and removes it. */
#include "fs/mount_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refused(const char *what, int err)
{
    fprintf(stderr, "mountprivate: %s: %s\n", what, strerror(err));
    return 1;
}

static int make_and_remove(int root, const char *path)
{
    bool done = mkdirat(root, path, 0700) == 0 && unlinkat(root, path, AT_REMOVEDIR) == 0;
    return done ? 0 : refused(path, errno);
}

static int print(int root, const char *path)
{
    char text[4096];
    int fd = openat(root, path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    return n < 0 || write(STDOUT_FILENO, text, (size_t)n) != n ? refused(path, errno) : 0;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int root = strcmp(argv[1], "apart") == 0 ? mount_private_by_child(argv[2])
                                             : mount_private_detached(argv[2]);
    if (root < 0)
        return refused(argv[1], -root);
    const char *path = argv[3];
    return path[strlen(path) - 1] == '/' ? make_and_remove(root, path) : print(root, path);
}
