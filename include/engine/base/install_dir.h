/* install_dir: finds files that were built or installed with the running executable. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

/* Appends the path of the first one that is there: names are relative to the executable's folder,
 * the last is NULL. -ENOENT and f, which names the folder. */
int install_dir_find(const char *const *names, struct buf *out, struct fail *f);
