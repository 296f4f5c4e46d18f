/*
 * mount_at: mounts psuite's files at a directory of the machine, by FUSE, for all users or for one.
 *
 *     connection = mount_at(&ask, &f);         then the server reads and answers (plat/mount.h)
 *     mount_unmount("/n/dev", false, &f);
 *
 * Root mounts by itself; an ordinary user by fusermount3, which is set-uid root and says itself on
 * standard error what it does not like.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stdint.h>

#define MOUNT_KIND "fuse.psuite" /* of such mounts in /proc/self/mountinfo */

struct mount_request {
    const char *dir;    /* absolute, without links */
    const char *source; /* what is mounted, as the table of mounts shall call it */
    bool allow_other;   /* other users may use it, as its files' modes say */
    int kept;           /* a descriptor that fusermount3 has, too, until it has mounted, or -1 */
};

/* The connection to the kernel, which does not wait when it is read; or -errno. */
int mount_at(const struct mount_request *ask, struct fail *f);
/* Gives a connection to the other end of plat/apart.h's pair, where mount_receive has it. */
int mount_send(int pass, int connection);
/* at_once: also when it is in use; then it is gone with the last user. -EBUSY: it was in use for
 * half a second. -EINVAL: nothing is mounted there. */
int mount_unmount(const char *dir, bool at_once, struct fail *f);
/* The connection of a mount, opened before it is unmounted; -1: this process may not. Other mount
 * namespaces may have copies of the mount (a container that was started meanwhile), which keep the
 * connection. It ends when this is closed with abort: its server ends, the copies answer ENOTCONN.
 * 0, or -errno: it goes on. device: as core/procfs/mounts.h has it. */
int mount_connection_open(uint64_t device);
int mount_connection_close(int connection, bool abort);

/* --- single files of a mount, among others. Root alone. --- */

/* A directory to mount at. mount_name_tempdir appends the real path of one that does not exist yet,
 * so that it is known to who cleans up before it is made; mount_remove_tempdir removes what is
 * mounted there, and the directory. False: it is still there. */
int mount_name_tempdir(struct buf *path, struct fail *f);
int mount_make_tempdir(const char *path, struct fail *f);
bool mount_remove_tempdir(const char *path);
/* The file or directory also at the place of another. */
int mount_bind(const char *from, const char *to, struct fail *f);
/* Makes what a file or directory can be mounted over, where nothing is: -EEXIST. And takes such
 * away, but nothing else. */
int mount_make_point(const char *path, bool directory, struct fail *f);
void mount_remove_point(const char *path);
