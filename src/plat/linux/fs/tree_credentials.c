/* With whose rights a thread of the server asks: the kernel's, thread by thread. */
#include "plat/tree.h"

#include "tree_ids.h"

#include <stdlib.h>
#include <unistd.h>

static __thread uint32_t uid_now, gid_now;
static __thread size_t groups_now;
static __thread bool own_groups_gone; /* those that this process was started with */

/* Somebody whose groups cannot be known asks without any; never with ours. */
static size_t set_groups_of(uint32_t uid, uint32_t pid)
{
    uint32_t *groups = NULL;
    long count = uid ? tree_process_groups(pid, &groups) : 0;
    size_t n = count > 0 ? (size_t)count : 0;
    if (n || groups_now || !own_groups_gone)
        own_groups_gone = tree_set_groups(groups, n) == 0;
    free(groups);
    return n;
}

void tree_as(uint32_t uid, uint32_t gid, uint32_t pid)
{
    if (uid == uid_now && gid == gid_now && uid == 0)
        return;
    if (geteuid() != 0)
        return;
    if (uid_now) /* groups are set with root's rights */
        tree_set_fsuid(0);
    groups_now = set_groups_of(uid, pid);
    if (gid != gid_now)
        tree_set_fsgid(gid);
    if (uid)
        tree_set_fsuid(uid);
    uid_now = uid;
    gid_now = gid;
}

void tree_self(uint32_t *uid, uint32_t *gid)
{
    *uid = geteuid();
    *gid = getegid();
}
