/* export: Plan 9's files of this machine, or a directory of it, over 9P. */
#include "applets/applet.h"

#include "core/ns/ns_tree.h"
#include "core/text/counted.h"
#include "dev/devices.h"
#include "engine/hostfs/ninep_host.h"
#include "engine/ns/folder.h"
#include "engine/ns/ninep_serve.h"
#include "plat/rights.h"

#include <inttypes.h>
#include <string.h>

enum { JSON = 256, TRUST };

static const struct opt options[] = {
    {'A', "anywhere", NULL, "tcp: let other machines connect; nothing is encrypted"},
    {'d', "device", "NAME", "serve this device or directory as the root: #c, /dev"},
    {'n', "namespace", "DIR", "serve the files below DIR instead of this machine's"},
    {'r', "root", "DIR", "serve the files below DIR as they are, with links, owners"},
    {'w', "writable", NULL, "let clients write: start profiling, control processes"},
    {JSON, "json", NULL, "print the address that is served as JSON"},
    {TRUST, "trust-clients", NULL, "give all clients this user's rights, not their own"},
    {0},
};

static int run_export(int argc, char **argv);

static const struct opt_words argument_words[] = {
    {"ADDR", "-\tstandard input and output\nunix!\ntcp!\n"}, {0}};

const struct applet applet_export = {
    .name = "export",
    .usage = "[OPTION...] ADDR",
    .opts = options,
    .notes = "ADDR is - (standard input and output: ssh HOST psuite export -), unix!PATH\n"
             "(for its owner only), or tcp!HOST!PORT (without -A only the loopback). Files are\n"
             "where Plan 9 binds them: /dev, /net, /proc; with -r they are the files of a\n"
             "directory. Clients speak 9P2000 or 9P2000.L:\n"
             "mount -t 9p -o trans=unix,version=9p2000.L PATH DIR.",
    .run = run_export,
    .words = argument_words,
    .operands = "ADDR",
};

struct request {
    bool anywhere, writable, json, trust;
    const char *root, *folder, *host;
};

static const struct opt_member members[] = {
    {'A', OPT_FLAG(struct request, anywhere)}, {'d', OPT_TEXT(struct request, root)},
    {'n', OPT_TEXT(struct request, folder)},   {'r', OPT_TEXT(struct request, host)},
    {'w', OPT_FLAG(struct request, writable)}, {TRUST, OPT_FLAG(struct request, trust)},
    {JSON, OPT_FLAG(struct request, json)},    {0},
};

/* What clients may do that are neither root nor the user who serves. */
static void warn_access(const struct request *q, const struct net_address *at, const char *text)
{
    if (q->trust)
        applet_warn(&applet_export,
                    "%s: --trust-clients gives every client your rights, without a password", text);
    else if (!net_address_is_local(at) && q->host)
        applet_warn(&applet_export,
                    "%s: a client on another machine gets the rights of any user it names, except "
                    "root, without a password",
                    text);
    else if (!net_address_is_local(at))
        applet_warn(&applet_export,
                    "%s: a client on another machine can read what every user of this machine can, "
                    "without a password",
                    text);
}

/* The port that became of 0 is told, and who may call. */
static void print_address(const struct request *q, const struct ninep_serve *s)
{
    char at[NET_TEXT_MAX + 1];
    if (s->standard)
        return;
    net_address_text(&s->listener.address, at);
    if (q->json)
        applet_print_members(&applet_export, "address writable?", at, q->writable);
    else
        applet_warn(&applet_export, "serving at %s", at);
    if (s->listener.address.kind == NET_TCP)
        warn_access(q, &s->listener.address, at);
}

/* Over a network no process is stopped, killed or let go on: its ctl takes what measures it. */
static bool is_harmless_write(const char *name, const void *bytes, size_t len)
{
    static const char ctl[] = "/ctl";
    static const char *const measures[] = {"profile", "trace", "event"};
    size_t n = strlen(name);
    if (n < sizeof ctl - 1 || strcmp(name + n - (sizeof ctl - 1), ctl) != 0)
        return true;
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (len >= strlen(measures[i]) && memcmp(bytes, measures[i], strlen(measures[i])) == 0)
            return true;
    return false;
}

