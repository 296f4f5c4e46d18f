#include "tree_ids.h"

#include "core/base/buf.h"
#include "core/procfs/pid_status.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calls with ids of 32 bits, where the plain ones have 16. */
#ifdef SYS_setfsuid32
enum { SET_FSUID = SYS_setfsuid32, SET_FSGID = SYS_setfsgid32, SET_GROUPS = SYS_setgroups32 };
#else
enum { SET_FSUID = SYS_setfsuid, SET_FSGID = SYS_setfsgid, SET_GROUPS = SYS_setgroups };
#endif

/* Eleven bytes a group, and the other lines. */
enum { PIECE = 8192, MAX_STATUS = TREE_MAX_GROUPS * 11 + 65536 };

/* Reads until the line of groups is complete. Returns their number; 0 at the end. */
static long read_groups(int fd, struct buf *text)
{
    long count = -EAGAIN;
    while (count == -EAGAIN && text->len < MAX_STATUS) {
        char *chunk = buf_reserve(text, PIECE);
        ssize_t n = chunk ? read(fd, chunk, PIECE) : -1;
        if (n <= 0)
            return chunk ? 0 : -ENOMEM;
        buf_commit(text, (size_t)n);
        count = pid_status_groups(buf_str(text), NULL, 0);
    }
    return count == -EAGAIN || count > TREE_MAX_GROUPS ? -E2BIG : count;
}

long tree_process_groups(uint32_t pid, uint32_t **out)
{
    char path[32];
    SCOPED_BUF text = BUF_INIT;
    *out = NULL;
    snprintf(path, sizeof path, "/proc/%u/status", pid);
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    long count = read_groups(fd, &text);
    if (count > 0 && !(*out = malloc((size_t)count * sizeof **out)))
        count = -ENOMEM;
    if (count > 0)
        pid_status_groups(buf_str(&text), *out, (size_t)count);
    return count;
}

int tree_set_groups(const uint32_t *groups, size_t count)
{
    return syscall(SET_GROUPS, count, groups) < 0 ? -errno : 0;
}

/* What they return is the id before; only another call tells whether it has changed. */
static int set_id(long call, uint32_t id)
{
    syscall(call, id);
    return (uint32_t)syscall(call, UINT32_MAX) == id ? 0 : -EPERM;
}

int tree_set_fsgid(uint32_t gid)
{
    return set_id(SET_FSGID, gid);
}

int tree_set_fsuid(uint32_t uid)
{
    return set_id(SET_FSUID, uid);
}
