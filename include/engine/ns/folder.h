/*
 * ns_folder: a plain folder in the place of the devices (-n DIR): recorded files, a mount of
 * psuite's own, a test.
 */
#ifndef PSUITE_ENGINE_NS_FOLDER_H
#define PSUITE_ENGINE_NS_FOLDER_H

#include "core/ns/ns.h"

/* A server of what is below path. Files may vanish and change at any time; links
 * are followed, also out of it. At most 65,536 names are
 * known at once. -ENOTDIR, -ENOENT. */
int ns_folder_open(const char *path, struct ns_server *out, struct fail *f);

/* Binds it as engine/ns/layout.h has it: DIR/dev/sysstat is /dev/sysstat, and #c/sysstat. */
int ns_bind_folder(struct ns *ns, const char *path, struct fail *f);

#endif
