/*
 * mount_pipes: two pipes between the kernel's 9P client and psuite's server. With a socket, the
 * client's workers would be woken each time the server reads from it.
 */
#pragma once

#include <stddef.h>

struct mount_pipes {
    int read_fd, write_fd; /* of one side: what it reads, what it writes */
};

/* Those of the kernel's side, to be mounted with; the server's go through pass, an end of
 * plat/apart.h's pair, to mount_pipes_receive at the other. 0 or -errno. */
int mount_pipes_send(int pass, struct mount_pipes *kernel);
/* 0 or -errno; -ECONNRESET when the other end gave up. */
int mount_pipes_receive(int pass, struct mount_pipes *server);
void mount_pipes_close(struct mount_pipes *p);

/* How many bytes came; 0: the mount is gone; -errno. Waits. */
long mount_pipes_read(const struct mount_pipes *p, void *to, size_t cap);
/* All of them: 0 or -errno. */
int mount_pipes_write(const struct mount_pipes *p, const void *bytes, size_t len);
