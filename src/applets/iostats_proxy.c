#include "iostats_proxy.h"

#include "applets/applet.h"
#include "core/base/buf.h"
#include "engine/iostats/proxy.h"

#include <string.h>

static void print_address(const struct iostats_proxy *p, const struct iostats_between *b)
{
    char at[NET_TEXT_MAX + 1];
    const struct net_address *is = iostats_proxy_at(p);
    if (!is)
        return;
    net_address_text(is, at);
    applet_warn(&applet_iostats, "listening at %s, forwarding to %s", at, b->server);
    if (!net_address_is_local(is))
        applet_warn(&applet_iostats,
                    "%s: every client that can connect gets this user's access to the server", at);
}

static int print_report(struct buf *report, int status)
{
    status = applet_print_err(&applet_iostats, report, status);
    buf_clear(report);
    return status;
}

/* A connection that failed harms no other; the one on standard input is all there is. */
static int run_relays(struct iostats_proxy *p)
{
    SCOPED_BUF report = BUF_INIT;
    enum iostats_proxy_event e;
    struct fail f;
    int status = DONE;
    while ((e = iostats_proxy_next(p, &f)) != IOSTATS_PROXY_END) {
        if (e == IOSTATS_PROXY_LOST)
            status = applet_fail(&applet_iostats, &f);
        else
            iostats_proxy_report(p, &report);
        print_report(&report, DONE);
    }
    bool whole = iostats_proxy_end(p, &report);
    status = iostats_proxy_at(p) ? DONE : status;
    return print_report(&report, whole || status ? status : FAILED);
}

static int run_proxy(const struct iostats_between *b, const struct net_address *listen,
                     const struct net_address *server, const struct iostats_want *want)
{
    struct iostats_proxy *p;
    struct fail f;
    if (iostats_proxy_open(&p, listen, server, want, &f) < 0)
        return applet_fail(&applet_iostats, &f);
    print_address(p, b);
    int status = run_relays(p);
    iostats_proxy_free(p);
    return status;
}

int iostats_between(const struct iostats_between *b, const struct iostats_want *want)
{
    struct net_address listen, server;
    struct fail f;
    bool standard = b->listen && strcmp(b->listen, "-") == 0;
    if (!b->listen || !b->server)
        return applet_misuse(&applet_iostats, "-l and -s must be used together");
    if (net_address_read(b->server, NET_PORT_9P, &server, &f) < 0 ||
        (!standard && net_address_read(b->listen, NET_PORT_9P, &listen, &f) < 0))
        return applet_fail(&applet_iostats, &f);
    if (!standard && !b->anywhere && !net_address_is_local(&listen))
        return applet_misuse(&applet_iostats,
                             "-A is needed for an address that other machines can reach");
    return run_proxy(b, standard ? NULL : &listen, &server, want);
}
