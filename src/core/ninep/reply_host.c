/* What .L asks of a host's files: made, linked, renamed, removed, locked. */
#include "reply.h"

#include <errno.h>

enum { REMOVE_DIR = 0x200 }; /* unlinkat's flag */

/* The second directory that a request changes, and the name there. */
static int find_target(struct ninep_server *s, struct ninep_rpc *turn, struct ninep_fid **dir,
                       char name[NS_NAME_MAX + 1])
{
    *dir = ninep_fid_find(s, turn->request->newfid, &turn->fail);
    if (!*dir)
        return -EBADF;
    if ((*dir)->kind != NINEP_DIR)
        return -ENOTDIR;
    return ninep_check_name(turn->request->newname, name, &turn->fail);
}

static uint32_t mode_of(const struct ninep_msg *m)
{
    switch (m->type) {
    case NINEP_TMKDIR:
        return NS_S_DIR | (m->create.mode & 07777);
    case NINEP_TSYMLINK:
        return NS_S_LINK | 0777;
    default:
        return m->create.mode;
    }
}

/* mkdir, symlink and mknod. */
int ninep_answer_make(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ns_served *t = &s->tree;
    const struct ninep_create *c = &turn->request->create;
    char target[NS_PATH_MAX + 1];
    uint32_t mode = mode_of(turn->request);
    const struct ninep_new_file new = {.mode = ninep_allowed_mode(s, mode),
                                       .gid = ninep_allowed_gid(s, c->gid),
                                       .target = target,
                                       .major = c->major,
                                       .minor = c->minor};
    uint64_t path = 0;
    int r = ninep_copy_target(c->target, target);
    if (r == 0)
        r = ninep_may_make(s, mode);
    if (r == 0)
        r = s->host->make(t->files.state, turn->fid->node->path, turn->name, &new, &path);
    if (r < 0)
        return r;
    r = ninep_qid_of(s, path, &turn->reply.qid, &turn->fail);
    ns_served_forget(t, path, 1);
    return r;
}

int ninep_answer_readlink(struct ninep_server *s, struct ninep_rpc *turn)
{
    char target[NS_PATH_MAX];
    if (turn->fid->kind != NINEP_LINK)
        return -EINVAL;
    long n = s->host->readlink(s->tree.files.state, turn->fid->node->path, target, sizeof target);
    if (n < 0)
        return (int)n;
    if ((size_t)n > sizeof target || (uint32_t)n > s->msize - NINEP_IO_HEAD)
        return -ENAMETOOLONG;
    turn->reply.create.target = (struct ninep_text){target, (uint16_t)n};
    ninep_write(&turn->reply, s->dialect, turn->out);
    turn->replied = true;
    return 0;
}

int ninep_answer_link(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ninep_fid *file = ninep_fid_find(s, turn->request->newfid, &turn->fail);
    return file ? s->host->link(s->tree.files.state, turn->fid->node->path, turn->name,
                                file->node->path)
                : -EBADF;
}

int ninep_answer_rename(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ninep_fid *dir;
    char name[NS_NAME_MAX + 1];
    int r = find_target(s, turn, &dir, name);
    return r < 0 ? r
                 : s->host->move(s->tree.files.state, turn->fid->node->path, false, dir->node->path,
                                 name);
}

int ninep_answer_renameat(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ninep_fid *to;
    char name[NS_NAME_MAX + 1];
    int r = find_target(s, turn, &to, name);
    return r < 0 ? r
                 : s->host->rename(s->tree.files.state, turn->fid->node->path, turn->name,
                                   to->node->path, name);
}

int ninep_answer_unlinkat(struct ninep_server *s, struct ninep_rpc *turn)
{
    return s->host->unlink(s->tree.files.state, turn->fid->node->path, turn->name,
                           turn->request->flags & REMOVE_DIR);
}

int ninep_answer_fsync(struct ninep_server *s, struct ninep_rpc *turn)
{
    return s->host ? s->host->fsync(s->tree.files.state, turn->fid->open.file,
                                    turn->fid->node->path, turn->request->flags != 0)
                   : 0;
}

/* --- locks --- */

static int request_lock(struct ninep_server *s, struct ninep_rpc *turn, bool test)
{
    turn->reply.lock = turn->request->lock;
    return s->host->lock(s->tree.files.state, turn->fid->open.file, turn->fid->node->path,
                         &turn->reply.lock, test);
}

int ninep_answer_lock(struct ninep_server *s, struct ninep_rpc *turn)
{
    int r = request_lock(s, turn, false);
    turn->reply.how = r > 0; /* another has it: the client asks again */
    return r < 0 ? r : 0;
}

int ninep_answer_getlock(struct ninep_server *s, struct ninep_rpc *turn)
{
    int r = request_lock(s, turn, true);
    return r < 0 ? r : 0;
}
