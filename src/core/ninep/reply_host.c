/* What .L asks of a host's files: made, linked, renamed, removed, locked. */
#include "reply.h"

#include <errno.h>

enum { REMOVE_DIR = 0x200 }; /* unlinkat's flag */

/* The directory that a request changes; NULL: the error is in *r. */
static struct ninep_fid *find_directory(struct ninep_server *s, uint32_t number, struct fail *f,
                                        int *r)
{
    struct ninep_fid *fid = ninep_fid_find(s, number, f);
    if (!fid)
        *r = -EBADF;
    else if (fid->kind != NINEP_DIR)
        *r = fail_set(f, ENOTDIR, "%s", "");
    else
        *r = ninep_may_write(s, f);
    return *r < 0 ? NULL : fid;
}

static struct ninep_fid *directory_and_name(struct ninep_server *s, uint32_t number,
                                            struct ninep_text text, char name[NS_NAME_MAX + 1],
                                            struct fail *f, int *r)
{
    struct ninep_fid *fid = find_directory(s, number, f, r);
    if (fid)
        *r = ninep_check_name(text, name, f);
    return *r < 0 ? NULL : fid;
}

static int make_file(struct ninep_server *s, struct ninep_rpc *turn,
                     const struct ninep_new_file *request)
{
    const struct ns_served *t = &s->tree;
    struct ninep_new_file new = *request;
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1];
    uint64_t path = 0;
    int r = 0;
    struct ninep_fid *dir = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r);
    if (!dir)
        return r;
    if (!NINEP_HAS(s, make))
        return ninep_not_supported(&turn->fail);
    r = ninep_may_make(s, new.mode, &turn->fail);
    new.mode = ninep_allowed_mode(s, new.mode);
    if (r == 0)
        r = s->host->make(t->files.state, dir->node->path, name, &new, &path, &turn->fail);
    if (r < 0)
        return r;
    r = ninep_qid_of(s, path, &turn->reply.qid, &turn->fail);
    ns_served_forget(t, path);
    return r;
}

int ninep_answer_mkdir(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    return make_file(s, turn,
                     &(struct ninep_new_file){.mode = NS_S_DIR | (m->create.mode & 07777),
                                              .gid = ninep_allowed_gid(s, m->create.gid)});
}

int ninep_answer_mknod(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    return make_file(s, turn,
                     &(struct ninep_new_file){.mode = m->create.mode,
                                              .gid = ninep_allowed_gid(s, m->create.gid),
                                              .major = m->create.major,
                                              .minor = m->create.minor});
}

int ninep_answer_symlink(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char target[NS_PATH_MAX + 1];
    if (m->create.target.len > NS_PATH_MAX)
        return fail_set(&turn->fail, ENAMETOOLONG, "%s", "");
    memcpy(target, m->create.target.at, m->create.target.len);
    target[m->create.target.len] = '\0';
    return make_file(s, turn,
                     &(struct ninep_new_file){.mode = NS_S_LINK | 0777,
                                              .gid = ninep_allowed_gid(s, m->create.gid),
                                              .target = target});
}

int ninep_answer_readlink(struct ninep_server *s, struct ninep_rpc *turn)
{
    char target[NS_PATH_MAX];
    struct ninep_fid *fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!NINEP_HAS(s, readlink) || fid->kind != NINEP_LINK)
        return fail_set(&turn->fail, EINVAL, "%s", "");
    long n =
        s->host->readlink(s->tree.files.state, fid->node->path, target, sizeof target, &turn->fail);
    if (n < 0)
        return (int)n;
    if ((size_t)n > sizeof target || (uint32_t)n > s->msize - NINEP_IO_HEAD)
        return fail_set(&turn->fail, ENAMETOOLONG, "%s", "");
    turn->reply.create.target = (struct ninep_text){target, (uint16_t)n};
    ninep_write(&turn->reply, s->dialect, turn->out);
    turn->replied = true;
    return 0;
}

int ninep_answer_link(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1];
    int r = 0;
    struct ninep_fid *dir = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r);
    struct ninep_fid *file = dir ? ninep_fid_find(s, m->newfid, &turn->fail) : NULL;
    if (!file)
        return dir ? -EBADF : r;
    if (!NINEP_HAS(s, link))
        return ninep_not_supported(&turn->fail);
    return s->host->link(s->tree.files.state, dir->node->path, name, file->node->path, &turn->fail);
}

int ninep_answer_rename(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1];
    int r = 0;
    struct ninep_fid *file = ninep_fid_find(s, m->fid, &turn->fail);
    if (!file)
        return -EBADF;
    struct ninep_fid *dir = directory_and_name(s, m->newfid, m->newname, name, &turn->fail, &r);
    if (!dir)
        return r;
    if (!NINEP_HAS(s, move))
        return ninep_not_supported(&turn->fail);
    return s->host->move(s->tree.files.state, file->node->path, false, dir->node->path, name,
                         &turn->fail);
}

int ninep_answer_renameat(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1], newname[NS_NAME_MAX + 1];
    int r = 0;
    struct ninep_fid *from = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r), *to;
    to = from ? directory_and_name(s, m->newfid, m->newname, newname, &turn->fail, &r) : NULL;
    if (!to)
        return r;
    if (!NINEP_HAS(s, rename))
        return ninep_not_supported(&turn->fail);
    return s->host->rename(s->tree.files.state, from->node->path, name, to->node->path, newname,
                           &turn->fail);
}

int ninep_answer_unlinkat(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1];
    int r = 0;
    struct ninep_fid *dir = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r);
    if (!dir)
        return r;
    if (!NINEP_HAS(s, unlink))
        return ninep_not_supported(&turn->fail);
    return s->host->unlink(s->tree.files.state, dir->node->path, name, m->flags & REMOVE_DIR,
                           &turn->fail);
}

int ninep_answer_fsync(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    return NINEP_HAS(s, fsync)
               ? s->host->fsync(s->tree.files.state, fid->open.file, fid->node->path,
                                turn->request->flags != 0, &turn->fail)
               : 0;
}

/* --- locks --- */

static int request_lock(struct ninep_server *s, struct ninep_rpc *turn, bool test)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!NINEP_HAS(s, lock))
        return ninep_not_supported(&turn->fail);
    turn->reply.lock = turn->request->lock;
    return s->host->lock(s->tree.files.state, fid->open.file, fid->node->path, &turn->reply.lock,
                         test, &turn->fail);
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
