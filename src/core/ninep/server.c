#include "core/ninep/server.h"

#include "core/base/bytes.h"
#include "reply.h"

#include <errno.h>
#include <stdlib.h>

/* What a request must have before it is answered, looked at in this order. */
enum {
    FID = 1,    /* its fid */
    CLOSED = 2, /* which is not open, */
    DIR = 4,    /* is a directory, */
    WRITE = 8,  /* in a tree that may be changed, */
    NAME = 16,  /* and a name that a file can have */
    HOST = 32,  /* the tree is a host's */
    MAKE = FID | DIR | WRITE | NAME | HOST,
};

static const struct {
    ninep_answer *answer;
    unsigned needs;
} answers[NINEP_TYPES] = {
    [NINEP_TVERSION] = {ninep_answer_version, 0},
    [NINEP_TAUTH] = {ninep_answer_auth, 0},
    [NINEP_TATTACH] = {ninep_answer_attach, 0},
    [NINEP_TFLUSH] = {ninep_answer_flush, 0},
    [NINEP_TWALK] = {ninep_answer_walk, FID},
    [NINEP_TCLUNK] = {ninep_answer_clunk, FID},
    [NINEP_TOPEN] = {ninep_answer_open, FID},
    [NINEP_TCREATE] = {ninep_answer_create, MAKE | CLOSED},
    [NINEP_TREAD] = {ninep_answer_read, FID},
    [NINEP_TWRITE] = {ninep_answer_write, FID},
    [NINEP_TREMOVE] = {ninep_answer_remove, FID},
    [NINEP_TSTAT] = {ninep_answer_stat, FID},
    [NINEP_TWSTAT] = {ninep_answer_wstat, FID},
    [NINEP_TLOPEN] = {ninep_answer_lopen, FID},
    [NINEP_TLCREATE] = {ninep_answer_lcreate, MAKE | CLOSED},
    [NINEP_TREADDIR] = {ninep_answer_readdir, FID},
    [NINEP_TGETATTR] = {ninep_answer_getattr, FID},
    [NINEP_TSETATTR] = {ninep_answer_setattr, FID | WRITE},
    [NINEP_TSTATFS] = {ninep_answer_statfs, FID},
    [NINEP_TMKDIR] = {ninep_answer_make, MAKE},
    [NINEP_TSYMLINK] = {ninep_answer_make, MAKE},
    [NINEP_TMKNOD] = {ninep_answer_make, MAKE},
    [NINEP_TLINK] = {ninep_answer_link, MAKE},
    [NINEP_TREADLINK] = {ninep_answer_readlink, FID},
    [NINEP_TRENAME] = {ninep_answer_rename, FID | WRITE | HOST},
    [NINEP_TRENAMEAT] = {ninep_answer_renameat, MAKE},
    [NINEP_TUNLINKAT] = {ninep_answer_unlinkat, MAKE},
    [NINEP_TFSYNC] = {ninep_answer_fsync, FID},
    [NINEP_TLOCK] = {ninep_answer_lock, FID | HOST},
    [NINEP_TGETLOCK] = {ninep_answer_getlock, FID | HOST},
    [NINEP_TXATTRWALK] = {ninep_answer_xattrwalk, FID | HOST},
    [NINEP_TXATTRCREATE] = {ninep_answer_xattrcreate, FID | HOST},
};

struct ninep_server *ninep_server_new(const struct ninep_tree *tree,
                                      const struct ninep_limits *limits)
{
    struct ninep_limits l = limits ? *limits : (struct ninep_limits){0, 0, 0};
    struct ninep_server *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->tree = tree->files;
    s->host = tree->host;
    s->limits.msize = l.msize >= NINEP_MSIZE_MIN ? l.msize : NINEP_MSIZE;
    s->limits.fids = l.fids ? l.fids : NINEP_FIDS;
    s->msize = NINEP_MSIZE_FIRST;
    if (ns_waiting_init(&s->waiting, l.waiting ? l.waiting : NINEP_WAITING))
        return s;
    free(s);
    return NULL;
}

