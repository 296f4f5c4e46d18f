/* stat and wstat of 9P2000, getattr, setattr and statfs of .L. */
#include "reply.h"

#include <errno.h>
#include <stdio.h>

/* --- stat --- */

static uint32_t seconds(uint64_t s)
{
    return s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

int ninep_put_stat(const struct ninep_server *s, const struct ns_stat *st,
                   const struct ninep_attr *attr, struct ninep_qid qid, const char *more,
                   struct buf *out, struct fail *f)
{
    char owner[16], group[16];
    uint32_t uid = attr ? attr->uid : s->tree.uid, gid = attr ? attr->gid : s->tree.gid;
    uint64_t modified = st->modified > 0 ? (uint64_t)st->modified : 0;
    snprintf(owner, sizeof owner, "%u", uid);
    snprintf(group, sizeof group, "%u", gid);
    bool named = !attr && s->tree.owner;
    struct ninep_stat r = {
        .qid = qid,
        .mode = ninep_mode_of_unix(attr ? attr->mode : ninep_mode_told(st), s->dialect) |
                (st->directory ? NINEP_DMDIR : 0),
        .accessed = seconds(attr ? attr->accessed.s : modified),
        .modified = seconds(attr ? attr->modified.s : modified),
        .length = st->directory ? 0 : st->length,
        .name = ninep_text(st->name[0] ? st->name : "/"),
        .owner = ninep_text(named ? s->tree.owner : owner),
        .group = ninep_text(named ? s->tree.owner : group),
        .modifier = ninep_text(named ? s->tree.owner : owner),
        .target = ninep_text(more),
        .uid = uid,
        .gid = gid,
        .modifier_id = uid,
    };
    return ninep_stat_write(&r, s->dialect, out) < 0 ? fail_set(f, EMSGSIZE, "%s", "") : 0;
}

/* What both ways to look know of a file. */
static int look(struct ninep_server *s, const struct ninep_fid *fid, struct ns_stat *st,
                struct ninep_attr *attr, struct ninep_qid *qid, struct fail *f)
{
    const struct ns_server *t = &s->tree.files;
    uint64_t path = fid->place->path;
    *st = (struct ns_stat){.path = path};
    int r = t->calls->stat(t->state, path, st, f);
    if (r == 0 && s->tree.host)
        r = ninep_attr_of(s, fid->file, path, attr, qid, f);
    else if (r == 0)
        *qid = ninep_qid_stat(st);
    return r;
}

/* A link's target, a device's numbers. */
static void tell_more(struct ninep_server *s, const struct ninep_fid *fid,
                      const struct ninep_attr *attr, char more[NS_PATH_MOST + 1])
{
    uint32_t kind = attr->mode & NINEP_S_KIND;
    uint64_t d = attr->device;
    long n = 0;
    if (kind == NINEP_S_LINK && NINEP_HAS(s, target))
        n = s->tree.host->target(s->tree.files.state, fid->place->path, more, NS_PATH_MOST, NULL);
    else if (kind == NINEP_S_CHAR || kind == NINEP_S_BLOCK) /* packed as the kernel does */
        n = snprintf(more, NS_PATH_MOST, "%c %u %u", kind == NINEP_S_CHAR ? 'c' : 'b',
                     (unsigned)(d >> 8 & 0xfff), (unsigned)((d & 0xff) | (d >> 12 & 0xfff00)));
    more[n > 0 ? n : 0] = '\0';
}

int ninep_answer_stat(struct ninep_server *s, struct ninep_turn *turn)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    struct ns_stat st;
    struct ninep_attr attr;
    struct ninep_qid qid;
    int r = fid ? look(s, fid, &st, &attr, &qid, &turn->fail) : -EBADF;
    if (r < 0)
        return r;
    char more[NS_PATH_MOST + 1] = "";
    struct buf record = BUF_INIT;
    if (s->dialect == NINEP_U && s->tree.host)
        tell_more(s, fid, &attr, more);
    r = ninep_put_stat(s, &st, s->tree.host ? &attr : NULL, qid, more, &record, &turn->fail);
    if (r == 0 && record.len + NINEP_HEAD + 2 > s->msize)
        r = fail_set(&turn->fail, EMSGSIZE, "%s", "");
    if (r == 0) {
        turn->reply.data = record.data;
        turn->reply.count = (uint32_t)record.len;
        ninep_write(&turn->reply, s->dialect, turn->out);
        turn->answered = true;
    }
    buf_release(&record);
    return r;
}

/* --- wstat, setattr --- */

