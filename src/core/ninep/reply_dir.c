/* Reading directories: stat records in 9P2000, entries in .L; never a part of one. */
#include "reply.h"

#include <errno.h>

/* --- 9P2000: the offset is only where the last read ended, or 0 --- */

/* A host's entry is looked at through a walk, as a listing tells little. One that is gone
 * meanwhile, or cannot be looked at, is passed over: -ENOENT. */
static int stat_entry(struct ninep_server *s, struct ninep_fid *fid, const char *name,
                      struct ns_stat *st, struct ns_attr *attr, struct fail *f)
{
    const struct ns_served *t = &s->tree;
    uint64_t path = 0;
    if (t->files.calls->walk(t->files.state, fid->node->path, name, &path, f) < 0)
        return -ENOENT;
    *st = (struct ns_stat){.path = path};
    bool seen = t->files.calls->stat(t->files.state, path, st, f) == 0 &&
                ninep_attr_of(s, NULL, path, attr, f) == 0;
    ns_served_forget(t, path);
    return seen ? 1 : -ENOENT;
}

static int host_next(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                     struct ns_stat *st, struct ns_attr *attr, struct fail *f)
{
    const struct ns_served *t = &s->tree;
    if (!s->host->readdir)
        return ninep_not_supported(f);
    struct ns_entry e;
    int r;
    do {
        r = s->host->readdir(t->files.state, fid->open.file, fid->node->path, *cookie, &e, f);
        *cookie = r > 0 ? e.next : *cookie;
        if (r > 0)
            r = ns_is_dots(e.name) ? -ENOENT : stat_entry(s, fid, e.name, st, attr, f);
    } while (r == -ENOENT);
    return r;
}

static int device_next(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                       struct ns_stat *st, struct ns_attr *attr, struct fail *f)
{
    struct ns_entry e;
    uint64_t at = *cookie < NS_FIRST_FILE ? NS_FIRST_FILE : *cookie;
    int r = ns_served_entry(&s->tree, fid->node->path, at, st, &e, f);
    if (r <= 0)
        return r;
    ninep_device_attr(s, st, attr);
    *cookie = e.next;
    return r;
}

/* Appends the record behind *cookie: 1, or 0 at the end. */
static int add_next(struct ninep_server *s, struct ninep_fid *fid, uint64_t *cookie,
                    struct buf *out, struct fail *f)
{
    struct ns_stat st;
    struct ns_attr attr;
    int r = (s->host ? host_next : device_next)(s, fid, cookie, &st, &attr, f);
    if (r <= 0)
        return r;
    r = ninep_add_stat(s, st.name, &attr, "", out, f);
    return r < 0 ? r : 1;
}

/* An error after the first record is reported by the next read. */
static long finish_read(size_t got, int r, struct fail *f)
{
    if (r < 0 && !got)
        return r;
    if (f)
        *f = (struct fail){.err = 0};
    return (long)got;
}

long ninep_read_records(struct ninep_server *s, struct ninep_fid *fid, uint64_t offset,
                        uint32_t count, struct buf *out, struct fail *f)
{
    struct ninep_at at = fid->at;
    if (offset == 0)
        at = (struct ninep_at){0, 0};
    else if (offset != at.offset)
        return fail_set(f, 0, "bad offset in directory read");
    size_t start = out->len;
    int r = 1;
    while (r > 0 && !buf_error(out)) {
        size_t before = out->len;
        uint64_t cookie = at.cookie;
        r = add_next(s, fid, &cookie, out, f);
        if (r > 0 && out->len - start > count) {
            out->len = before;
            r = fail_set(f, EMSGSIZE, "%s", "");
        } else if (r > 0) {
            at.cookie = cookie;
        }
    }
    at.offset = offset + (out->len - start);
    fid->at = at;
    return finish_read(out->len - start, r, f);
}

/* --- .L: the offset is the cookie --- */

static int next_entry(struct ninep_server *s, struct ninep_fid *fid, uint64_t cookie,
                      struct ns_stat *st, struct ns_entry *out, struct fail *f)
{
    uint64_t path = fid->node->path;
    if (!s->host)
        return ns_served_entry(&s->tree, path, cookie, st, out, f);
    return s->host->readdir
               ? s->host->readdir(s->tree.files.state, fid->open.file, path, cookie, out, f)
               : ninep_not_supported(f);
}

static long add_entries(struct ninep_server *s, struct ninep_fid *fid, uint64_t cookie,
                        uint32_t count, struct buf *out, struct fail *f)
{
    size_t start = out->len;
    struct ns_stat st;
    struct ns_entry e;
    int r = 1;
    while (r > 0 && !buf_error(out)) {
        size_t before = out->len;
        r = next_entry(s, fid, cookie, &st, &e, f);
        if (r <= 0)
            break;
        uint8_t kind = ninep_kind_of_mode(e.type << 12);
        ninep_entry_write(
            &(struct ninep_entry){{kind, 0, e.ino}, e.next, (uint8_t)e.type, ninep_text(e.name)},
            out);
        cookie = e.next;
        if (out->len - start > count) {
            out->len = before;
            r = fail_set(f, EINVAL, "%s", "");
        }
    }
    return finish_read(out->len - start, r, f);
}

int ninep_answer_readdir(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!fid->opened || fid->kind != NINEP_DIR)
        return fail_set(&turn->fail, fid->opened ? ENOTDIR : EBADF, "%s", "");
    static const char head[NINEP_HEAD + 4];
    size_t start = turn->out->len;
    buf_add(turn->out, head, sizeof head);
    long n = add_entries(s, fid, m->offset, ninep_max_count(s, m->count), turn->out, &turn->fail);
    return ninep_finish_data(turn, start, n);
}
