#include "applets/install.h"

#include "applets/applet.h"
#include "core/base/buf.h"
#include "plat/file.h"

#include <errno.h>

int install_links(const struct applet *applet, const char *dir, bool symbolic)
{
    struct fail f;
    SCOPED_BUF self = BUF_INIT, link = BUF_INIT;
    int status = DONE;
    if (file_own_path(&self, &f) < 0)
        return applet_fail(applet, &f);
    for (const struct applet_entry *e = applet_table; e->applet; e++) {
        buf_clear(&link);
        buf_printf(&link, "%s/%s", dir, e->applet->name);
        int r = file_link(buf_str(&self), buf_str(&link), symbolic, &f);
        if (r == -ENOENT)
            fail_hint(&f, "%s must be an existing directory", dir);
        if (r == -EEXIST)
            fail_hint(&f, "the existing file was kept; remove it to install the link");
        if (r < 0)
            status = applet_fail(applet, &f);
        if (r < 0 && r != -EEXIST)
            break;
    }
    return status;
}
