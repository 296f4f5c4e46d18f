/* The kernel's FUSE connections (fusectl): a directory each, named by the number of the mounts'
 * device, whose file `abort' ends it. */
#include "plat/mount_at.h"

#include "mount_private.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { CONTROL_MAGIC = 0x65735543 }; /* statfs(2)'s */

int mount_connection_open(uint64_t device)
{
    char dir[4096], name[64];
    SCOPED_FD control = mount_find("fusectl", CONTROL_MAGIC, dir, sizeof dir)
                            ? open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC)
                            : mount_private("fusectl");
    if (control < 0)
        return -1;
    snprintf(name, sizeof name, "%" PRIu64 "/abort", device); /* its major number is 0 */
    return openat(control, name, O_WRONLY | O_CLOEXEC);
}

int mount_connection_close(int connection, bool abort)
{
    if (connection < 0)
        return 0;
    int r = abort && write(connection, "1", 1) < 0 ? -errno : 0; /* one that is gone takes it */
    close(connection);
    return r;
}
