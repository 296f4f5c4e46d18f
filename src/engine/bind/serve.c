#include "serve.h"

#include "core/ns/ns_tree.h"
#include "fuse_serve.h"
#include "guardian.h"
#include "mounts.h"
#include "plat/apart.h"
#include "plat/mount.h"
#include "plat/mount_at.h"
#include "plat/sysfile.h"
#include "plat/tree.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdio.h>

/* Files alone: directories come and go, and what is mounted by itself does not. */
static int only_files(void *arg, const struct ns_stat *file)
{
    return file->directory ? -EISDIR : 0;
}

/* Until the answer is there, or the machine is known to be away. */
static int stat_root(const struct bind_want *w, const struct ns *ns, struct ns_remote *remote,
                     struct ns_stat *st, struct fail *f)
{
    struct wait_on on[NS_REMOTE_HANDLES];
    int r = ns_stat(ns, w->root, st, f);
    while (remote && ns_would_block(r) && !ns_remote_is_away(remote)) {
        ns_remote_send(remote);
        size_t n = ns_remote_handles(remote, on, NS_REMOTE_HANDLES);
        wait_ready(on, n, ns_remote_wait_ms(remote));
        ns_remote_step(remote); /* what it hears is asked for before the next wait */
        r = ns_stat(ns, w->root, st, f);
    }
    if (ns_would_block(r) && remote)
        fail_set(f, 0, "%.120s: %.120s", w->source, ns_remote_why(remote));
    return r;
}

static int check_root(const struct bind_want *w, const struct ns *ns, struct ns_remote *remote,
                      struct fail *f)
{
    struct ns_stat st;
    int r = stat_root(w, ns, remote, &st, f);
    if (r == 0 && !st.directory)
        r = fail_set(f, ENOTDIR, "%.128s", w->source);
    if (r < 0 || w->mode == BIND_OVER)
        return r;
    r = ns_list(ns, w->root, only_files, NULL, f);
    if (r == -EISDIR) {
        fail_set(f, 0, "%.128s has directories, which cannot be added to another directory",
                 w->source);
        fail_hint(f, "bind it at a directory of its own, without -a and -b");
    }
    return r;
}

static int say_hello(const struct bind_server *s, int r, const struct fail *f)
{
    struct bind_hello hello = {.r = r, .pid = sysfile_self()};
    if (r < 0)
        hello.fail = *f;
    return apart_send(s->control, &hello, sizeof hello);
}

/* Removes what was made for the files of a union after another process unmounted them. */
static int remove_placeholder(void *arg, const struct ns_stat *file)
{
    char path[NS_PATH_MAX + 1];
    int len = snprintf(path, sizeof path, "%s/%s", (const char *)arg, file->name);
    if (len < (int)sizeof path)
        mount_remove_point(path);
    return 0;
}

enum { REMOTE_VALID_S = 3 };

/* Another machine's files are served as they come, without a name space between, and what it has
 * said of them holds for some seconds, as with NFS: each question is a message. A union needs the
 * name space. */
static struct ns_served choose_tree(const struct bind_server *s, struct ns_remote *remote,
                                    struct ns_tree *t)
{
    if (remote && s->want->mode == BIND_OVER)
        return (struct ns_served){.files = ns_remote_tree(remote),
                                  .writable = true,
                                  .opens_directories = true,
                                  .valid_s = REMOTE_VALID_S};
    return (struct ns_served){.files = ns_tree_server(t), .writable = true};
}

/* Once it is unmounted the device may be another's. */
static void serve_tree(const struct bind_server *s, const struct ns *ns, struct ns_remote *remote,
                       struct ns_tree *t)
{
    struct fuse_served w = {.connection = mount_receive(s->control),
                            .leash = s->want->leashed ? s->control : -1,
                            .ns = ns,
                            .remote = remote,
                            .tree = choose_tree(s, remote, t),
                            .asks = fuse_serve_asks};
    uint64_t device;
    if (w.connection < 0 || apart_receive(s->control, &device, sizeof device) < 0) {
        apart_close(w.connection);
        return;
    }
    tree_own_ids(&w.tree.uid, &w.tree.gid);
    int r = fuse_serve(&w, NULL);
    apart_close(w.connection);
    if (r != 0)
        bind_remove_device(device);
    if (s->want->mode != BIND_OVER)
        ns_list(ns, s->want->root, remove_placeholder, (void *)(uintptr_t)s->dir, NULL);
    guardian_dismiss(s->guardian);
}

void bind_serve(void *server)
{
    const struct bind_server *s = server;
    static struct ns ns = NS_INIT;
    struct fail f;
    interrupt_open();
    struct ns_remote *remote = NULL;
    int r = s->want->fill(s->want->arg, &ns, &remote, &f);
    if (r == 0)
        r = check_root(s->want, &ns, remote, &f);
    struct ns_tree *t = r == 0 ? ns_tree_new(&ns, s->want->root) : NULL;
    if (r == 0 && !t)
        r = fail_set(&f, ENOMEM, "%.128s", s->want->source);
    if (say_hello(s, r, &f) == 0 && r == 0)
        serve_tree(s, &ns, remote, t);
    ns_tree_free(t);
    ns_release(&ns);
}
