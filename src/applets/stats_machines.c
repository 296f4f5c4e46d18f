/* The machines of stats: what a name means, and how it is reached. */
#include "stats_request.h"

#include "dev/devices.h"
#include "engine/ns/folder.h"
#include "plat/folder.h"
#include "plat/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char by_ssh[] = "ssh %h psuite export -";

enum kind { FOLDER, ADDRESS, HOST };

/* What is there as a folder is one. */
static enum kind kind_of(const struct stats_machine *m)
{
    struct folder_file file;
    if (m->folder || (folder_stat(m->name, &file, NULL) == 0 && file.folder))
        return FOLDER;
    return strchr(m->name, '!') ? ADDRESS : strchr(m->name, '/') ? FOLDER : HOST;
}

int stats_machine(struct stats_request *q, const char *name, bool folder)
{
    if (q->machines == STATS_WATCH_MAX)
        return applet_misuse(&applet_stats, "%s: more than %d machines", name, STATS_WATCH_MAX), -1;
    q->machine[q->machines++] = (struct stats_machine){name, folder};
    return 1;
}

/* It becomes a word of a shell's command: nothing that a shell or ssh would take for more. */
static bool is_host(const char *name)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "@._:%+-";
    return name[0] && name[0] != '-' && strspn(name, fine) == strlen(name);
}

/* Of other tools' options: `-t 5' is a graph and a machine. */
static bool is_number(const char *name)
{
    char *end;
    strtod(name, &end);
    return end != name && !*end;
}

static int report_number(const char *name)
{
    applet_misuse(&applet_stats, "%s: not a machine", name);
    applet_warn(&applet_stats,
                "hint: -T %s is the interval; --samples N ends; -t, -n, -p, -s are graphs", name);
    return -1;
}

static int check_machine(const struct stats_machine *m)
{
    struct net_address at;
    struct fail f;
    enum kind kind = kind_of(m);
    if (kind == ADDRESS && net_address_read(m->name, NET_PORT_9P, &at, &f) < 0)
        return applet_misuse(&applet_stats, "%s", f.what), -1;
    if (kind == HOST && is_number(m->name))
        return report_number(m->name);
    if (kind == HOST && !is_host(m->name))
        return applet_misuse(&applet_stats, "%s: neither a directory nor a host name", m->name), -1;
    return 0;
}

int stats_machines_check(const struct stats_request *q)
{
    int r = 0;
    for (size_t i = 0; r == 0 && i < q->machines; i++)
        r = check_machine(&q->machine[i]);
    return r;
}

/* --- sources --- */

void stats_left_out(void *arg, const char *name, const char *why)
{
    (void)arg;
    applet_warn(&applet_stats, "%s: left out: %s", name, why);
}

/* The command with the host in the place of each %h. */
static void command_to(const char *command, const char *host, struct buf *out)
{
    const char *at;
    for (; (at = strstr(command, "%h")) != NULL; command = at + 2) {
        buf_add(out, command, (size_t)(at - command));
        buf_adds(out, host);
    }
    buf_adds(out, command);
}

static struct ns_remote *dial_host(const struct stats_request *q, const char *host)
{
    SCOPED_BUF command = BUF_INIT;
    const char *set = getenv("PSUITE_DIAL");
    command_to(q->dial ? q->dial : set && *set ? set : by_ssh, host, &command);
    return buf_error(&command) ? NULL : ns_remote_new(buf_str(&command), NULL);
}

static struct ns_remote *dial_address(const char *name)
{
    struct net_address at;
    struct fail f;
    return net_address_read(name, NET_PORT_9P, &at, &f) < 0 ? NULL : ns_remote_new(NULL, &at);
}

static int leave_out_machine(struct ns *ns, const char *name, const struct fail *f)
{
    ns_release(ns);
    free(ns);
    stats_left_out(NULL, name, ns_error(f));
    return 0;
}

static int add_remote(struct stats_watch *w, const char *name, struct ns *ns, struct ns_remote *r,
                      struct fail *f)
{
    if (!r)
        fail_set(f, ENOMEM, "%.128s", name);
    if (!r || ns_remote_bind(ns, r, f) < 0)
        return leave_out_machine(ns, name, f);
    return stats_watch_add_remote(w, name, ns, r, f);
}

static int add_files(struct stats_watch *w, const char *name, struct ns *ns, bool here,
                     struct fail *f)
{
    int r = here ? devices_bind(ns, f) : ns_bind_folder(ns, name, f);
    return r < 0 ? leave_out_machine(ns, name, f) : stats_watch_add(w, name, ns, !here, f);
}

static int add_machine(const struct stats_request *q, const struct stats_machine *m,
                       struct stats_watch *w, struct fail *f)
{
    struct ns *ns = calloc(1, sizeof *ns);
    if (!ns)
        return fail_set(f, ENOMEM, "%.128s", m->name);
    switch (kind_of(m)) {
    case ADDRESS:
        return add_remote(w, m->name, ns, dial_address(m->name), f);
    case HOST:
        return add_remote(w, m->name, ns, dial_host(q, m->name), f);
    case FOLDER:
        break;
    }
    return add_files(w, m->name, ns, false, f);
}

/* As Plan 9's stats: the environment names this machine. */
static int add_this(struct stats_watch *w, struct fail *f)
{
    struct host host;
    struct ns *ns = calloc(1, sizeof *ns);
    const char *sysname = getenv("sysname");
    host_describe(&host);
    const char *name = sysname && *sysname ? sysname : host.name;
    if (!ns)
        return fail_set(f, ENOMEM, "%.128s", name);
    return add_files(w, name, ns, true, f);
}

int stats_machines_add(struct stats_request *q, struct stats_watch *w, struct fail *f)
{
    int r = 0;
    if (!q->machines)
        return add_this(w, f);
    for (size_t i = 0; r == 0 && i < q->machines; i++)
        r = add_machine(q, &q->machine[i], w, f);
    return r;
}