void ninep_server_peer(struct ninep_server *s, const struct ninep_peer *peer)
{
    s->peer = *peer;
}

void ninep_server_free(struct ninep_server *s)
{
    if (!s)
        return;
    ninep_drop_all(s);
    ninep_fid_free_all(s);
    ns_waiting_release(&s->waiting);
    free(s);
}

uint32_t ninep_server_msize(const struct ninep_server *s)
{
    return s->msize;
}

size_t ninep_server_out_max(const struct ninep_server *s)
{
    size_t messages = (size_t)s->msize * NINEP_OUT;
    return messages < NINEP_OUT_BYTES ? messages : NINEP_OUT_BYTES;
}

size_t ninep_server_fids(const struct ninep_server *s)
{
    return s->fid_count;
}

bool ninep_server_is_negotiated(const struct ninep_server *s)
{
    return s->versioned;
}

size_t ninep_server_waiting(const struct ninep_server *s)
{
    return s->waiting.count;
}

/* --- answers --- */

/* The tree's own error text, else the text of r. */
static void reply_failure(struct ninep_server *s, uint16_t tag, int r, struct fail *f,
                          struct buf *out)
{
    if (!f->err && !f->what[0])
        f->err = -r;
    struct ninep_msg m = {.tag = tag, .failure.code = (uint32_t)(f->err ? f->err : -r)};
    m.type = s->dialect == NINEP_L ? NINEP_RLERROR : NINEP_RERROR;
    m.failure.text = ninep_text(ns_error(f));
    ninep_write(&m, s->dialect, out);
}

static int check_needs(struct ninep_server *s, struct ninep_rpc *turn, unsigned needs)
{
    struct ninep_fid *fid = turn->fid = ninep_fid_find(s, turn->request->fid, &turn->fail);
    int r = 0;
    if (!fid)
        return -EBADF;
    if (needs & CLOSED && (fid->opened || fid->xattr))
        return fail_set(&turn->fail, 0, "fid is open");
    if (needs & DIR && fid->kind != NINEP_DIR)
        return -ENOTDIR;
    if (needs & WRITE && !s->tree.writable)
        return -EROFS;
    if (needs & NAME)
        r = ninep_check_name(turn->request->name, turn->name, &turn->fail);
    return r == 0 && needs & HOST && !s->host ? -EOPNOTSUPP : r;
}

static int answer_request(struct ninep_server *s, struct ninep_rpc *turn)
{
    const struct ninep_msg *m = turn->request;
    bool known = m->type < NINEP_TYPES && answers[m->type].answer;
    if (!known || (m->type < NINEP_TVERSION && s->dialect != NINEP_L))
        return fail_set(&turn->fail, 0, "unknown message %u", m->type);
    if (!s->versioned && m->type != NINEP_TVERSION)
        return fail_set(&turn->fail, 0, "no version was negotiated");
    int r = answers[m->type].needs ? check_needs(s, turn, answers[m->type].needs) : 0;
    return r < 0 ? r : answers[m->type].answer(s, turn);
}

/* Answers, unless it is later: then nothing was. */
static int try_once(struct ninep_server *s, const struct ninep_msg *m, struct buf *out)
{
    struct ninep_rpc turn = {.request = m, .out = out, .reply = {.type = (uint8_t)(m->type + 1)}};
    turn.reply.tag = m->tag;
    int r = answer_request(s, &turn);
    if (ns_would_block(r))
        return r;
    if (r < 0)
        reply_failure(s, m->tag, r, &turn.fail, out);
    else if (!turn.replied)
        ninep_write(&turn.reply, m->type == NINEP_TVERSION ? NINEP_PLAIN : s->dialect, out);
    return 0;
}

