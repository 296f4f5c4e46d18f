#include "remote_link.h"

#include "plat/net.h"

#include <errno.h>
#include <stdlib.h>

enum { PIECE = 512, PIECES = 16 };

static int start(struct remote_link *l, struct fail *f)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char *const argv[] = {shell, option, l->command, NULL};
    int r = coprocess_start(argv, &l->child, f);
    if (r == 0)
        l->connection = l->child.connection;
    return r;
}

int remote_link_dial(struct remote_link *l, struct fail *f)
{
    l->said = (struct last_line){.len = 0};
    l->status = 0;
    if (l->command)
        return start(l, f);
    int r = net_connect(&l->at, f);
    l->connection = r < 0 ? -1 : r;
    return r < 0 ? r : 0;
}

int remote_link_up(const struct remote_link *l)
{
    return l->command ? 0 : net_connected(l->connection);
}

static void shut_ears(struct remote_link *l)
{
    net_close(l->child.errors);
    l->child.errors = -1;
}

/* A little at a time: who never stops talking shall not keep us. */
void remote_link_listen(struct remote_link *l)
{
    char text[PIECE];
    for (int i = 0; i < PIECES && l->child.errors >= 0; i++) {
        long n = net_read(l->child.errors, text, sizeof text);
        if (n == -EAGAIN)
            return;
        if (n <= 0)
            shut_ears(l);
        else
            last_line_take(&l->said, text, (size_t)n);
    }
}

void remote_link_end(struct remote_link *l, bool kill)
{
    net_close(l->connection);
    l->connection = -1;
    if (kill)
        coprocess_kill(&l->child);
}

bool remote_link_ended(struct remote_link *l)
{
    remote_link_listen(l);
    if (!coprocess_ended(&l->child, &l->status))
        return false;
    remote_link_listen(l);
    shut_ears(l);
    return true;
}

void remote_link_release(struct remote_link *l)
{
    int status;
    remote_link_end(l, true);
    shut_ears(l);
    coprocess_ended(&l->child, &status);
    free(l->command);
}
