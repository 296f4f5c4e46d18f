/*
 * ninep_host: a directory of this machine and everything below it as the tree of a 9P server
 * (core/ninep/server.h): every kind of file that Linux has, by 9P2000.L and by the older dialects.
 *
 *     ninep_host_open(&host, "/home/x", &f);
 *     tree = ninep_host_tree(host, writable);      any number of servers, one thread
 *     ninep_host_close(host);                      behind them
 *
 * Names are looked for one by one, and no link is followed: nothing above the directory is reached.
 * All is done with the rights of this process. Where that is root, what is made belongs to whom the
 * client attached as; the client's kernel is who judges its users. Files and directories alone are
 * opened here: devices and FIFOs are the client's own affair.
 *
 * Memory by the files that the clients hold, descriptors by those that they have open and at most a
 * quarter of the limit for directories.
 */
#pragma once

#include "core/ninep/tree.h"

struct ninep_host_files; /* opaque */

/* 0, or a negative errno with f filled. From then on this process has no umask. */
int ninep_host_open(struct ninep_host_files **out, const char *directory, struct fail *f);
struct ninep_tree ninep_host_tree(struct ninep_host_files *host, bool writable);
void ninep_host_close(struct ninep_host_files *host); /* NULL: nothing */
