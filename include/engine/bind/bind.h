/*
 * bind: mounts a tree of files at a directory of this machine, served by a process of its own.
 *
 *     bind_start(&want, &b, &f);       mounted: the files can be read
 *     bind_detach(&b);                  and goes on without us, unless it is leashed
 *     bind_remove("/n/dev", false, &found, &f);
 *
 * The server ends when nothing of it is mounted any more, and what it began with it; a terminated
 * one takes its mounts away first. Of one that was killed another process takes them away
 * (guardian.h); if that was killed as well they stay, and answer ENOTCONN until bind_remove.
 *
 * In a union the directory is not covered: its own files stay what they are, and each file of the
 * tree is mounted by itself among them, over an empty file made for it, which goes with it.
 */
#pragma once

#include "core/ns/ns.h"
#include "engine/ns/remote.h"

enum bind_mode {
    BIND_OVER,   /* the directory shows the tree alone */
    BIND_AFTER,  /* a union: what the directory has goes first */
    BIND_BEFORE, /* a union: what the tree has goes first */
};

struct bind_want {
    const char *source; /* what it is called in the table of mounts */
    const char *root;   /* which of the name space's directories: "#K", "/dev" */
    const char *dir;
    enum bind_mode mode;
    bool others;  /* other users may use it, as its files' modes say */
    bool leashed; /* it ends when bind_detach is called, or we do */
    /* Fills the name space, in the server's process. *remote is NULL; or another machine that was
     * bound there, and must be reached first. */
    int (*fill)(void *arg, struct ns *ns, struct ns_remote **remote, struct fail *f);
    void *arg;
};

struct bound {
    int pid;     /* of the server */
    int control; /* ready when the server has ended */
    int guardian;
    uint64_t device;           /* of the mount, as core/procfs/mounts.h has it */
    char dir[NS_PATH_MAX + 1]; /* absolute, without links */
};

/* -ENOTCONN: a mount there has lost its server; -ENOTDIR; -EPERM: see plat/mount_at.h. */
int bind_start(const struct bind_want *want, struct bound *out, struct fail *f);
void bind_detach(struct bound *b);
/* Waits until the server has ended: 0; or for an interrupt, whose number it returns: then it is
 * unmounted. */
int bind_wait(struct bound *b);

/* Takes away the latest that is bound at a directory, or all that is bound in it as a union.
 * *found: how many mounts. at_once: also when it is in use. -EBUSY; -EINVAL: none of bind's is
 * there. */
int bind_remove(const char *dir, bool at_once, size_t *found, struct fail *f);

/* What is bound: the source, the root in it, and the directory. */
typedef void bind_visit(void *arg, const char *source, const char *root, const char *place);
int bind_list(bind_visit *visit, void *arg, struct fail *f);
