/*
 * kernel_device: devices of the kernel's own, such as FUSE's, each descriptor of which can become
 * the connection of a mount.
 */
#pragma once

#include <stdbool.h>

/* /dev/NAME; where a chroot or a container has none, root opens the kernel's own, by a private
 * mount of devtmpfs (*private, which may be NULL). flags: open(2)'s. A descriptor, closed by exec,
 * or -errno. */
int kernel_device_open(const char *name, int flags, bool *private);
