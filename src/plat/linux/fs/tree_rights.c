#include "core/base/scope.h"
#include "plat/rights.h"

#include "tree_ids.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What this thread had before it took others'. */
static __thread struct {
    bool is_saved;
    uint32_t gid;
    int count;
    gid_t *groups;
    struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];
} own;

static int call_capabilities(long call, struct __user_cap_data_struct *data)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    return syscall(call, &head, data) < 0 ? -errno : 0;
}

bool rights_can_change(void)
{
    return geteuid() == 0;
}

bool rights_are_own(void)
{
    return !own.is_saved;
}

static int save_groups(void)
{
    own.count = getgroups(0, NULL);
    if (own.count < 0)
        return -errno;
    own.groups = malloc(((size_t)own.count + 1) * sizeof *own.groups);
    if (!own.groups)
        return -ENOMEM;
    return getgroups(own.count, own.groups) < 0 ? -errno : 0;
}

static int save_rights(void)
{
    if (own.is_saved)
        return 0;
    int r = save_groups();
    own.gid = getegid();
    if (r == 0)
        r = call_capabilities(SYS_capget, own.caps);
    own.is_saved = r == 0;
    if (r < 0)
        free(own.groups);
    return r;
}

static int drop_capabilities(void)
{
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memcpy(none, own.caps, sizeof none);
    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        none[i].effective = 0;
    return call_capabilities(SYS_capset, none);
}

/* The kernel takes only some of root's capabilities away with its user id; and group ids can be
 * changed only as long as they are there. */
static int set_rights(const struct rights *r)
{
    int e = tree_set_groups(r->groups, r->count);
    if (e == 0)
        e = tree_set_fsgid(r->gid);
    if (e == 0)
        e = tree_set_fsuid(r->uid);
    return e == 0 ? drop_capabilities() : e;
}

int rights_assume(const struct rights *r)
{
    if (!rights_can_change())
        return -EPERM;
    rights_restore();
    int e = save_rights();
    if (e == 0 && (e = set_rights(r)) < 0)
        rights_restore();
    return e;
}

int rights_assume_process(uint32_t uid, uint32_t gid, uint32_t pid)
{
    SCOPED_FREE uint32_t *groups = NULL;
    rights_restore();
    long count = tree_process_groups(pid, &groups);
    if (count < 0)
        return (int)count;
    return rights_assume(&(struct rights){uid, gid, groups, (size_t)count});
}

void rights_restore(void)
{
    if (!own.is_saved)
        return;
    own.is_saved = false;
    call_capabilities(SYS_capset, own.caps);
    tree_set_fsuid(geteuid());
    tree_set_fsgid(own.gid);
    tree_set_groups(own.groups, (size_t)own.count);
    free(own.groups);
}
