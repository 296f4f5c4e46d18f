/*
 * remote_link: the bytes to and from another machine: a connection to an address, or to a command
 * that leads there. Nothing waits.
 *
 *     remote_link_dial(&l, &f);
 *     while (remote_link_up(&l) == -EAGAIN) wait for dial_wait(&l.dial)
 *     net_write(l.connection, ...), net_read(l.connection, ...), remote_link_listen(&l)
 *     remote_link_end(&l, kill); until (remote_link_ended(&l)) it cannot be dialled again
 */
#pragma once

#include "core/text/last_line.h"
#include "engine/ns/dial.h"
#include "plat/coprocess.h"

#include <stdbool.h>

struct remote_link {
    char *command; /* for the shell; NULL: at */
    struct net_address at;
    struct dial dial; /* to at */
    bool up;          /* as remote_link_up found last */
    int connection;   /* negative: none */
    struct coprocess child;
    int status;            /* the command's, when it has ended */
    struct last_line said; /* by the command on standard error */
};

int remote_link_dial(struct remote_link *l, struct fail *f);
/* 0: connected; -EAGAIN: not yet; else the error. */
int remote_link_up(struct remote_link *l);
void remote_link_listen(struct remote_link *l); /* to standard error */

/* Closes the connection; a command is to end by that, unless it is killed. */
void remote_link_end(struct remote_link *l, bool kill);
bool remote_link_ended(struct remote_link *l);
void remote_link_release(struct remote_link *l);
