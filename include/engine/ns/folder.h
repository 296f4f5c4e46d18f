/*
 * ns_folder: serves a plain directory instead of the devices (-n DIR): recorded files, a mount of
 * psuite, a test.
 */
#pragma once

#include "core/ns/ns.h"

/* Binds what is below path where Plan 9 has such files: DIR/dev/sysstat is /dev/sysstat, and
 * #c/sysstat. Files may vanish and change at any time; links are followed, also out of it. At most
 * 65,536 names are known at once. -ENOTDIR, -ENOENT. */
int ns_bind_folder(struct ns *ns, const char *path, struct fail *f);
