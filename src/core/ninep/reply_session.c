/* version, auth, attach, flush, walk, clunk: the conversation itself. */
#include "reply.h"

#include <errno.h>

/* The negotiated dialect is one the client named or an equivalent of it. */
int ninep_answer_version(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    enum ninep_dialect dialect;
    ninep_drop_all(s);
    ninep_fid_free_all(s);
    s->versioned =
        ninep_dialect(m->session.version, &dialect) && m->session.msize >= NINEP_MSIZE_MIN;
    s->dialect = s->versioned ? dialect : NINEP_PLAIN;
    turn->reply.session.msize =
        m->session.msize < s->limits.msize ? m->session.msize : s->limits.msize;
    turn->reply.session.version =
        ninep_text(s->versioned ? ninep_dialect_name(dialect) : "unknown");
    s->msize = s->versioned ? turn->reply.session.msize : NINEP_MSIZE_FIRST;
    return 0;
}

/* By .L an error that is none says that nothing needs to be proven: diod's clients ask. */
int ninep_answer_auth(struct ninep_server *s, struct ninep_rpc *turn)
{
    turn->reply.type = NINEP_RLERROR;
    return s->dialect == NINEP_L ? 0 : fail_set(&turn->fail, 0, "authentication not required");
}

int ninep_answer_attach(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    if (m->fid != NINEP_NOFID)
        return fail_set(&turn->fail, 0, "authentication not required");
    if (m->session.aname.len && !ninep_text_equals(m->session.aname, "/"))
        return fail_set(&turn->fail, 0, "no such tree: %.*s", m->session.aname.len,
                        m->session.aname.at);
    uint32_t uid;
    int r = ninep_attach_uid(s, s->dialect == NINEP_PLAIN ? UINT32_MAX : m->session.uid, &uid);
    s->refused += r < 0;
    if (r == 0)
        r = ninep_set_user(s, uid, &turn->fail);
    if (r == 0)
        r = ninep_qid_of(s, 0, &turn->reply.qid, &turn->fail);
    if (r < 0)
        return r;
    struct ninep_node *root = ninep_node_new(s, NULL, 0, &turn->fail);
    struct ninep_fid *fid = root ? ninep_fid_new(s, turn, root, turn->reply.qid.type) : NULL;
    if (fid)
        fid->uid = uid;
    return fid ? 0 : -EBADF;
}

int ninep_answer_flush(struct ninep_server *s, struct ninep_rpc *turn)
{
    ninep_drop_kept(s, turn->request->oldtag);
    return 0;
}

int ninep_answer_clunk(struct ninep_server *s, struct ninep_rpc *turn)
{
    ninep_refuse_kept(s, turn->fid->number, turn->out);
    int r = ninep_xattr_commit(s, turn->fid);
    ninep_fid_free(s, turn->fid);
    return r == -EAGAIN ? -EIO : r;
}

/* --- walk --- */

/* One element on: *place becomes what it leads to. */
static int walk_element(struct ninep_server *s, struct ninep_node **node, struct ninep_text element,
                        struct ninep_qid *qid, struct fail *f)
{
    const struct ns_server *t = &s->tree.files;
    struct ninep_node *from = *node, *to;
    if (ninep_text_equals(element, "..")) {
        to = ninep_node_ref(from->parent ? from->parent : from);
    } else if (s->dialect == NINEP_L && ninep_text_equals(element, ".")) {
        to = ninep_node_ref(from); /* which its readdir tells */
    } else {
        char name[NS_NAME_MAX + 1];
        uint64_t path = 0;
        int r = ninep_check_name(element, name, f);
        if (r == 0)
            r = t->calls->walk(t->state, from->path, name, &path, f);
        if (r < 0)
            return r;
        to = ninep_node_new(s, from, path, f);
        if (!to)
            return -ENFILE;
    }
    int r = ninep_qid_of(s, to->path, qid, f);
    if (r < 0) {
        ninep_node_unref(s, to);
        return r;
    }
    ninep_node_unref(s, from);
    *node = to;
    return 0;
}

/* As far as it goes: 0 when at least the first element was there. Only a wait begins again. */
static int walk_on(struct ninep_server *s, struct ninep_rpc *turn, struct ninep_node **node,
                   uint8_t *kind)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_msg *reply = &turn->reply;
    while (reply->walk.count < m->walk.count) {
        struct ninep_qid *qid = &reply->walk.qid[reply->walk.count];
        int r = *kind == NINEP_DIR
                    ? walk_element(s, node, m->walk.name[reply->walk.count], qid, &turn->fail)
                    : -ENOTDIR;
        if (r < 0)
            return reply->walk.count && !ns_would_block(r) ? 0 : r;
        *kind = qid->type;
        reply->walk.count++;
    }
    return 0;
}

/* The fid's new place, or another fid at it. */
static int finish_walk(struct ninep_server *s, struct ninep_rpc *turn, struct ninep_node *node,
                       uint8_t kind)
{
    struct ninep_fid *fid = turn->fid;
    if (turn->request->newfid != fid->number)
        return ninep_fid_new(s, turn, node, kind) ? 0 : -EBADF;
    ninep_node_unref(s, fid->node);
    fid->node = node;
    fid->kind = kind;
    return 0;
}

int ninep_answer_walk(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    bool same = m->newfid == m->fid;
    if (same ? turn->fid->opened : ninep_fid_at(s, m->newfid) != NULL)
        return fail_set(&turn->fail, 0, "fid in use");
    uint8_t kind = turn->fid->kind;
    struct ninep_node *node = ninep_node_ref(turn->fid->node);
    int r = walk_on(s, turn, &node, &kind);
    if (r == 0 && turn->reply.walk.count == m->walk.count)
        return finish_walk(s, turn, node, kind);
    ninep_node_unref(s, node);
    return r;
}
