#include "plat/mount_pipes.h"

#include "plat/mount.h"
#include "plat/mount_at.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A large message in one piece, where we may. */
enum { PIPE_BYTES = 1 << 20 };
enum { READS, WRITES }; /* of pipe(2) */

static int open_both(int ask[2], int reply[2])
{
    int r = descriptor_pipes(ask, reply);
    if (r < 0)
        return r;
    fcntl(ask[WRITES], F_SETPIPE_SZ, PIPE_BYTES);
    fcntl(reply[WRITES], F_SETPIPE_SZ, PIPE_BYTES);
    return 0;
}

int mount_pipes_send(int pass, struct mount_pipes *kernel)
{
    int ask[2], reply[2];
    int r = open_both(ask, reply);
    if (r < 0)
        return r;
    r = mount_send(pass, ask[READS]);
    if (r == 0)
        r = mount_send(pass, reply[WRITES]);
    close(ask[READS]);
    close(reply[WRITES]);
    *kernel = (struct mount_pipes){.read_fd = reply[READS], .write_fd = ask[WRITES]};
    if (r < 0)
        mount_pipes_close(kernel);
    return r;
}

int mount_pipes_receive(int pass, struct mount_pipes *server)
{
    int from = mount_receive(pass);
    if (from < 0)
        return from;
    int to = mount_receive(pass);
    if (to < 0) {
        close(from);
        return to;
    }
    *server = (struct mount_pipes){from, to};
    return 0;
}

void mount_pipes_close(struct mount_pipes *p)
{
    close(p->read_fd);
    close(p->write_fd);
    *p = (struct mount_pipes){-1, -1};
}

long mount_pipes_read(const struct mount_pipes *p, void *to, size_t cap)
{
    ssize_t n = TEMP_FAILURE_RETRY(read(p->read_fd, to, cap));
    return n < 0 ? -errno : (long)n;
}

int mount_pipes_write(const struct mount_pipes *p, const void *bytes, size_t len)
{
    return descriptor_write(p->write_fd, bytes, len);
}
