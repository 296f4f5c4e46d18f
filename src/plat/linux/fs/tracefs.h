/*
 * tracefs: the kernel's own tracing, as files. Everything that opens such a file asks here where
 * they are.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>

/* Its directory for this process: where it is mounted, else a private mount of ours (see
 * mount_private.h; the path is then /proc/self/fd/N, which no other process can use), else the
 * folder in a debugfs that is mounted. 0; -EPERM: it is not mounted, and we may not; -ENODEV: this
 * kernel has none. */
int tracefs_find(char *path, size_t size);

/* Whether that path is of the private mount. */
bool tracefs_is_private(const char *path);

/* Fills f for what WHAT needs of tracefs when tracefs_find returned err: err. */
int tracefs_refused(const char *what, int err, struct fail *f);
