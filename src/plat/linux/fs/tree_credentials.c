/* With whose rights a thread of the server asks: the kernel's, thread by thread. */
#include "core/base/scope.h"
#include "plat/tree.h"

#include "tree_ids.h"

#include <stdlib.h>
#include <unistd.h>

static __thread uint32_t current_uid, current_gid;
static __thread size_t current_groups;
static __thread bool own_groups_dropped; /* those that this process was started with */

/* Somebody whose groups cannot be known asks without any; never with ours. */
static size_t set_groups_of(uint32_t uid, uint32_t pid)
{
    SCOPED_FREE uint32_t *groups = NULL;
    long count = uid ? tree_process_groups(pid, &groups) : 0;
    size_t n = count > 0 ? (size_t)count : 0;
    if (n || current_groups || !own_groups_dropped)
        own_groups_dropped = tree_set_groups(groups, n) == 0;
    return n;
}

void tree_set_credentials(uint32_t uid, uint32_t gid, uint32_t pid)
{
    if (uid == current_uid && gid == current_gid && uid == 0)
        return;
    if (geteuid() != 0)
        return;
    if (current_uid) /* groups are set with root's rights */
        tree_set_fsuid(0);
    current_groups = set_groups_of(uid, pid);
    if (gid != current_gid)
        tree_set_fsgid(gid);
    if (uid)
        tree_set_fsuid(uid);
    current_uid = uid;
    current_gid = gid;
}

void tree_own_ids(uint32_t *uid, uint32_t *gid)
{
    *uid = geteuid();
    *gid = getegid();
}
