#include "absent.h"

#include "core/base/buf.h"
#include "plat/sysfile.h"

#include <string.h>

/* A folder to mount at is empty. What was mounted is not looked at again. */
static bool is_mounted(const char *mount)
{
    static const char *found[2];
    SCOPED_BUF names = BUF_INIT;
    for (size_t i = 0; i < 2; i++)
        if (found[i] && strcmp(found[i], mount) == 0)
            return true;
    sysfile_names(mount, 1, &names, NULL);
    bool mounted = names.len;
    if (mounted)
        found[found[0] != NULL] = mount;
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