/* At the end, if there were any. */
static void say_refused(const struct request *q, const struct ninep_serve *s)
{
    if (!s->refused && !s->broken && !s->evicted)
        return;
    if (!q->json) {
        applet_warn(&applet_export,
                    "%s: %" PRIu64 " sent no 9P, %" PRIu64
                    " closed as too slow or for others; %s refused",
                    counted(s->served, "client").text, s->broken, s->evicted,
                    counted(s->refused, "attach").text);
        return;
    }
    applet_print_members(&applet_export, "clients no_9p gave_way refused", s->served, s->broken,
                         s->evicted, s->refused);
}

static int serve_tree(const struct request *q, const struct ninep_tree *tree, const struct ns *ns,
                      const struct net_address *at)
{
    static struct ninep_serve s;
    struct fail f;
    if (ninep_serve_open(&s, tree, at, &f) < 0)
        return applet_fail(&applet_export, &f);
    s.trust_clients = q->trust;
    print_address(q, &s);
    int r = ninep_serve_run(&s, ns, &f);
    ninep_serve_close(&s);
    say_refused(q, &s);
    return r < 0 ? applet_fail(&applet_export, &f) : DONE;
}

static int serve_names(const struct request *q, struct ns_tree *t, const struct ns *ns,
                       const struct net_address *at)
{
    struct ninep_tree tree = {
        .files = {.files = ns_tree_server(t), .writable = q->writable, .owner = "psuite"}};
    if (at && at->kind == NET_TCP)
        ns_tree_guard(t, is_harmless_write);
    return serve_tree(q, &tree, ns, at);
}

static int serve_host(const struct request *q, const struct net_address *at)
{
    static const struct ns none = NS_INIT;
    struct ninep_host_files *host;
    struct fail f;
    if (ninep_host_open(&host, q->host, &f) < 0)
        return applet_fail(&applet_export, &f);
    struct ninep_tree tree = ninep_host_tree(host, q->writable);
    int status = serve_tree(q, &tree, &none, at);
    ninep_host_close(host);
    return status;
}

static int serve_devices(const struct request *q, const struct net_address *at)
{
    static struct ns ns = NS_INIT;
    struct fail f;
    struct ns_stat st;
    int r = q->folder ? ns_bind_folder(&ns, q->folder, &f) : devices_bind(&ns, &f);
    if (r == 0)
        r = ns_stat(&ns, q->root, &st, &f);
    struct ns_tree *t = r == 0 ? ns_tree_new(&ns, q->root) : NULL;
    int status = r < 0 ? applet_fail(&applet_export, &f)
                 : t   ? serve_names(q, t, &ns, at)
                       : applet_error(&applet_export, "out of memory");
    ns_tree_free(t);
    ns_release(&ns);
    return status;
}

static int serve_files(const struct request *q, const struct net_address *at)
{
    return q->host ? serve_host(q, at) : serve_devices(q, at);
}

/* Only root can answer a client with the rights of another user. */
static int may_serve_files(const struct request *q, const struct net_address *at)
{
    if (!q->host || q->trust || at->kind == NET_UNIX || rights_can_change())
        return DONE;
    if (net_address_is_local(at))
        return DONE; /* to this user and root */
    return applet_misuse(&applet_export, "-A with -r: clients would get your rights: run as root "
                                         "to give them their own, or add --trust-clients");
}

/* Nobody else's machine is let in by a slip of the pen. */
static int may_be_at(const struct request *q, const struct net_address *at)
{
    if (q->anywhere || net_address_is_local(at))
        return may_serve_files(q, at);
    return applet_misuse(&applet_export,
                         "-A is needed for an address that other machines can reach");
}

static int serve_at(const struct request *q, const char *text)
{
    struct net_address at;
    struct fail f;
    if (strcmp(text, "-") == 0)
        return q->json ? applet_misuse(
                             &applet_export,
                             "--json: cannot be used with ADDR -, whose client has standard output")
                       : serve_files(q, NULL);
    if (net_address_read(text, NET_PORT_9P, &at, &f) < 0)
        return applet_fail(&applet_export, &f);
    int status = may_be_at(q, &at);
    return status == DONE ? serve_files(q, &at) : status;
}

static int run_export(int argc, char **argv)
{
    struct request q = {.host = NULL};
    struct opt_state o = opt_start(&applet_export, argc, argv);
    int status = opt_read(&o, members, NULL, &q);
    if (status != OPT_END)
        return status;
    if (argc - o.next != 1)
        return applet_misuse(&applet_export, "takes one operand: ADDR");
    if (q.host && (q.root || q.folder))
        return applet_misuse(&applet_export, "-r cannot be used with -d or -n");
    if (!q.root)
        q.root = "/";
    return serve_at(&q, argv[o.next]);
}
