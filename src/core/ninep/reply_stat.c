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
                   const char *extension, struct buf *out)
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
    return ninep_stat_write(&r, s->dialect, out);
}

static int stat_fid(struct ninep_server *s, const struct ninep_fid *fid, char name[NS_NAME_MAX + 1],
                    struct ns_attr *attr, struct fail *f)
{
    const struct ns_server *t = &s->tree.files;
    struct ns_stat st = {.path = fid->node->path};
    if (s->host) {
        s->host->name(t->state, st.path, name);
        return ninep_attr_of(s, fid->open.file, st.path, attr, f);
    }
    int r = t->calls->stat(t->state, st.path, &st, f);
    if (r < 0)
        return r;
    ninep_device_attr(s, &st, attr);
    memcpy(name, st.name, sizeof st.name);
    return 0;
}

/* A link's target, a device's numbers. */
static void format_extension(struct ninep_server *s, const struct ninep_fid *fid,
                             const struct ns_attr *attr, char extension[NS_PATH_MAX + 1])
{
    uint32_t kind = attr->mode & NS_S_KIND;
    uint64_t d = attr->device;
    long n = 0;
    if (kind == NS_S_LINK)
        n = s->host->readlink(s->tree.files.state, fid->node->path, extension, NS_PATH_MAX);
    else if (kind == NS_S_CHAR || kind == NS_S_BLOCK) /* packed as the kernel does */
        n = snprintf(extension, NS_PATH_MAX, "%c %u %u", kind == NS_S_CHAR ? 'c' : 'b',
                     (unsigned)(d >> 8 & 0xfff), (unsigned)((d & 0xff) | (d >> 12 & 0xfff00)));
    extension[n > 0 ? n : 0] = '\0';
}

int ninep_answer_stat(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ns_attr attr;
    int r = stat_fid(s, turn->fid, turn->name, &attr, &turn->fail);
    if (r < 0)
        return r;
    char extension[NS_PATH_MAX + 1] = "";
    struct buf record = BUF_INIT;
    if (s->dialect == NINEP_U && s->host)
        format_extension(s, turn->fid, &attr, extension);
    r = ninep_add_stat(s, turn->name, &attr, extension, &record);
    if (r == 0 && record.len + NINEP_HEAD + 2 > s->msize)
        r = -EMSGSIZE;
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
        return -EPERM;
    if (!(c->set & NS_SET_SIZE))
        return 0;
    int r = ninep_may_open(s, fid->node->path, NS_WRITE | NS_TRUNCATE, f);
    return r < 0 ? r : ns_served_truncate(&s->tree, fid->node->path, c->to.size, f);
}

static int change_attr(struct ninep_server *s, struct ninep_fid *fid, struct ns_change *c,
                       struct fail *f)
{
    if (!c->set)
        return 0;
    if (fid->kind == NINEP_DIR && c->set & NS_SET_SIZE)
        return -EISDIR;
    if (!s->host)
        return change_device(s, fid, c, f);
    c->to.mode = ninep_allowed_mode(s, c->to.mode);
    return s->host->setattr(s->tree.files.state, fid->open.file, fid->node->path, c);
}

/* What a record of all ones and empty texts leaves alone. Names of users are none of ours. */
static int change_of_record(const struct ninep_stat *st, enum ninep_dialect dialect,
                            struct ns_change *out)
{
    *out = (struct ns_change){.set = 0};
    if (st->owner.len || (st->group.len && dialect == NINEP_PLAIN))
        return -EPERM;
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
    if (r == 0 && !s->host)
        r = -EPERM;
    return r < 0 ? r : s->host->move(s->tree.files.state, fid->node->path, true, 0, name);
}

int ninep_answer_wstat(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_stat st;
    struct ns_change c;
    if (ninep_stat_read(m->data, m->count, s->dialect, &st) != (long)m->count)
        return fail_set(&turn->fail, 0, "bad stat buffer");
    int r = s->tree.writable ? change_of_record(&st, s->dialect, &c) : -EROFS;
    if (r == 0 && st.name.len)
        r = rename_to(s, turn->fid, st.name, &turn->fail);
    return r < 0 ? r : change_attr(s, turn->fid, &c, &turn->fail);
}

int ninep_answer_getattr(struct ninep_server *s, struct ninep_rpc *turn)
{
    enum { BASIC = 0x7ff }; /* all that stat(2) has */
    struct ns_attr *attr = &turn->reply.attr;
    turn->reply.valid = BASIC;
    int r = ninep_attr_of(s, turn->fid->open.file, turn->fid->node->path, attr, &turn->fail);
    turn->reply.qid = ninep_qid_attr(attr);
    return r;
}

int ninep_answer_setattr(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ns_change c = {turn->request->set, turn->request->attr};
    c.to.mode &= 07777;
    return change_attr(s, turn->fid, &c, &turn->fail);
}

int ninep_answer_statfs(struct ninep_server *s, struct ninep_rpc *turn)
{
    enum { V9FS_MAGIC = 0x01021997 };
    struct ns_statfs *fs = &turn->reply.fs;
    *fs = (struct ns_statfs){.block_bytes = 4096, .name_max = NS_NAME_MAX};
    int r = s->host ? s->host->statfs(s->tree.files.state, turn->fid->node->path, fs) : 0;
    fs->type = V9FS_MAGIC;
    return r;
}
