#include "plat/mount_pipes.h"

#include "plat/mount.h"
#include "plat/mount_at.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A large message in one piece, where we may. */
enum { ROOM = 1 << 20 };
enum { READS, WRITES }; /* of pipe(2) */

static int open_both(int ask[2], int reply[2])
{
    if (pipe2(ask, O_CLOEXEC) < 0)
        return -errno;
    if (pipe2(reply, O_CLOEXEC) < 0) {
        int r = -errno;
        close(ask[READS]);
        close(ask[WRITES]);
        return r;
    }
    fcntl(ask[WRITES], F_SETPIPE_SZ, ROOM);
    fcntl(reply[WRITES], F_SETPIPE_SZ, ROOM);
    return 0;
}

int mount_pipes_give(int pass, struct mount_pipes *kernel)
{
    int ask[2], reply[2];
    int r = open_both(ask, reply);
    if (r < 0)
        return r;
    r = mount_give(pass, ask[READS]);
    if (r == 0)
        r = mount_give(pass, reply[WRITES]);
    close(ask[READS]);
    close(reply[WRITES]);
    *kernel = (struct mount_pipes){.from = reply[READS], .to = ask[WRITES]};
    if (r < 0)
        mount_pipes_close(kernel);
    return r;
}

int mount_pipes_take(int pass, struct mount_pipes *server)
{
    int from = mount_take(pass);
    if (from < 0)
        return from;
    int to = mount_take(pass);
    if (to < 0) {
        close(from);
        return to;
    }
    *server = (struct mount_pipes){from, to};
    return 0;
}

void mount_pipes_close(struct mount_pipes *p)
{
    close(p->from);
    close(p->to);
    *p = (struct mount_pipes){-1, -1};
}

long mount_pipes_read(const struct mount_pipes *p, void *to, size_t room)
{
    ssize_t n;
    do
        n = read(p->from, to, room);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : (long)n;
}

int mount_pipes_write(const struct mount_pipes *p, const void *bytes, size_t len)
{
    for (const char *at = bytes; len;) {
        ssize_t n = write(p->to, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}
