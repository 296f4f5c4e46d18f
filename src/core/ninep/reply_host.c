/* What .L asks of a host's files: made, linked, renamed, removed, locked. */
#include "reply.h"

#include <errno.h>

enum { REMOVE_DIR = 0x200 }; /* unlinkat's flag */

/* The directory of a request that changes it; NULL with *r told. */
static struct ninep_fid *directory(struct ninep_server *s, uint32_t number, struct fail *f, int *r)
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
                                            struct ninep_text text, char name[NS_NAME_MOST + 1],
                                            struct fail *f, int *r)
{
    struct ninep_fid *fid = directory(s, number, f, r);
    if (fid)
        *r = ninep_name(text, name, f);
    return *r < 0 ? NULL : fid;
}

static int make(struct ninep_server *s, struct ninep_turn *turn, const struct ninep_new *asked)
{
    const struct ns_served *t = &s->tree;
    struct ninep_new new = *asked;
    const struct ninep_msg *m = turn->ask;
    char name[NS_NAME_MOST + 1];
    uint64_t path = 0;
    int r = 0;
    struct ninep_fid *dir = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r);
    if (!dir)
        return r;
    if (!NINEP_HAS(s, make))
        return ninep_cannot(&turn->fail);
    r = ninep_may_make(s, new.mode, &turn->fail);
    new.mode = ninep_mode_given(s, new.mode);
    if (r == 0)
        r = s->host->make(t->files.state, dir->place->path, name, &new, &path, &turn->fail);
    if (r < 0)
        return r;
    r = ninep_qid_of(s, path, &turn->reply.qid, &turn->fail);
    ns_served_forget(t, path);
    return r;
}

int ninep_answer_mkdir(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    return make(s, turn,
                &(struct ninep_new){.mode = NS_S_DIR | (m->mode & 07777),
                                    .gid = ninep_gid_given(s, m->gid)});
}

int ninep_answer_mknod(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    return make(s, turn,
                &(struct ninep_new){.mode = m->mode,
                                    .gid = ninep_gid_given(s, m->gid),
                                    .major = m->major,
                                    .minor = m->minor});
}

int ninep_answer_symlink(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    char target[NS_PATH_MOST + 1];
    if (m->target.len > NS_PATH_MOST)
        return fail_set(&turn->fail, ENAMETOOLONG, "%s", "");
    memcpy(target, m->target.at, m->target.len);
    target[m->target.len] = '\0';
    return make(s, turn,
                &(struct ninep_new){
                    .mode = NS_S_LINK | 0777, .gid = ninep_gid_given(s, m->gid), .target = target});
}

int ninep_answer_readlink(struct ninep_server *s, struct ninep_turn *turn)
{
    char target[NS_PATH_MOST];
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!NINEP_HAS(s, target) || fid->kind != NINEP_LINK)
        return fail_set(&turn->fail, EINVAL, "%s", "");
    long n =
        s->host->target(s->tree.files.state, fid->place->path, target, sizeof target, &turn->fail);
    if (n < 0)
        return (int)n;
    if ((size_t)n > sizeof target || (uint32_t)n > s->msize - NINEP_IO_HEAD)
        return fail_set(&turn->fail, ENAMETOOLONG, "%s", "");
    turn->reply.target = (struct ninep_text){target, (uint16_t)n};
    ninep_write(&turn->reply, s->dialect, turn->out);
    turn->answered = true;
    return 0;
}

int ninep_answer_link(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    char name[NS_NAME_MOST + 1];
    int r = 0;
    struct ninep_fid *dir = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r);
    struct ninep_fid *file = dir ? ninep_fid_find(s, m->newfid, &turn->fail) : NULL;
    if (!file)
        return dir ? -EBADF : r;
    if (!NINEP_HAS(s, link))
        return ninep_cannot(&turn->fail);
    return s->host->link(s->tree.files.state, dir->place->path, name, file->place->path,
                         &turn->fail);
}

int ninep_answer_rename(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    char name[NS_NAME_MOST + 1];
    int r = 0;
    struct ninep_fid *file = ninep_fid_find(s, m->fid, &turn->fail);
    if (!file)
        return -EBADF;
    struct ninep_fid *dir = directory_and_name(s, m->newfid, m->newname, name, &turn->fail, &r);
    if (!dir)
        return r;
    if (!NINEP_HAS(s, move))
        return ninep_cannot(&turn->fail);
    return s->host->move(s->tree.files.state, file->place->path, false, dir->place->path, name,
                         &turn->fail);
}

int ninep_answer_renameat(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    char name[NS_NAME_MOST + 1], newname[NS_NAME_MOST + 1];
    int r = 0;
    struct ninep_fid *from = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r), *to;
    to = from ? directory_and_name(s, m->newfid, m->newname, newname, &turn->fail, &r) : NULL;
    if (!to)
        return r;
    if (!NINEP_HAS(s, rename))
        return ninep_cannot(&turn->fail);
    return s->host->rename(s->tree.files.state, from->place->path, name, to->place->path, newname,
                           &turn->fail);
}

int ninep_answer_unlinkat(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    char name[NS_NAME_MOST + 1];
    int r = 0;
    struct ninep_fid *dir = directory_and_name(s, m->fid, m->name, name, &turn->fail, &r);
    if (!dir)
        return r;
    if (!NINEP_HAS(s, unlink))
        return ninep_cannot(&turn->fail);
    return s->host->unlink(s->tree.files.state, dir->place->path, name, m->flags & REMOVE_DIR,
                           &turn->fail);
}

int ninep_answer_fsync(struct ninep_server *s, struct ninep_turn *turn)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    return NINEP_HAS(s, sync) ? s->host->sync(s->tree.files.state, fid->open.file, fid->place->path,
                                              turn->ask->flags != 0, &turn->fail)
                              : 0;
}

/* --- locks --- */

static int lock(struct ninep_server *s, struct ninep_turn *turn, bool test)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!NINEP_HAS(s, lock))
        return ninep_cannot(&turn->fail);
    turn->reply.lock = turn->ask->lock;
    return s->host->lock(s->tree.files.state, fid->open.file, fid->place->path, &turn->reply.lock,
                         test, &turn->fail);
}

int ninep_answer_lock(struct ninep_server *s, struct ninep_turn *turn)
{
    int r = lock(s, turn, false);
    turn->reply.how = r > 0; /* another has it: the client asks again */
    return r < 0 ? r : 0;
}

int ninep_answer_getlock(struct ninep_server *s, struct ninep_turn *turn)
{
    int r = lock(s, turn, true);
    return r < 0 ? r : 0;
}
