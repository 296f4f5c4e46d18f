#include "sys.h"

#include "core/base/buf.h"
#include "core/procfs/counters.h"
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

bool sys_word(const char *path, struct buf *out)
{
    buf_clear(out);
    if (sysfile_text(path, out, NULL) < 0 || !out->len)
        return false;
    out->data[strcspn(out->data, "\n")] = '\0';
    return true;
}

/* The first number of /proc/uptime. */
uint64_t sys_uptime_ticks(uint64_t hz)
{
    SCOPED_BUF text = BUF_INIT;
    uint64_t ms = 0;
    if (sysfile_text("/proc/uptime", &text, NULL) == 0)
        kernel_load(buf_str(&text), &ms);
    return ms * hz / 1000;
}
