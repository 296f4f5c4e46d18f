/*
 * mount: runs a command whose root directory is served by psuite, through FUSE or 9P, in a mount
 * namespace of its own. The mount is invisible outside, and ends with the last process in it.
 *
 * The server must stay outside, or it would wait for itself. In there /proc /sys /dev /run are the
 * machine's own. Without root's rights the namespace is a user's: the ids are the user's own.
 */
#pragma once

#include "core/base/fail.h"
#include "plat/child.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command held in such a root. pass: the end of a socket, through which the connection to the
 * kernel goes to mount_receive at the other end, which must serve it meanwhile. */
int mount_hold(char *const argv[], int pass, struct child *out, struct fail *f);

/* The same with a root that is served over 9P2000.L: what goes through pass is for
 * plat/mount_pipes.h, whose mount_pipes_receive has it. For root alone. */
int mount_hold_9p(char *const argv[], int pass, struct child *out, struct fail *f);

/* A handle (or -errno) that keeps the root beyond its last process: else what that one closes at
 * its end is not reported. apart_close lets it go. */
int mount_keep_namespace(const struct child *c);

/* The connection, or -errno; -ECONNRESET when the other end gave up. */
int mount_receive(int pass);
/* One more way to the same connection, for a further thread. */
int mount_clone(int connection);

/* The next request: its length; 0: none is there any more, interrupted or forgotten; -ENODEV: the
 * root is no longer used by anybody. */
int64_t mount_read(int connection, void *to, size_t cap);
/* A reply in two parts. */
int mount_write(int connection, const void *head, size_t head_len, const void *body,
                size_t body_len);
/* Whether a request waits. */
bool mount_pending(int connection);

/* A file that the kernel is to map itself (Linux 6.9): its number, or -errno. */
int mount_backing(int connection, int fd);
void mount_backing_close(int connection, int backing);