static void reply_error(struct ninep_server *s, uint16_t tag, int err, const char *words,
                        struct buf *out)
{
    struct fail f;
    reply_failure(s, tag, fail_set(&f, err, "%s", words), &f, out);
}

/* --- requests that are kept --- */

bool ninep_drop_kept(struct ninep_server *s, uint16_t tag)
{
    struct ns_kept *k = ns_waiting_find(&s->waiting, tag);
    if (k)
        ns_waiting_drop(&s->waiting, k);
    return k != NULL;
}

void ninep_drop_all(struct ninep_server *s)
{
    while (s->waiting.count)
        ns_waiting_drop(&s->waiting, &s->waiting.kept[s->waiting.count - 1]);
}

void ninep_refuse_kept(struct ninep_server *s, uint32_t fid, struct buf *out)
{
    struct ns_waiting *w = &s->waiting;
    for (struct ns_kept *k = w->kept; k < w->kept + w->count;) {
        if (k->object == fid) {
            reply_error(s, (uint16_t)k->id, EINTR, "", out);
            ns_waiting_drop(w, k); /* those behind move up */
        } else {
            k++;
        }
    }
}

static bool is_full(const struct ninep_server *s, const struct buf *out)
{
    return out->len >= ninep_server_out_max(s);
}

static int out_error(const struct buf *out, struct fail *f)
{
    return buf_error(out) ? fail_set(f, ENOMEM, "9P answers") : 0;
}

struct retry {
    struct ninep_server *s;
    struct buf *out;
};

static int retry_one(void *arg, struct ns_kept *k)
{
    const struct retry *r = arg;
    struct ninep_msg m;
    if (is_full(r->s, r->out))
        return 1;
    ninep_read(k->bytes, k->len, r->s->dialect, &m);
    return ns_would_block(try_once(r->s, &m, r->out));
}

int ninep_server_retry(struct ninep_server *s, struct buf *out, struct fail *f)
{
    ns_waiting_retry(&s->waiting, retry_one, &(struct retry){s, out});
    return out_error(out, f);
}

static int handle_of(const void *server, const struct ns_kept *k)
{
    const struct ninep_server *s = server;
    struct ninep_fid *fid = ninep_fid_at(s, k->object);
    return fid && fid->opened ? ns_handle(&fid->open) : -1;
}

size_t ninep_server_handles(const struct ninep_server *s, int *handle, size_t cap)
{
    return ns_waiting_handles(&s->waiting, handle_of, s, handle, cap);
}

/* --- requests as they come --- */

static void handle_message(struct ninep_server *s, const uint8_t *bytes, size_t len,
                           struct buf *out)
{
    struct ninep_msg m;
    enum ninep_dialect dialect = bytes[4] == NINEP_TVERSION ? NINEP_PLAIN : s->dialect;
    if (ninep_read(bytes, len, dialect, &m) < 0)
        reply_error(s, m.tag, EPROTO, "", out);
    else if (ns_waiting_find(&s->waiting, m.tag) && m.type != NINEP_TVERSION)
        reply_error(s, m.tag, 0, "tag in use", out);
    else if (ns_would_block(try_once(s, &m, out)) &&
             !ns_waiting_keep(&s->waiting, m.tag, m.fid, bytes, len))
        reply_error(s, m.tag, 0, "too many requests are pending", out);
}

long ninep_server_serve(struct ninep_server *s, const void *bytes, size_t len, struct buf *out,
                        struct fail *f)
{
    const uint8_t *b = bytes;
    size_t used = 0;
    while (!is_full(s, out) && !buf_error(out)) {
        long n = ninep_message_size(b + used, len - used, s->msize);
        if (n < 0)
            return fail_set(f, EPROTO, "9P message of %u bytes", get_le32(b + used));
        if (n == 0 || (size_t)n > len - used)
            break;
        handle_message(s, b + used, (size_t)n, out);
        used += (size_t)n;
    }
    int r = out_error(out, f);
    return r < 0 ? r : (long)used;
}
