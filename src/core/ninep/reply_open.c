/* open, create, read, write, remove: what is done with one file's contents. */
#include "reply.h"

#include "core/base/bytes.h"

#include <errno.h>

/* Of .L's flags, which are Linux' on most machines. */
enum {
    L_ACCESS = 3,
    L_EXCLUSIVE = 0200,
    L_TRUNCATE = 01000,
    L_APPEND = 02000,
    L_DATA_SYNC = 010000,
    L_DIRECTORY = 0200000,
    L_SYNC = 04000000
};

uint32_t ninep_max_count(const struct ninep_server *s, uint32_t count)
{
    uint32_t max_count = s->msize - NINEP_IO_HEAD;
    return count < max_count ? count : max_count;
}

/* How a file is opened, as core/ns/ns.h says it. */
static unsigned how_of(uint8_t how)
{
    unsigned access = how & NS_ACCESS;
    return (access == NINEP_EXEC ? NS_READ : access) | (how & NS_TRUNCATE);
}

static unsigned how_of_flags(uint32_t flags)
{
    unsigned access = flags & L_ACCESS;
    return (access == L_ACCESS ? NS_BOTH : access) | (flags & L_TRUNCATE ? NS_TRUNCATE : 0) |
           (flags & L_APPEND ? NINEP_APPENDS : 0) |
           (flags & (L_SYNC | L_DATA_SYNC) ? NINEP_SYNCS : 0);
}

static int open_file(struct ninep_server *s, struct ninep_fid *fid, unsigned how, struct fail *f)
{
    if (fid->opened || fid->xattr)
        return fail_set(f, 0, "fid is open");
    int r = ninep_may_open(s, fid->node->path, how, f);
    if (r == 0)
        r = ns_served_open(&s->tree, fid->node->path, fid->kind == NINEP_DIR, how, &fid->open, f);
    fid->opened = r == 0;
    fid->at = (struct ninep_at){0, 0};
    return r;
}

static int reply_opened(struct ninep_server *s, struct ninep_rpc *turn)
{
    turn->reply.iounit = s->msize - NINEP_IO_HEAD;
    int r = ninep_qid_of(s, turn->fid->node->path, &turn->reply.qid, &turn->fail);
    if (r < 0)
        ninep_fid_close(s, turn->fid);
    return r;
}

int ninep_answer_open(struct ninep_server *s, struct ninep_rpc *turn)
{
    bool removes = turn->request->how & NINEP_REMOVE_ON_CLOSE;
    if (removes && !s->tree.writable)
        return -EROFS;
    int r = open_file(s, turn->fid, how_of(turn->request->how), &turn->fail);
    if (r == 0)
        r = reply_opened(s, turn);
    if (r == 0)
        turn->fid->remove_on_close = removes;
    return r;
}

int ninep_answer_lopen(struct ninep_server *s, struct ninep_rpc *turn)
{
    uint32_t flags = turn->request->flags;
    if (flags & L_DIRECTORY && turn->fid->kind != NINEP_DIR)
        return -ENOTDIR;
    int r = open_file(s, turn->fid, how_of_flags(flags), &turn->fail);
    return r < 0 ? r : reply_opened(s, turn);
}

/* --- create: the fid becomes the new file, open --- */

static void move_fid(struct ninep_server *s, struct ninep_fid *fid, struct ninep_node *node)
{
    ninep_node_unref(s, fid->node);
    fid->node = node;
    fid->kind = NINEP_FILE;
}

static int create_file(struct ninep_server *s, struct ninep_rpc *turn,
                       const struct ninep_new_file *new, unsigned how)
{
    const struct ns_served *t = &s->tree;
    struct ninep_fid *fid = turn->fid;
    uint64_t path = 0;
    void *file = NULL;
    int r = s->host->create(t->files.state, fid->node->path, turn->name, new, how, &path, &file);
    if (r < 0)
        return r;
    struct ninep_node *node = ninep_node_new(s, fid->node, path, &turn->fail);
    if (!node) {
        t->files.calls->close(t->files.state, file, path);
        return -ENFILE;
    }
    move_fid(s, fid, node);
    fid->open = (struct ns_file){t->files, file, path, how};
    fid->opened = true;
    return 0;
}

/* A directory, and in .u a symbolic link: made, and then opened when it can be. */
static int create_other(struct ninep_server *s, struct ninep_rpc *turn,
                        const struct ninep_new_file *new, unsigned how)
{
    struct ninep_fid *fid = turn->fid;
    uint64_t path = 0;
    int r = s->host->make(s->tree.files.state, fid->node->path, turn->name, new, &path);
    if (r < 0)
        return r;
    struct ninep_node *node = ninep_node_new(s, fid->node, path, &turn->fail);
    if (!node)
        return -ENFILE;
    move_fid(s, fid, node);
    fid->kind = ninep_kind_of_mode(new->mode);
    return fid->kind == NINEP_DIR ? open_file(s, fid, how, &turn->fail) : 0;
}

/* 9P2000 (open(5)): a new file never has more permissions than its directory. Clients of .u have a
 * umask instead. */
static int limit_mode(struct ninep_server *s, const struct ninep_fid *directory,
                      struct ninep_new_file *made, struct fail *f)
{
    struct ns_attr above;
    if (s->dialect != NINEP_PLAIN)
        return 0;
    int r = ninep_attr_of(s, NULL, directory->node->path, &above, f);
    uint32_t limited = (made->mode & NS_S_KIND) == NS_S_DIR ? 0777 : 0666;
    if (r == 0)
        made->mode &= ~limited | (above.mode & limited);
    return r;
}

