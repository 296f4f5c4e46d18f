/* Extended attributes of .L: a fid that is read as a value, or written as one and set by its clunk.
 */
#include "reply.h"

#include <errno.h>
#include <stdlib.h>

enum {
    MAX_VALUE = 1 << 16, /* as Linux has it, of a value and of all names */
    MAX_VALUES = 16,     /* held by a client at once */
};

struct ninep_xattr {
    char name[NS_NAME_MAX + 1];
    uint32_t flags;
    bool set; /* it is written, to be set */
    size_t len, have;
    char bytes[];
};

static struct ninep_xattr *new_value(struct ninep_server *s, size_t len, struct fail *f)
{
    struct ninep_xattr *v = s->xattrs < MAX_VALUES ? calloc(1, sizeof *v + (len ? len : 1)) : NULL;
    if (!v) {
        fail_set(f, ENOMEM, "%s", "");
        return NULL;
    }
    s->xattrs++;
    v->len = len;
    return v;
}

void ninep_xattr_free(struct ninep_server *s, struct ninep_fid *fid)
{
    s->xattrs -= fid->xattr != NULL;
    free(fid->xattr);
    fid->xattr = NULL;
}

/* What an attribute may be called; empty: the names of all. */
static int name_of(struct ninep_text text, char name[NS_NAME_MAX + 1], struct fail *f)
{
    if (text.len > NS_NAME_MAX)
        return fail_set(f, ERANGE, "%s", "");
    if (memchr(text.at, '\0', text.len))
        return fail_set(f, EINVAL, "%s", "");
    memcpy(name, text.at, text.len);
    name[text.len] = '\0';
    return 0;
}

/* The current value; NULL: the error is in *r. It may have grown since its length was asked for. */
static struct ninep_xattr *load_value(struct ninep_server *s, const struct ninep_fid *fid,
                                      const char *name, struct fail *f, int *r)
{
    const struct ns_served *t = &s->tree;
    struct ninep_xattr *v = new_value(s, MAX_VALUE, f);
    if (!v) {
        *r = -ENOMEM;
        return NULL;
    }
    long n = s->host->getxattr(t->files.state, fid->node->path, name, v->bytes, MAX_VALUE, f);
    if (n > MAX_VALUE)
        n = fail_set(f, EIO, "%s", "");
    if (n >= 0) {
        struct ninep_xattr *fits = realloc(v, sizeof *v + (size_t)n + 1);
        v = fits ? fits : v;
        v->len = v->have = (size_t)n;
        return v;
    }
    s->xattrs--;
    free(v);
    *r = (int)n;
    return NULL;
}

int ninep_answer_xattrwalk(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1];
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!NINEP_HAS(s, getxattr))
        return ninep_not_supported(&turn->fail);
    int r = name_of(m->name, name, &turn->fail);
    struct ninep_xattr *v = r < 0 ? NULL : load_value(s, fid, name, &turn->fail, &r);
    if (!v)
        return r;
    struct ninep_fid *to =
        ninep_fid_new(s, m->newfid, ninep_node_ref(fid->node), fid->kind, &turn->fail);
    if (!to) {
        s->xattrs--;
        free(v);
        return -EBADF;
    }
    to->uid = fid->uid;
    to->xattr = v;
    turn->reply.length = v->len;
    return 0;
}

int ninep_answer_xattrcreate(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    char name[NS_NAME_MAX + 1];
    struct ninep_fid *fid = ninep_fid_find(s, m->fid, &turn->fail);
    if (!fid)
        return -EBADF;
    if (!NINEP_HAS(s, setxattr))
        return ninep_not_supported(&turn->fail);
    if (fid->opened || fid->xattr)
        return fail_set(&turn->fail, 0, "fid is open");
    if (m->length > MAX_VALUE)
        return fail_set(&turn->fail, E2BIG, "%s", "");
    int r = ninep_may_write(s, &turn->fail);
    if (r == 0)
        r = name_of(m->name, name, &turn->fail);
    if (r < 0)
        return r;
    fid->xattr = new_value(s, (size_t)m->length, &turn->fail);
    if (!fid->xattr)
        return -ENOMEM;
    memcpy(fid->xattr->name, name, sizeof name);
    fid->xattr->flags = m->flags;
    fid->xattr->set = true;
    return 0;
}

int ninep_xattr_commit(struct ninep_server *s, struct ninep_fid *fid, struct fail *f)
{
    const struct ninep_xattr *v = fid->xattr;
    const struct ns_served *t = &s->tree;
    if (!v || !v->set)
        return 0;
    if (v->have != v->len)
        return fail_set(f, EINVAL, "%s", "");
    return s->host->setxattr(t->files.state, fid->node->path, v->name, v->bytes, v->len, v->flags,
                             f);
}

long ninep_xattr_read(const struct ninep_fid *fid, uint64_t offset, uint32_t count, struct buf *out)
{
    const struct ninep_xattr *v = fid->xattr;
    size_t have = offset < v->have ? v->have - (size_t)offset : 0;
    size_t n = have < count ? have : count;
    if (n)
        buf_add(out, v->bytes + offset, n);
    return (long)n;
}

/* One piece behind the other. */
long ninep_xattr_write(struct ninep_fid *fid, uint64_t offset, const void *bytes, size_t len,
                       struct fail *f)
{
    struct ninep_xattr *v = fid->xattr;
    if (!v->set || offset != v->have || len > v->len - v->have)
        return fail_set(f, EINVAL, "%s", "");
    if (len)
        memcpy(v->bytes + v->have, bytes, len);
    v->have += len;
    return (long)len;
}
