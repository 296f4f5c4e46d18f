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

static struct ninep_xattr *new_value(struct ninep_server *s, size_t len)
{
    struct ninep_xattr *v = s->xattrs < MAX_VALUES ? calloc(1, sizeof *v + (len ? len : 1)) : NULL;
    if (!v)
        return NULL;
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
static int read_name(struct ninep_rpc *turn)
{
    struct ninep_text text = turn->request->name;
    if (text.len > NS_NAME_MAX)
        return -ERANGE;
    if (memchr(text.at, '\0', text.len))
        return -EINVAL;
    memcpy(turn->name, text.at, text.len);
    turn->name[text.len] = '\0';
    return 0;
}

/* The current value; NULL: the error is in *r. It may have grown since its length was asked for. */
static struct ninep_xattr *load_value(struct ninep_server *s, const struct ninep_rpc *turn, int *r)
{
    struct ninep_xattr *v = new_value(s, MAX_VALUE);
    if (!v) {
        *r = -ENOMEM;
        return NULL;
    }
    long n = s->host->getxattr(s->tree.files.state, turn->fid->node->path, turn->name, v->bytes,
                               MAX_VALUE);
    if (n > MAX_VALUE)
        n = -EIO;
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
    int r = read_name(turn);
    struct ninep_xattr *v = r < 0 ? NULL : load_value(s, turn, &r);
    if (!v)
        return r;
    struct ninep_fid *to = ninep_fid_new(s, turn, ninep_node_ref(turn->fid->node), turn->fid->kind);
    if (!to) {
        s->xattrs--;
        free(v);
        return -EBADF;
    }
    to->xattr = v;
    turn->reply.length = v->len;
    return 0;
}

int ninep_answer_xattrcreate(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_fid *fid = turn->fid;
    if (fid->opened || fid->xattr)
        return fail_set(&turn->fail, 0, "fid is open");
    if (m->length > MAX_VALUE)
        return -E2BIG;
    int r = s->tree.writable ? read_name(turn) : -EROFS;
    if (r < 0)
        return r;
    fid->xattr = new_value(s, (size_t)m->length);
    if (!fid->xattr)
        return -ENOMEM;
    memcpy(fid->xattr->name, turn->name, sizeof turn->name);
    fid->xattr->flags = m->flags;
    fid->xattr->set = true;
    return 0;
}

int ninep_xattr_commit(struct ninep_server *s, struct ninep_fid *fid)
{
    const struct ninep_xattr *v = fid->xattr;
    if (!v || !v->set)
        return 0;
    if (v->have != v->len)
        return -EINVAL;
    return s->host->setxattr(s->tree.files.state, fid->node->path, v->name, v->bytes, v->len,
                             v->flags);
}

long ninep_xattr_read(const struct ninep_rpc *turn, uint32_t count)
{
    const struct ninep_xattr *v = turn->fid->xattr;
    uint64_t offset = turn->request->offset;
    size_t have = offset < v->have ? v->have - (size_t)offset : 0;
    size_t n = have < count ? have : count;
    if (n)
        buf_add(turn->out, v->bytes + offset, n);
    return (long)n;
}

/* One piece behind the other. */
long ninep_xattr_write(const struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_xattr *v = turn->fid->xattr;
    if (!v->set || m->offset != v->have || m->count > v->len - v->have)
        return -EINVAL;
    if (m->count)
        memcpy(v->bytes + v->have, m->data, m->count);
    v->have += m->count;
    return (long)m->count;
}
