/* version, auth, attach, flush, walk, clunk: the conversation itself. */
#include "reply.h"

#include <errno.h>

/* The dialect that is agreed on is one the client named or what its string stands for. */
int ninep_answer_version(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    enum ninep_dialect dialect;
    ninep_drop_all(s);
    ninep_fid_end_all(s);
    s->versioned = ninep_dialect(m->version, &dialect) && m->msize >= NINEP_MSIZE_LEAST;
    s->dialect = s->versioned ? dialect : NINEP_PLAIN;
    turn->reply.msize = m->msize < s->limits.msize ? m->msize : s->limits.msize;
    turn->reply.version = ninep_text(s->versioned ? ninep_dialect_name(dialect) : "unknown");
    s->msize = s->versioned ? turn->reply.msize : NINEP_FIRST;
    return 0;
}

/* By .L an error that is none says that nothing needs to be proven: diod's clients ask. */
int ninep_answer_auth(struct ninep_server *s, struct ninep_turn *turn)
{
    turn->reply.type = NINEP_RLERROR;
    return s->dialect == NINEP_L ? 0 : fail_set(&turn->fail, 0, "authentication not required");
}

int ninep_answer_attach(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    if (m->fid != NINEP_NOFID)
        return fail_set(&turn->fail, 0, "authentication not required");
    if (m->aname.len && !ninep_same(m->aname, "/"))
        return fail_set(&turn->fail, 0, "no such tree: %.*s", m->aname.len, m->aname.at);
    uint32_t uid;
    int r = ninep_asker(s, s->dialect == NINEP_PLAIN ? UINT32_MAX : m->uid, &uid, &turn->fail);
    s->refused += r < 0;
    if (r == 0)
        r = ninep_ask_as(s, uid, &turn->fail);
    if (r == 0)
        r = ninep_qid_of(s, 0, &turn->reply.qid, &turn->fail);
    if (r < 0)
        return r;
    struct ninep_place *root = ninep_place_new(s, NULL, 0, &turn->fail);
    struct ninep_fid *fid =
        root ? ninep_fid_new(s, m->newfid, root, turn->reply.qid.type, &turn->fail) : NULL;
    if (fid)
        fid->uid = uid;
    return fid ? 0 : -EBADF;
}

int ninep_answer_flush(struct ninep_server *s, struct ninep_turn *turn)
{
    ninep_drop(s, turn->ask->oldtag);
    return 0;
}

int ninep_answer_clunk(struct ninep_server *s, struct ninep_turn *turn)
{
    struct ninep_fid *fid = ninep_fid_find(s, turn->ask->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    ninep_refuse_kept(s, fid->number, turn->out);
    int r = ninep_value_set(s, fid, &turn->fail);
    ninep_fid_end(s, fid);
    return r == -EAGAIN ? fail_set(&turn->fail, EIO, "%s", "") : r;
}

/* --- walk --- */

/* One element on: *place becomes what it leads to. */
static int step(struct ninep_server *s, struct ninep_place **place, struct ninep_text element,
                struct ninep_qid *qid, struct fail *f)
{
    const struct ns_server *t = &s->tree.files;
    struct ninep_place *from = *place, *to;
    if (ninep_same(element, "..")) {
        to = ninep_place_use(from->up ? from->up : from);
    } else if (s->dialect == NINEP_L && ninep_same(element, ".")) {
        to = ninep_place_use(from); /* which its readdir tells */
    } else {
        char name[NS_NAME_MOST + 1];
        uint64_t path = 0;
        int r = ninep_name(element, name, f);
        if (r == 0)
            r = t->calls->walk(t->state, from->path, name, &path, f);
        if (r < 0)
            return r;
        to = ninep_place_new(s, from, path, f);
        if (!to)
            return -ENFILE;
    }
    int r = ninep_qid_of(s, to->path, qid, f);
    if (r < 0) {
        ninep_place_leave(s, to);
        return r;
    }
    ninep_place_leave(s, from);
    *place = to;
    return 0;
}

/* As far as it goes: 0 when at least the first element was there. Only a wait begins again. */
static int walk_on(struct ninep_server *s, struct ninep_turn *turn, struct ninep_place **place,
                   uint8_t *kind)
{
    const struct ninep_msg *m = turn->ask;
    struct ninep_msg *reply = &turn->reply;
    while (reply->names < m->names) {
        struct ninep_qid *qid = &reply->qids[reply->names];
        int r = *kind == NINEP_DIR ? step(s, place, m->walk[reply->names], qid, &turn->fail)
                                   : fail_set(&turn->fail, ENOTDIR, "%s", "");
        if (r < 0)
            return reply->names && !ns_is_later(r) ? 0 : r;
        *kind = qid->type;
        reply->names++;
    }
    return 0;
}

/* The fid's new place, or another fid at it. */
static int arrive(struct ninep_server *s, struct ninep_turn *turn, struct ninep_fid *fid,
                  struct ninep_place *place, uint8_t kind)
{
    if (turn->ask->newfid != fid->number) {
        struct ninep_fid *to = ninep_fid_new(s, turn->ask->newfid, place, kind, &turn->fail);
        if (to)
            to->uid = fid->uid;
        return to ? 0 : -EBADF;
    }
    ninep_place_leave(s, fid->place);
    fid->place = place;
    fid->kind = kind;
    return 0;
}

int ninep_answer_walk(struct ninep_server *s, struct ninep_turn *turn)
{
    const struct ninep_msg *m = turn->ask;
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    bool same = m->newfid == m->fid;
    if (same ? fid->opened : ninep_map_get(&s->fids, m->newfid) != NULL)
        return fail_set(&turn->fail, 0, "fid in use");
    uint8_t kind = fid->kind;
    struct ninep_place *place = ninep_place_use(fid->place);
    int r = walk_on(s, turn, &place, &kind);
    if (r == 0 && turn->reply.names == m->names)
        return arrive(s, turn, fid, place, kind);
    ninep_place_leave(s, place);
    return r;
}
