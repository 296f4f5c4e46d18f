/* Reading directories: stat records in 9P2000, entries in .L; never a part of one. */
#include "reply.h"

#include <errno.h>

/* A host's entry is looked at through a walk, as a listing tells little. One that is gone
 * meanwhile, or cannot be looked at, is passed over: -ENOENT. */
static int stat_entry(struct ninep_server *s, struct ninep_fid *fid, const char *name,
                      struct ns_attr *attr)
{
    const struct ns_served *t = &s->tree;
    uint64_t path = 0;
    if (t->files.calls->walk(t->files.state, fid->node->path, name, &path, NULL) < 0)
        return -ENOENT;
    int r = ninep_attr_of(s, NULL, path, attr, NULL);
    ns_served_forget(t, path, 1);
    return r < 0 ? -ENOENT : 1;
}

static int host_next(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                     struct ns_entry *e, struct ns_attr *attr)
{
    int r;
    do {
        r = s->host->readdir(s->tree.files.state, fid->open.file, fid->node->path, *cookie, e);
        if (r <= 0)
            return r;
        *cookie = e->next;
        r = ns_is_dots(e->name) ? -ENOENT : stat_entry(s, fid, e->name, attr);
    } while (r == -ENOENT);
    return r;
}

static int device_next(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                       struct ns_stat *st, struct ns_entry *e, struct ns_attr *attr, struct fail *f)
{
    uint64_t at = *cookie < NS_FIRST_FILE ? NS_FIRST_FILE : *cookie;
    int r = ns_served_entry(&s->tree, &fid->open, at, st, e, f);
    if (r <= 0)
        return r;
    ninep_device_attr(s, st, attr);
    *cookie = e->next;
    return r;
}

/* What appends the record or entry behind *cookie does: 1, or 0 at the end. */
typedef int add_next(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                     struct buf *out, struct fail *f);

static int add_record(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                      struct buf *out, struct fail *f)
{
    struct ns_stat st;
    struct ns_entry e;
    struct ns_attr attr;
    int r = s->host ? host_next(s, fid, cookie, &e, &attr)
                    : device_next(s, fid, cookie, &st, &e, &attr, f);
    if (r <= 0)
        return r;
    r = ninep_add_stat(s, e.name, &attr, "", out);
    return r < 0 ? r : 1;
}

static int add_entry(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                     struct buf *out, struct fail *f)
{
    struct ns_stat st;
    struct ns_entry e;
    int r = s->host ? s->host->readdir(s->tree.files.state, fid->open.file, fid->node->path,
                                       *cookie, &e)
                    : ns_served_entry(&s->tree, &fid->open, *cookie, &st, &e, f);
    if (r <= 0)
        return r;
    uint8_t kind = ninep_kind_of_mode(e.type << 12);
    ninep_entry_write(
        &(struct ninep_entry){{kind, 0, e.ino}, e.next, (uint8_t)e.type, ninep_text(e.name)}, out);
    *cookie = e.next;
    return 1;
}

/* All that are complete in count bytes: how many bytes. too_small: where the first is not. An error
 * behind the first is reported by the next read. */
static long add_all(struct ninep_rpc *turn, struct ninep_server *s, uint64_t *cookie,
                    uint32_t count, add_next *add, int too_small)
{
    struct buf *out = turn->out;
    size_t start = out->len;
    int r = 1;
    while (r > 0 && !buf_error(out)) {
        size_t before = out->len;
        uint64_t next = *cookie;
        r = add(s, turn->fid, &next, out, &turn->fail);
        if (r > 0 && out->len - start > count) {
            out->len = before;
            r = too_small;
        } else if (r > 0) {
            *cookie = next;
        }
    }
    if (r < 0 && out->len == start)
        return r;
    turn->fail = (struct fail){.err = 0};
    return (long)(out->len - start);
}

/* 9P2000: the offset is only where the last read ended, or 0. */
long ninep_read_records(struct ninep_server *s, struct ninep_rpc *turn, uint32_t count)
{
    struct ninep_at *at = &turn->fid->at;
    uint64_t offset = turn->request->offset;
    if (offset == 0)
        *at = (struct ninep_at){0, 0};
    else if (offset != at->offset)
        return fail_set(&turn->fail, 0, "bad offset in directory read");
    long n = add_all(turn, s, &at->cookie, count, add_record, -EMSGSIZE);
    at->offset = offset + (n > 0 ? (uint64_t)n : 0);
    return n;
}

/* .L: the offset is the cookie. */
int ninep_answer_readdir(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    uint64_t cookie = m->offset;
    if (!turn->fid->opened || turn->fid->kind != NINEP_DIR)
        return turn->fid->opened ? -ENOTDIR : -EBADF;
    size_t start = ninep_begin_data(turn);
    long n = add_all(turn, s, &cookie, ninep_max_count(s, m->count), add_entry, -EINVAL);
    return ninep_finish_data(turn, start, n);
}
