/* A system where nothing can be mounted, as for a user without fusermount3. `fail mount_at ERRNO'
 * gives another reason. */
#include "plat/mount_at.h"

#include "returns.h"
#include "scenario.h"

#include <errno.h>

int mount_at(const struct mount_request *ask, struct fail *f)
{
    int r = scenario_fail("mount_at", f);
    return r < 0 ? r : fail_set(f, EPERM, "mount at %s", ask->dir);
}

RETURNS(-EPERM, int, mount_send, int pass, int connection)
RETURNS(fail_set(f, EPERM, "%s", dir), int, mount_unmount, const char *dir, bool at_once,
        struct fail *f)
RETURNS(-1, int, mount_connection_open, uint64_t device)
RETURNS(0, int, mount_connection_close, int connection, bool abort)
RETURNS(fail_set(f, EPERM, "a directory to mount at"), int, mount_name_tempdir, struct buf *path,
        struct fail *f)
RETURNS(fail_set(f, EPERM, "%s", path), int, mount_make_tempdir, const char *path, struct fail *f)
RETURNS(true, bool, mount_remove_tempdir, const char *path)
RETURNS(fail_set(f, EPERM, "%s", to), int, mount_bind, const char *from, const char *to,
        struct fail *f)
RETURNS(fail_set(f, EPERM, "%s", path), int, mount_make_point, const char *path, bool directory,
        struct fail *f)
RETURNS(, void, mount_remove_point, const char *path)
