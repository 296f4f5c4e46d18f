#include "remote_link.h"

#include "plat/net.h"

#include <errno.h>
#include <stdlib.h>

enum { PIECE = 512, PIECES = 16 };

static int start_command(struct remote_link *l, struct fail *f)
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
    l->up = l->command != NULL;
    if (l->command)
        return start_command(l, f);
    int r = dial_start(&l->dial, &l->at, f);
    l->connection = l->dial.handle;
    return r;
}

int remote_link_up(struct remote_link *l)
{
    int r = l->command ? 0 : dial_step(&l->dial);
    if (!l->command)
        l->connection = l->dial.handle;
    l->up = r == 0;
    return r;
}

static void close_errors(struct remote_link *l)
{
    net_close(l->child.errors);
    l->child.errors = -1;
}

/* A little at a time, so that a server that never stops sending does not block the others. */
void remote_link_listen(struct remote_link *l)
{
    char text[PIECE];
    for (int i = 0; i < PIECES && l->child.errors >= 0; i++) {
        long n = net_read(l->child.errors, text, sizeof text);
        if (n == -EAGAIN)
            return;
        if (n <= 0)
            close_errors(l);
        else
            last_line_add(&l->said, text, (size_t)n);
    }
}

void remote_link_end(struct remote_link *l, bool kill)
{
    if (l->command)
        net_close(l->connection);
    else
        dial_end(&l->dial);
    l->connection = -1;
    l->up = false;
    if (kill)
        coprocess_kill(&l->child);
}

bool remote_link_ended(struct remote_link *l)
{
    remote_link_listen(l);
    if (!coprocess_ended(&l->child, &l->status))
        return false;
    remote_link_listen(l);
    close_errors(l);
    return true;
}

void remote_link_release(struct remote_link *l)
{
    int status;
    remote_link_end(l, true);
    close_errors(l);
    coprocess_ended(&l->child, &status);
    free(l->command);
}
