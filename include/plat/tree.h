/*
 * tree: the host's files, by a directory's descriptor and a name in it: no link is followed. The
 * name "" is the descriptor's own file. All return -errno when they fail.
 */
#pragma once

#include "core/ns/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on this thread asks with that user's rights, and the groups of that process: only for a
 * server that is root; others ask as themselves. */
void tree_set_credentials(uint32_t uid, uint32_t gid, uint32_t pid);

/* Whom this process asks as. */
void tree_own_ids(uint32_t *uid, uint32_t *gid);

struct tree_attr {
    uint64_t dev;
    struct ns_attr attr;
};

/* Where FUSE's and 9P's numbers of flags are this machine's: those of open, and of modes. */
bool tree_is_dir(uint32_t mode);
bool tree_is_file(uint32_t mode);
bool tree_is_link(uint32_t mode);
bool tree_opens_to_write(uint32_t flags);
bool tree_is_unlock(uint32_t type);

int tree_root(const char *path);              /* a descriptor of a directory to look from */
int tree_open_path(int at, const char *name); /* of any file, to look from, not to read */
/* Whether what a directory has by that name is, in a procfs, of our own process, and not one of the
 * files that everybody may read of every process. The kernel lets us open those whatever user's
 * rights we ask with. Also when that cannot be known. */
bool tree_is_of_ourselves(int at, const char *name);
/* Without the set-id bits that its mount ignores. */
int tree_read_attr(int at, const char *name, struct tree_attr *out);
int tree_open(int at, const char *name, uint32_t flags);
int tree_open_dir(int at, const char *name);
int tree_create(int at, const char *name, uint32_t flags, uint32_t mode);
/* The flags of an open or create, out of these; values are those of core/ns/ns.h and
 * core/ninep/tree.h. */
enum {
    TREE_WRITE = 1,
    TREE_READ_WRITE = 2,
    TREE_TRUNCATE = 0x10,
    TREE_APPEND = 0x100,
    TREE_SYNC = 0x200,
    TREE_EXCLUSIVE = 0x400,
};
uint32_t tree_flags(unsigned mode);
void tree_clear_umask(void); /* from now on what is made has the mode that was asked for */
void tree_close(int fd);     /* nothing when it is negative */
/* `SCOPED_TREE fd = tree_open(...)' is closed where its scope ends. */
#define SCOPED_TREE SCOPED(tree_end) int
static inline void tree_end(const int *fd)
{
    tree_close(*fd);
}
int tree_fd_limit(void); /* of descriptors, after having raised it as far as is allowed */

int64_t tree_read(int fd, void *to, size_t len, uint64_t offset);
/* What was opened to append is written at its end, whatever the offset. */
int64_t tree_write(int fd, const void *from, size_t len, uint64_t offset);
int64_t tree_copy(int from, uint64_t from_offset, int to, uint64_t to_offset, size_t len);
int64_t tree_seek(int fd, uint64_t offset, uint32_t whence);
int tree_sync(int fd, bool data_only);
int tree_allocate(int fd, uint32_t mode, uint64_t offset, uint64_t len);

/* The next raw entries (struct linux_dirent64) from offset on; *at is where the descriptor is. */
int64_t tree_entries(int fd, uint64_t offset, uint64_t *at, void *to, size_t len);
/* One of them: its length, 0 at the end of what was read. */
size_t tree_entry(const void *raw, size_t len, struct ns_entry *out);

int tree_make_dir(int at, const char *name, uint32_t mode);
int tree_make_node(int at, const char *name, uint32_t mode, uint32_t rdev);
int tree_make_link(int at, const char *name, const char *target);
int tree_link(int place, int at, const char *name);
int tree_unlink(int at, const char *name, bool dir);
int tree_rename(int at, const char *name, int at2, const char *name2, uint32_t flags);
int64_t tree_read_link(int at, const char *name, void *to, size_t len);

int tree_set_size(int fd, uint64_t size); /* of an open file */
/* Of a place, as tree_open_path gives it. The time of change by itself is set by a chown to nobody.
 */
int tree_set(int place, const struct ns_change *change);
int tree_access(int place, uint32_t mask);
int tree_statfs(int place, struct ns_statfs *out);
int64_t tree_get_xattr(int place, const char *name, void *to, size_t len);
int64_t tree_list_xattr(int place, void *to, size_t len);
int tree_set_xattr(int place, const char *name, const void *value, size_t len, uint32_t flags);
int tree_remove_xattr(int place, const char *name);

/* Locks belong to a descriptor of this, a second one of the same file, and end with it. None waits:
 * -EAGAIN when another process holds a conflicting lock. */
int tree_open_for_lock(int fd);
int tree_lock(int fd, const struct ns_lock *lock);
/* What is in the way of lock, or that nothing is (F_UNLCK); pid 0 when its holder is no process. */
int tree_get_lock(int fd, const struct ns_lock *lock, struct ns_lock *found);
/* flock's: of the descriptor itself. */
int tree_flock(int fd, uint32_t type);
void tree_unflock(int fd);
