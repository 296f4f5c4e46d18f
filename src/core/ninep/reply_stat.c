/* stat and wstat of 9P2000, getattr, setattr and statfs of .L. */
#include "reply.h"

#include <errno.h>
#include <stdio.h>

/* --- stat --- */

static uint32_t clamp_seconds(struct ns_time t)
{
    return (int64_t)t.s < 0 ? 0 : t.s > UINT32_MAX ? UINT32_MAX : (uint32_t)t.s;
}

int ninep_add_stat(const struct ninep_server *s, const char *name, const struct ns_attr *attr,
                   const char *extension, struct buf *out, struct fail *f)
{
    char uid[16], gid[16];
    bool named = !s->host && s->tree.owner, directory = (attr->mode & NS_S_KIND) == NS_S_DIR;
    snprintf(uid, sizeof uid, "%u", attr->uid);
    snprintf(gid, sizeof gid, "%u", attr->gid);
    struct ninep_text owner = ninep_text(named ? s->tree.owner : uid);
    struct ninep_stat r = {
        .qid = ninep_qid_attr(attr),
        .mode = ninep_mode_of_unix(attr->mode, s->dialect) | (directory ? NINEP_DMDIR : 0),
        .accessed = clamp_seconds(attr->accessed),
        .modified = clamp_seconds(attr->modified),
        .length = directory ? 0 : attr->size,
        .name = ninep_text(name[0] ? name : "/"),
        .owner = owner,
        .group = named ? owner : ninep_text(gid),
        .modifier = owner,
        .target = ninep_text(extension),
        .uid = attr->uid,
        .gid = attr->gid,
        .modifier_id = attr->uid,
    };
    return ninep_stat_write(&r, s->dialect, out) < 0 ? fail_set(f, EMSGSIZE, "%s", "") : 0;
}

/* What both ways to look know of a file. */
static int stat_fid(struct ninep_server *s, const struct ninep_fid *fid, struct ns_stat *st,
                    struct ns_attr *attr, struct fail *f)
{
    const struct ns_server *t = &s->tree.files;
    uint64_t path = fid->node->path;
    *st = (struct ns_stat){.path = path};
    int r = t->calls->stat(t->state, path, st, f);
    if (r == 0 && s->host)
        r = ninep_attr_of(s, fid->open.file, path, attr, f);
    else if (r == 0)
        ninep_device_attr(s, st, attr);
    return r;
}

/* A link's target, a device's numbers. */
static void format_extension(struct ninep_server *s, const struct ninep_fid *fid,
                             const struct ns_attr *attr, char extension[NS_PATH_MAX + 1])
{
    uint32_t kind = attr->mode & NS_S_KIND;
    uint64_t d = attr->device;
    long n = 0;
    if (kind == NS_S_LINK && NINEP_HAS(s, readlink))
        n = s->host->readlink(s->tree.files.state, fid->node->path, extension, NS_PATH_MAX, NULL);
    else if (kind == NS_S_CHAR || kind == NS_S_BLOCK) /* packed as the kernel does */
        n = snprintf(extension, NS_PATH_MAX, "%c %u %u", kind == NS_S_CHAR ? 'c' : 'b',
                     (unsigned)(d >> 8 & 0xfff), (unsigned)((d & 0xff) | (d >> 12 & 0xfff00)));
    extension[n > 0 ? n : 0] = '\0';
}

int ninep_answer_stat(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    struct ns_stat st;
    struct ns_attr attr;
    int r = fid ? stat_fid(s, fid, &st, &attr, &turn->fail) : -EBADF;
    if (r < 0)
        return r;
    char extension[NS_PATH_MAX + 1] = "";
    struct buf record = BUF_INIT;
    if (s->dialect == NINEP_U && s->host)
        format_extension(s, fid, &attr, extension);
    r = ninep_add_stat(s, st.name, &attr, extension, &record, &turn->fail);
    if (r == 0 && record.len + NINEP_HEAD + 2 > s->msize)
        r = fail_set(&turn->fail, EMSGSIZE, "%s", "");
    if (r == 0) {
        turn->reply.data = record.data;
        turn->reply.count = (uint32_t)record.len;
        ninep_write(&turn->reply, s->dialect, turn->out);
        turn->replied = true;
    }
    buf_release(&record);
    return r;
}

/* --- wstat, setattr --- */

/* A device's file takes a truncation, which shells and editors do before writing. Its times
 * and mode stay, although the reply reports success. */
