/* bind: Plan 9's files of this machine, or of a folder, at a directory. */
#include "applets/applet.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "dev/devices.h"
#include "engine/bind/bind.h"
#include "engine/ns/folder.h"
#include "plat/file.h"

#include <errno.h>
#include <string.h>

enum { JSON = 256 };

static const struct opt options[] = {
    {'a', "after", NULL, "add the files to DIR; DIR's own files come first"},
    {'b', "before", NULL, "add the files to DIR; they hide DIR's own of the same name"},
    {'c', "create", NULL, "with -a or -b: create new files in DIR (the default)"},
    {'f', "foreground", NULL, "stay in the foreground until unbound; ^C unbinds"},
    {'n', "namespace", "FOLDER", "use the files below FOLDER instead of this machine's"},
    {'o', "others", NULL, "let other users in, as far as the files' modes allow"},
    {JSON, "json", NULL, "print JSON: what was bound where, by which process; or the list"},
    {0},
};

static int run_bind(int argc, char **argv);

static const struct opt_words argument_words[] = {
    {"DEVICE", "#c\n#l0\n#p\n#K\n#T\n#P\n/\n/dev\n/net\n/proc\n"}, {0}};

const struct applet applet_bind = {
    .name = "bind",
    .usage = "[OPTION...] DEVICE DIR\n[--json]",
    .opts = options,
    .notes = "DEVICE is a directory, named as for `psuite ns': #K, #c, #l0, #p, /dev, or / for\n"
             "all of them; or another machine: unix!PATH, tcp!HOST!PORT. DIR shows its files\n"
             "until psuite unbind DIR, or umount. Without -a and -b they hide DIR's own files;\n"
             "with them each file of the device is added to DIR. Without operands, bind lists\n"
             "what is bound now.",
    .run = run_bind,
    .words = argument_words,
    .operands = "DEVICE DIR",
};

struct request {
    struct bind_want want;
    const char *folder;
    bool after, before, create, foreground, json;
};

static const struct opt_member members[] = {
    {'a', OPT_FLAG(struct request, after)},       {'b', OPT_FLAG(struct request, before)},
    {'c', OPT_FLAG(struct request, create)},      {'n', OPT_TEXT(struct request, folder)},
    {'o', OPT_FLAG(struct request, want.others)}, {'f', OPT_FLAG(struct request, foreground)},
    {JSON, OPT_FLAG(struct request, json)},       {0},
};

static bool is_address(const char *device)
{
    return device[0] != '#' && device[0] != '/' && strchr(device, '!');
}

static int dial_machine(const char *text, struct ns *ns, struct ns_remote **remote, struct fail *f)
{
    struct net_address at;
    int r = net_address_read(text, NET_PORT_9P, &at, f);
    if (r < 0)
        return r;
    *remote = ns_remote_new(NULL, &at);
    return *remote ? ns_remote_bind(ns, *remote, f) : fail_set(f, ENOMEM, "%s", text);
}

static int fill_name_space(void *arg, struct ns *ns, struct ns_remote **remote, struct fail *f)
{
    const struct request *q = arg;
    if (is_address(q->want.source))
        return dial_machine(q->want.source, ns, remote, f);
    return q->folder ? ns_bind_folder(ns, q->folder, f) : devices_bind(ns, f);
}

/* --- what is bound --- */

struct listing {
    struct buf text;
    struct json json;
    bool is_json;
};

static void list_one(void *arg, const char *source, const char *root, const char *dir)
{
    struct listing *l = arg;
    SCOPED_BUF device = BUF_INIT;
    buf_printf(&device, "%s%s", source, root);
    if (l->is_json)
        json_record(&l->json, NULL, "device dir", buf_str(&device), dir);
    else
        buf_printf(&l->text, "%s %s\n", buf_str(&device), dir);
}

static int list_binds(bool json)
{
    struct listing l = {.is_json = json};
    struct fail f;
    if (json) {
        json_start(&l.json, &l.text, "bind");
        json_array(&l.json, "binds");
    }
    int r = bind_list(list_one, &l, &f);
    if (json) {
        json_array_end(&l.json);
        json_end(&l.json);
    }
    int status = r < 0 ? applet_fail(&applet_bind, &f) : applet_print(&applet_bind, &l.text, DONE);
    buf_release(&l.text);
    return status;
}

/* --- binding --- */

static int start_binding(struct request *q)
{
    struct bound b;
    struct fail f;
    SCOPED_BUF folder = BUF_INIT; /* absolute: the server stands elsewhere */
    if (q->folder)
        file_realpath(q->folder, &folder);
    q->folder = q->folder ? buf_str(&folder) : NULL;
    q->want.fill = fill_name_space;
    q->want.arg = q;
    q->want.mode = q->after ? BIND_AFTER : q->before ? BIND_BEFORE : BIND_OVER;
    int r = bind_start(&q->want, &b, &f);
    int status = r < 0 ? applet_fail(&applet_bind, &f) : DONE;
    if (r == 0 && q->json)
        status = applet_print_members(&applet_bind, "device dir pid", q->want.source, b.dir, b.pid);
    if (r == 0 && q->foreground)
        bind_wait(&b);
    bind_detach(&b);
    return status;
}

static int check_request(const struct request *q, int operands, const char *device)
{
    if (operands != 2)
        return applet_misuse(&applet_bind, "takes two operands: DEVICE and DIR");
    if (q->after && q->before)
        return applet_misuse(&applet_bind, "-a cannot be used with -b");
    if (is_address(device) && (q->after || q->before || q->folder))
        return applet_misuse(
            &applet_bind,
            "another machine is bound as a whole: -a, -b and -n cannot be used with it");
    if (q->create && !q->after && !q->before)
        return applet_misuse(
            &applet_bind,
            "-c: only with -a or -b: new files are created in DIR, never in a device");
    return DONE;
}

static int run_bind(int argc, char **argv)
{
    struct request q = {.folder = NULL};
    struct opt_state o = opt_start(&applet_bind, argc, argv);
    int status = opt_read(&o, members, NULL, &q);
    if (status != OPT_END)
        return status;
    q.want.leashed = q.foreground;
    if (argc == o.next && argc == 1 + q.json)
        return list_binds(q.json);
    status = check_request(&q, argc - o.next, argv[o.next]);
    if (status != DONE)
        return status;
    q.want.source = argv[o.next];
    q.want.root = is_address(q.want.source) ? "/" : q.want.source;
    q.want.dir = argv[o.next + 1];
    return start_binding(&q);
}
