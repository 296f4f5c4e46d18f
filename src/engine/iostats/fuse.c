/* The backend fuse: the command in a root that this machine's file tree serves over FUSE. */
#include "root_command.h"

#include "plat/mount.h"

static int run_fuse(const struct iostats_want *want, struct journal *journal, struct buf *report,
                    struct iostats_result *result, struct fail *f)
{
    static const struct served_root root = {hostfs_fuse_serve, mount_hold};
    return root_command(&root, want, journal, report, result, f);
}

const struct iostats_backend iostats_fuse = {"fuse", run_fuse};