/* What 9P2000 and .u make: kinds by the mode's high bits. Devices are described as in 9P2000.u. */
static int new_of_mode(const struct ninep_msg *m, enum ninep_dialect dialect,
                       char target[NS_PATH_MAX + 1], struct ninep_new_file *out)
{
    uint32_t kind = m->create.mode & NINEP_DMDIR    ? NS_S_DIR
                    : m->create.mode & NINEP_DMLINK ? NS_S_LINK
                    : m->create.mode & NINEP_DMPIPE ? NS_S_FIFO
                                                    : NS_S_FILE;
    *out = (struct ninep_new_file){.mode = kind | ninep_mode_bits(m->create.mode, dialect),
                                   .gid = UINT32_MAX,
                                   .target = target,
                                   .exclusive = true};
    if (m->create.mode & (NINEP_DMDEVICE | NINEP_DMSOCKET))
        return -EOPNOTSUPP;
    return ninep_copy_target(m->create.target, target);
}

int ninep_answer_create(struct ninep_server *s, struct ninep_rpc *turn)
{
    char target[NS_PATH_MAX + 1];
    struct ninep_new_file new;
    int r = new_of_mode(turn->request, s->dialect, target, &new);
    if (r == 0)
        r = limit_mode(s, turn->fid, &new, &turn->fail);
    if (r < 0)
        return r;
    new.mode = ninep_allowed_mode(s, new.mode);
    bool plain = (new.mode &NS_S_KIND) == NS_S_FILE;
    r = (plain ? create_file : create_other)(s, turn, &new, how_of(turn->request->how));
    if (r == 0)
        r = reply_opened(s, turn);
    if (r == 0)
        turn->fid->remove_on_close = turn->request->how & NINEP_REMOVE_ON_CLOSE;
    return r;
}

int ninep_answer_lcreate(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    uint32_t mode = ninep_allowed_mode(s, NS_S_FILE | (m->create.mode & 07777));
    const struct ninep_new_file new = {.mode = mode,
                                       .gid = ninep_allowed_gid(s, m->create.gid),
                                       .exclusive = m->flags & L_EXCLUSIVE};
    int r = create_file(s, turn, &new, how_of_flags(m->flags));
    return r < 0 ? r : reply_opened(s, turn);
}

/* --- read, write, remove --- */

size_t ninep_begin_data(struct ninep_rpc *turn)
{
    static const char head[NINEP_HEAD + 4];
    size_t start = turn->out->len;
    buf_add(turn->out, head, sizeof head);
    return start;
}

int ninep_finish_data(struct ninep_rpc *turn, size_t start, long n)
{
    if (buf_error(turn->out))
        return -ENOMEM;
    if (n < 0) {
        turn->out->len = start;
        return (int)n;
    }
    struct buf *out = turn->out;
    uint32_t size = (uint32_t)(out->len - start);
    char *b = out->data + start;
    put_le32(b, size);
    b[4] = (char)turn->reply.type;
    put_le16(b + 5, turn->reply.tag);
    put_le32(b + NINEP_HEAD, size - NINEP_HEAD - 4);
    turn->replied = true;
    return 0;
}

/* Straight into the answer. */
static long read_file(struct ninep_rpc *turn, uint32_t count)
{
    char *to = buf_reserve(turn->out, count);
    if (!to)
        return -ENOMEM;
    long n = ns_read(&turn->fid->open, turn->request->offset, to, count, &turn->fail);
    if (n > (long)count)
        return -EIO;
    if (n >= 0)
        buf_commit(turn->out, (size_t)n);
    return n;
}

int ninep_answer_read(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_fid *fid = turn->fid;
    uint32_t count = ninep_max_count(s, turn->request->count);
    if (!fid->xattr && (!fid->opened || (fid->open.how & NS_ACCESS) == NS_WRITE))
        return -EBADF;
    size_t start = ninep_begin_data(turn);
    long n = fid->xattr               ? ninep_xattr_read(turn, count)
             : fid->kind == NINEP_DIR ? ninep_read_records(s, turn, count)
                                      : read_file(turn, count);
    return ninep_finish_data(turn, start, n);
}

int ninep_answer_write(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    struct ninep_fid *fid = turn->fid;
    if (!fid->xattr && !fid->opened)
        return -EBADF;
    long n = fid->xattr ? ninep_xattr_write(turn)
                        : ns_write(&fid->open, m->offset, m->data, m->count, &turn->fail);
    turn->reply.count = n < 0 ? 0 : (uint32_t)n;
    return n < 0 ? (int)n : 0;
}

/* The fid is gone, whether the file is or not. */
int ninep_answer_remove(struct ninep_server *s, struct ninep_rpc *turn)
{
    struct ninep_fid *fid = turn->fid;
    int r = !s->tree.writable ? -EROFS
            : s->host         ? s->host->remove(s->tree.files.state, fid->node->path)
                              : -EPERM;
    if (ns_would_block(r))
        return r;
    ninep_refuse_kept(s, fid->number, turn->out);
    fid->remove_on_close = false;
    ninep_fid_free(s, fid);
    return r;
}
