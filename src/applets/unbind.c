/* unbind: what bind has put at a directory is taken away. */
#include "applets/applet.h"

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

struct request {
    bool lazy, json;
};

static const struct opt_member members[] = {
    {'l', OPT_FLAG(struct request, lazy)},
    {JSON, OPT_FLAG(struct request, json)},
    {0},
};

static int unbind_directory(const char *dir, bool lazy, bool json)
{
    struct fail f;
    size_t found;
    int r = bind_remove(dir, lazy, &found, &f);
    if (r == -EBUSY)
        fail_hint(&f, "`fuser -m %.128s' lists its users; unbind -l does not wait for them", dir);
    if (r < 0)
        return applet_fail(&applet_unbind, &f);
    return json ? applet_print_members(&applet_unbind, "dir mounts", dir, found) : DONE;
}

static int run_unbind(int argc, char **argv)
{
    struct request q = {0};
    struct opt_state o = opt_start(&applet_unbind, argc, argv);
    int status = opt_read(&o, members, NULL, &q);
    if (status != OPT_END)
        return status;
    if (argc == o.next)
        return applet_misuse(&applet_unbind, "DIR is missing");
    status = DONE;
    for (int i = o.next; i < argc; i++)
        if (unbind_directory(argv[i], q.lazy, q.json) != DONE)
            status = FAILED;
    return status;
}