static int may_change(const struct ninep_server *s, struct fail *f)
{
    return ninep_may_write(s, f);
}

/* A device's file takes a truncation, which shells and editors put before what they write, and
 * keeps its times and mode: nobody is told that they changed. */
static int change_device(const struct ninep_change *c, struct fail *f)
{
    uint32_t other = c->set & (NINEP_SET_MODE | NINEP_SET_UID | NINEP_SET_GID);
    bool longer = c->set & NINEP_SET_SIZE && c->to.size != 0;
    return other || longer ? fail_set(f, EPERM, "%s", "") : 0;
}

static int change(struct ninep_server *s, struct ninep_fid *fid, struct ninep_change *c,
                  struct fail *f)
{
    const struct ninep_tree *t = &s->tree;
    int r = may_change(s, f);
    if (r < 0 || !c->set)
        return r;
    if (fid->kind == NINEP_DIR && c->set & NINEP_SET_SIZE)
        return fail_set(f, EISDIR, "%s", "");
    if (!t->host)
        return change_device(c, f);
    c->to.mode = ninep_mode_given(s, c->to.mode);
    if (!t->host->change)
        return ninep_cannot(f);
    return t->host->change(t->files.state, fid->file, fid->place->path, c, f);
}

/* What a record of all ones and empty texts leaves alone. Names of users are none of ours. */
static int change_of_record(const struct ninep_stat *st, enum ninep_dialect dialect,
                            struct ninep_change *out, struct fail *f)
{
    *out = (struct ninep_change){.set = 0};
    if (st->owner.len || (st->group.len && dialect == NINEP_PLAIN))
        return fail_set(f, EPERM, "%s", "");
    if (st->mode != UINT32_MAX) {
        out->set |= NINEP_SET_MODE;
        out->to.mode = ninep_mode_bits(st->mode, dialect);
    }
    if (st->length != UINT64_MAX) {
        out->set |= NINEP_SET_SIZE;
        out->to.size = st->length;
    }
    if (st->modified != UINT32_MAX) {
        out->set |= NINEP_SET_MODIFIED | NINEP_SET_MODIFIED_TO;
        out->to.modified.s = st->modified;
    }
    if (dialect == NINEP_U && st->gid != UINT32_MAX) {
        out->set |= NINEP_SET_GID;
        out->to.gid = st->gid;
    }
    return 0;
}

static int rename_to(struct ninep_server *s, struct ninep_fid *fid, struct ninep_text newname,
                     struct fail *f)
{
    char name[NS_NAME_MOST + 1];
    int r = ninep_name(newname, name, f);
    if (r < 0)
        return r;
    if (!NINEP_HAS(s, move))
        return fail_set(f, EPERM, "%s", "");
    return s->tree.host->move(s->tree.files.state, fid->place->path, true, 0, name, f);
}

int ninep_answer_wstat(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    struct ninep_stat st;
    struct ninep_change c;
    if (!fid)
        return -EBADF;
    if (ninep_stat_read(m->data, m->count, s->dialect, &st) != (long)m->count)
        return fail_set(&turn->fail, 0, "bad stat buffer");
    int r = may_change(s, &turn->fail);
    if (r == 0)
        r = change_of_record(&st, s->dialect, &c, &turn->fail);
    if (r == 0 && st.name.len)
        r = rename_to(s, fid, st.name, &turn->fail);
    return r < 0 ? r : change(s, fid, &c, &turn->fail);
}

int ninep_answer_getattr(struct ninep_server *s, struct ninep_turn *turn)
{
    enum { BASIC = 0x7ff }; /* all that stat(2) has */
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    turn->reply.valid = BASIC;
    return fid ? ninep_attr_of(s, fid->file, fid->place->path, &turn->reply.attr, &turn->reply.qid,
                               &turn->fail)
               : -EBADF;
}

int ninep_answer_setattr(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    struct ninep_change c = {m->set, m->attr};
    c.to.mode &= 07777;
    return fid ? change(s, fid, &c, &turn->fail) : -EBADF;
}

int ninep_answer_statfs(struct ninep_server *s, struct ninep_turn *turn)
{
    enum { V9FS_MAGIC = 0x01021997 };
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    turn->reply.fs =
        (struct ninep_fs){.type = V9FS_MAGIC, .block_bytes = 4096, .name_most = NS_NAME_MOST};
    return NINEP_HAS(s, space) ? s->tree.host->space(s->tree.files.state, fid->place->path,
                                                     &turn->reply.fs, &turn->fail)
                               : 0;
}
