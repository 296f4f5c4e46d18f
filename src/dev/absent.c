#include "absent.h"

#include "core/base/buf.h"
#include "plat/sysfile.h"

#include <string.h>

/* A folder to mount at is empty. */
static bool is_mounted(const char *mount)
{
    struct buf names = BUF_INIT;
    sysfile_names(mount, 1, &names, NULL);
    bool mounted = names.len;
    buf_release(&names);
    return mounted;
}

bool dev_is_unknown(const char *mount, const char *type, struct fail *f)
{
    if (is_mounted(mount))
        return false;
    fail_set(f, 0, "not known: %s is not mounted", mount);
    fail_hint(f, "mkdir -p %s && mount -t %s %s %s", mount, type, type, mount);
    return true;
}
