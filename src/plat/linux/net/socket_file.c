#include "socket_file.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Our own socket without a listener. One that is only busy (EAGAIN) is not dead. */
static bool is_dead(const struct sockaddr_un *to)
{
    struct stat st;
    if (lstat(to->sun_path, &st) < 0 || !S_ISSOCK(st.st_mode) || st.st_uid != geteuid())
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return false;
    bool refused =
        connect(fd, (const struct sockaddr *)to, sizeof *to) < 0 && errno == ECONNREFUSED;
    close(fd);
    return refused;
}

static int try_bind(int fd, const struct sockaddr_un *to)
{
    return bind(fd, (const struct sockaddr *)to, sizeof *to) < 0 ? -errno : 0;
}

int socket_file_bind(int fd, const struct sockaddr_un *to, uint64_t *device, uint64_t *file)
{
    struct stat st;
    fchmod(fd, 0600); /* the mode that bind gives its file: no other user can ever connect */
    int r = try_bind(fd, to);
    if (r == -EADDRINUSE && is_dead(to) && unlink(to->sun_path) == 0)
        r = try_bind(fd, to);
    if (r < 0)
        return r;
    if (lstat(to->sun_path, &st) < 0)
        return -errno;
    *device = st.st_dev;
    *file = st.st_ino;
    return 0;
}

void socket_file_remove(const char *path, uint64_t device, uint64_t file)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_dev == device && st.st_ino == file)
        unlink(path);
}
