/*
 * fuse_device: the kernel's FUSE device, of which each descriptor can become the connection of a
 * mount.
 */
#pragma once

#include <stdbool.h>

/* /dev/fuse; where a chroot or a container has none, root opens the kernel's own, by a private
 * mount of devtmpfs (*private, which may be NULL). A descriptor, closed by exec, or -errno. */
int fuse_device_open(bool *private);
