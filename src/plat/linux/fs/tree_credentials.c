/* With whose rights a thread of the server asks: the kernel's, thread by thread. */
#include "plat/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calls with ids of 32 bits, where the plain ones have 16. */
#ifdef SYS_setfsuid32
enum { SET_FSUID = SYS_setfsuid32, SET_FSGID = SYS_setfsgid32, SET_GROUPS = SYS_setgroups32 };
#else
enum { SET_FSUID = SYS_setfsuid, SET_FSGID = SYS_setfsgid, SET_GROUPS = SYS_setgroups };
#endif
enum { MOST_GROUPS = 1024 };

static __thread uint32_t uid_now, gid_now, groups_now;

static size_t groups_of(uint32_t pid, uint32_t *to)
{
    char path[32], text[8192];
    snprintf(path, sizeof path, "/proc/%u/status", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "\nGroups:");
    size_t count = 0;
    for (at = at ? at + 8 : ""; *at && *at != '\n' && count < MOST_GROUPS;) {
        char *end;
        unsigned long g = strtoul(at, &end, 10);
        if (end == at)
            break;
        to[count++] = (uint32_t)g;
        at = end + strspn(end, " \t");
    }
    return count;
}

void tree_as(uint32_t uid, uint32_t gid, uint32_t pid)
{
    if (uid == uid_now && gid == gid_now && uid == 0)
        return;
    if (geteuid() != 0)
        return;
    uint32_t groups[MOST_GROUPS];
    size_t count = uid ? groups_of(pid, groups) : 0;
    if (uid_now) /* groups are set with root's rights */
        syscall(SET_FSUID, 0);
    if (count || groups_now)
        syscall(SET_GROUPS, count, groups);
    if (gid != gid_now)
        syscall(SET_FSGID, gid);
    if (uid)
        syscall(SET_FSUID, uid);
    uid_now = uid;
    gid_now = gid;
    groups_now = (uint32_t)count;
}

void tree_self(uint32_t *uid, uint32_t *gid)
{
    *uid = geteuid();
    *gid = getegid();
}
