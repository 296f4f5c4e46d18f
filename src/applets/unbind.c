/* unbind: what bind has put at a directory is taken away. */
#include "applets/applet.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "engine/bind/bind.h"

#include <errno.h>

enum { JSON = 256 };

static const struct opt options[] = {
    {'l', "lazy", NULL, "unmount now even if in use; open files stay open"},
    {JSON, "json", NULL, "print the number of mounts as JSON"},
    {0},
};

static int run_unbind(int argc, char **argv);

const struct applet applet_unbind = {
    .name = "unbind",
    .usage = "[OPTION...] DIR...",
    .opts = options,
    .notes = "The last bind at DIR is undone, and DIR shows what it had before; a union (bind\n"
             "-a, -b) loses all files that were added. The server ends, with all profiling and\n"
             "traces that were started by its files. This also works if the server has died.",
    .run = run_unbind,
    .operands = "DIR",
};

static int print_unbound(const char *dir, size_t found)
{
    SCOPED_BUF out = BUF_INIT;
    struct json j;
    json_start(&j, &out, "unbind");
    json_members(&j, "dir mounts", dir, found);
    json_end(&j);
    return applet_print(&applet_unbind, &out, DONE);
}

static int unbind_directory(const char *dir, bool lazy, bool json)
{
    struct fail f;
    size_t found;
    int r = bind_remove(dir, lazy, &found, &f);
    if (r == -EBUSY)
        fail_hint(&f, "`fuser -m %.128s' lists its users; unbind -l does not wait for them", dir);
    if (r < 0)
        return applet_fail(&applet_unbind, &f);
    return json ? print_unbound(dir, found) : DONE;
}

static int run_unbind(int argc, char **argv)
{
    struct opt_state o;
    bool lazy = false, json = false;
    int id, status = DONE;
    opt_start(&o, &applet_unbind, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else
            *(id == 'l' ? &lazy : &json) = true;
    if (argc == o.next)
        return applet_misuse(&applet_unbind, "DIR is missing");
    for (int i = o.next; i < argc; i++)
        if (unbind_directory(argv[i], lazy, json) != DONE)
            status = FAILED;
    return status;
}
