/*
 * mount_private: a file system of the kernel's own (tracefs, devtmpfs, securityfs) for this process
 * alone, if it is not mounted on the system.
 *
 * It is mounted nowhere: only the descriptor leads to it, by openat or /proc/self/fd/N/..., and it
 * goes with the descriptor's last copy, also when the process is killed. No other process's table
 * of mounts changes, and the command that we run stays in its own namespace.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The path of the first mount of that kind which can be reached by it; magic: statfs(2)'s. */
bool mount_find(const char *type, long magic, char *path, size_t size);

/* A descriptor of its root directory, closed by exec. -ENODEV: this kernel has no such file system;
 * -EPERM: needs CAP_SYS_ADMIN, and no container's filter against it. */
int mount_private(const char *type);

/* The two ways of mount_private, which tries them in this order: a detached mount (fsmount(2),
 * Linux 5.2; -ENOSYS before), and a mount in the namespace of a child that ends at once, which the
 * descriptor keeps. */
int mount_private_detached(const char *type);
int mount_private_by_child(const char *type);