static int change_device(struct ninep_server *s, struct ninep_fid *fid, const struct ns_change *c,
                         struct fail *f)
{
    if (c->set & (NS_SET_MODE | NS_SET_UID | NS_SET_GID))
        return fail_set(f, EPERM, "%s", "");
    if (!(c->set & NS_SET_SIZE))
        return 0;
    int r = ninep_may_open(s, fid->node->path, NS_WRITE | NS_TRUNCATE, f);
    return r < 0 ? r : ns_served_truncate(&s->tree, fid->node->path, c->to.size, f);
}

static int change_attr(struct ninep_server *s, struct ninep_fid *fid, struct ns_change *c,
                       struct fail *f)
{
    const struct ns_served *t = &s->tree;
    int r = ninep_may_write(s, f);
    if (r < 0 || !c->set)
        return r;
    if (fid->kind == NINEP_DIR && c->set & NS_SET_SIZE)
        return fail_set(f, EISDIR, "%s", "");
    if (!s->host)
        return change_device(s, fid, c, f);
    c->to.mode = ninep_allowed_mode(s, c->to.mode);
    if (!s->host->setattr)
        return ninep_not_supported(f);
    return s->host->setattr(t->files.state, fid->open.file, fid->node->path, c, f);
}

/* What a record of all ones and empty texts leaves alone. Names of users are none of ours. */
static int change_of_record(const struct ninep_stat *st, enum ninep_dialect dialect,
                            struct ns_change *out, struct fail *f)
{
    *out = (struct ns_change){.set = 0};
    if (st->owner.len || (st->group.len && dialect == NINEP_PLAIN))
        return fail_set(f, EPERM, "%s", "");
    if (st->mode != UINT32_MAX) {
        out->set |= NS_SET_MODE;
        out->to.mode = ninep_mode_bits(st->mode, dialect);
    }
    if (st->length != UINT64_MAX) {
        out->set |= NS_SET_SIZE;
        out->to.size = st->length;
    }
    if (st->modified != UINT32_MAX) {
        out->set |= NS_SET_MODIFIED | NS_SET_MODIFIED_TO;
        out->to.modified.s = st->modified;
    }
    if (dialect == NINEP_U && st->gid != UINT32_MAX) {
        out->set |= NS_SET_GID;
        out->to.gid = st->gid;
    }
    return 0;
}

static int rename_to(struct ninep_server *s, struct ninep_fid *fid, struct ninep_text newname,
                     struct fail *f)
{
    char name[NS_NAME_MAX + 1];
    int r = ninep_check_name(newname, name, f);
    if (r < 0)
        return r;
    if (!NINEP_HAS(s, move))
        return fail_set(f, EPERM, "%s", "");
    return s->host->move(s->tree.files.state, fid->node->path, true, 0, name, f);
}

int ninep_answer_wstat(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    struct ninep_stat st;
    struct ns_change c;
    if (!fid)
        return -EBADF;
    if (ninep_stat_read(m->data, m->count, s->dialect, &st) != (long)m->count)
        return fail_set(&turn->fail, 0, "bad stat buffer");
    int r = ninep_may_write(s, &turn->fail);
    if (r == 0)
        r = change_of_record(&st, s->dialect, &c, &turn->fail);
    if (r == 0 && st.name.len)
        r = rename_to(s, fid, st.name, &turn->fail);
    return r < 0 ? r : change_attr(s, fid, &c, &turn->fail);
}

int ninep_answer_getattr(struct ninep_server *s, struct ninep_rpc *turn)
{
    enum { BASIC = 0x7ff }; /* all that stat(2) has */
    struct ninep_fid *fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    turn->reply.valid = BASIC;
    if (!fid)
        return -EBADF;
    int r = ninep_attr_of(s, fid->open.file, fid->node->path, &turn->reply.attr, &turn->fail);
    turn->reply.qid = ninep_qid_attr(&turn->reply.attr);
    return r;
}

int ninep_answer_setattr(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    struct ns_change c = {m->set, m->attr};
    c.to.mode &= 07777;
    return fid ? change_attr(s, fid, &c, &turn->fail) : -EBADF;
}

int ninep_answer_statfs(struct ninep_server *s, struct ninep_rpc *turn)
{
    enum { V9FS_MAGIC = 0x01021997 };
    struct ninep_fid *fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    turn->reply.fs = (struct ns_statfs){.block_bytes = 4096, .name_max = NS_NAME_MAX};
    int r = NINEP_HAS(s, statfs) ? s->host->statfs(s->tree.files.state, fid->node->path,
                                                   &turn->reply.fs, &turn->fail)
                                 : 0;
    turn->reply.fs.type = V9FS_MAGIC;
    return r;
}
