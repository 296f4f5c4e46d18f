#include "core/ninep/client.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>

enum { NO_UID = UINT32_MAX, MAX_ERRNO = 4095 };
enum state { FRESH, VERSIONED, ATTACHED, ENDED };

struct request {
    bool used;
    bool flushed; /* abandoned, but its tag is in use until the flush is answered */
    uint8_t type; /* flushes and clunks have no call back */
    uint16_t oldtag;
    uint32_t fid;
    ninep_done *done; /* NULL: of no interest */
    void *arg;
};

struct ninep_client {
    enum state state;
    enum ninep_dialect dialect; /* asked for, or agreed on */
    uint32_t msize;
    struct buf out;
    struct request request[NINEP_TAGS];
    size_t pending;
    uint32_t *free_fid; /* numbers below next_fid that are free */
    size_t free_fids, free_cap;
    uint32_t next_fid;
    char *uname, *aname;
    uint32_t uid;        /* NO_UID: it has the name alone */
    struct fail failure; /* it has ended */
};

static void send_version(struct ninep_client *c)
{
    struct ninep_msg m = {.type = NINEP_TVERSION,
                          .tag = NINEP_NOTAG,
                          .session.msize = c->msize,
                          .session.version = ninep_text(ninep_dialect_name(c->dialect))};
    ninep_write(&m, NINEP_PLAIN, &c->out);
}

static void send_attach(struct ninep_client *c)
{
    bool numbered = c->dialect == NINEP_L && c->uid != NO_UID;
    struct ninep_msg m = {.type = NINEP_TATTACH,
                          .tag = NINEP_NOTAG,
                          .newfid = NINEP_ROOT,
                          .fid = NINEP_NOFID,
                          .session.uname = ninep_text(numbered ? "" : c->uname),
                          .session.aname = ninep_text(c->aname),
                          .session.uid = c->uid};
    ninep_write(&m, c->dialect, &c->out);
}

struct ninep_client *ninep_client_new(uint32_t msize, const char *uname, const char *aname)
{
    struct ninep_client *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->msize = msize ? msize : NINEP_CLIENT_MSIZE;
    c->uid = NO_UID;
    c->uname = strdup(uname);
    c->aname = strdup(aname);
    c->next_fid = NINEP_ROOT + 1;
    if (c->uname && c->aname)
        send_version(c);
    if (c->uname && c->aname && !buf_error(&c->out))
        return c;
    ninep_client_free(c);
    return NULL;
}

void ninep_client_set_uid(struct ninep_client *c, uint32_t uid)
{
    c->uid = uid;
}

void ninep_client_free(struct ninep_client *c)
{
    if (!c)
        return;
    buf_release(&c->out);
    free(c->free_fid);
    free(c->uname);
    free(c->aname);
    free(c);
}

int ninep_client_ready(const struct ninep_client *c, struct fail *f)
{
    if (c->state != ENDED)
        return c->state == ATTACHED;
    if (f)
        *f = c->failure;
    return c->failure.err ? -c->failure.err : -EPROTO;
}

struct buf *ninep_client_out(struct ninep_client *c)
{
    return &c->out;
}

uint32_t ninep_client_msize(const struct ninep_client *c)
{
    return c->msize;
}

enum ninep_dialect ninep_client_dialect(const struct ninep_client *c)
{
    return c->dialect;
}

size_t ninep_client_pending(const struct ninep_client *c)
{
    return c->pending;
}

/* --- fids --- */

/* A number is made only when it can be given back. */
int64_t ninep_client_alloc_fid(struct ninep_client *c)
{
    if (c->free_fids)
        return c->free_fid[--c->free_fids];
    if (c->next_fid == NINEP_CLIENT_FIDS ||
        !grow(&c->free_fid, &c->free_cap, c->next_fid, sizeof *c->free_fid))
        return -ENFILE;
    return c->next_fid++;
}

void ninep_client_fid_free(struct ninep_client *c, uint32_t fid)
{
    if (fid != NINEP_ROOT && c->free_fids < c->free_cap)
        c->free_fid[c->free_fids++] = fid;
}

/* --- requests --- */

static int free_tag(const struct ninep_client *c)
{
    int tag = 0;
    while (tag < NINEP_TAGS && c->request[tag].used)
        tag++;
    return tag;
}

static int send_request(struct ninep_client *c, const struct ninep_msg *m, struct request r,
                        struct fail *f)
{
    int tag = free_tag(c);
    size_t before = c->out.len;
    struct ninep_msg tagged = *m;
    if (tag == NINEP_TAGS)
        return fail_set(f, EBUSY, "9P");
    tagged.tag = (uint16_t)tag;
    if (ninep_write(&tagged, c->dialect, &c->out) < 0)
        return fail_set(f, EINVAL, "9P");
    if (buf_error(&c->out))
        return fail_set(f, ENOMEM, "9P");
    if (c->out.len - before > c->msize) {
        c->out.len = before;
        return fail_set(f, EMSGSIZE, "9P");
    }
    r.used = true;
    r.type = m->type;
    c->request[tag] = r;
    c->pending++;
    return tag;
}

int ninep_client_request(struct ninep_client *c, const struct ninep_msg *request, ninep_done *done,
                         void *arg, struct fail *f)
{
    int r = ninep_client_ready(c, f);
    if (r <= 0)
        return r < 0 ? r : fail_set(f, EAGAIN, "9P");
    return send_request(c, request, (struct request){.done = done, .arg = arg}, f);
}

void ninep_client_flush(struct ninep_client *c, int tag)
{
    struct request *r = &c->request[tag];
    r->done = NULL;
    r->arg = NULL;
    struct ninep_msg m = {.type = NINEP_TFLUSH, .oldtag = (uint16_t)tag};
    if (c->state == ATTACHED)
        r->flushed = send_request(c, &m, (struct request){.oldtag = (uint16_t)tag}, NULL) >= 0;
}

void ninep_client_forget(struct ninep_client *c, const void *arg)
{
    for (int tag = 0; tag < NINEP_TAGS; tag++)
        if (c->request[tag].arg == arg)
            c->request[tag].done = NULL;
}

/* When it cannot be asked for, the fid is lost until the connection ends. */
void ninep_client_clunk(struct ninep_client *c, uint32_t fid)
{
    struct ninep_msg m = {.type = NINEP_TCLUNK, .fid = fid};
    if (c->state == ATTACHED)
        send_request(c, &m, (struct request){.fid = fid}, NULL);
}

/* Whatever a clunk is answered, the fid is gone. */
static void end_request(struct ninep_client *c, int tag)
{
    if (c->request[tag].used)
        c->pending--;
    if (c->request[tag].type == NINEP_TCLUNK)
        ninep_client_fid_free(c, c->request[tag].fid);
    c->request[tag] = (struct request){.used = false};
}

/* --- replies --- */

static int fail_protocol(struct fail *f, const char *reason)
{
    return fail_set(f, EPROTO, "9P: %s", reason);
}

static bool is_error(const struct ninep_msg *m)
{
    return m->type == NINEP_RERROR || m->type == NINEP_RLERROR;
}

static int fail_from_reply(const struct ninep_msg *m, struct fail *f)
{
    if (m->type == NINEP_RLERROR)
        return fail_set(
            f, m->failure.code && m->failure.code <= MAX_ERRNO ? (int)m->failure.code : EIO, "9P");
    return fail_set(f, ninep_errno(m->failure.text), "%.*s", m->failure.text.len,
                    m->failure.text.at);
}

/* Who knows nothing of 9P2000 is asked for Linux's. */
static int handle_version(struct ninep_client *c, const struct ninep_msg *m, struct fail *f)
{
    enum ninep_dialect d;
    bool known = m->type == NINEP_RVERSION && ninep_dialect(m->session.version, &d);
    if (!known && c->dialect == NINEP_PLAIN) {
        c->dialect = NINEP_L;
        send_version(c);
        return 0;
    }
    if (is_error(m))
        return fail_from_reply(m, f);
    if (!known || d != c->dialect)
        return fail_protocol(f, "the server does not speak 9P2000");
    if (m->session.msize > c->msize || m->session.msize <= 2 * NINEP_IO_HEAD)
        return fail_protocol(f, "the server's msize");
    c->msize = m->session.msize;
    c->state = VERSIONED;
    send_attach(c);
    return 0;
}

static int handle_attach(struct ninep_client *c, const struct ninep_msg *m, struct fail *f)
{
    if (is_error(m))
        return fail_from_reply(m, f);
    if (m->type != NINEP_RATTACH)
        return fail_protocol(f, "the reply to attach");
    c->state = ATTACHED;
    return 0;
}

static int handle_reply(struct ninep_client *c, const struct ninep_msg *m, struct fail *f)
{
    if (m->tag >= NINEP_TAGS || !c->request[m->tag].used)
        return fail_protocol(f, "a reply to no request");
    struct request r = c->request[m->tag];
    struct fail said;
    bool error = is_error(m);
    if (!error && m->type != r.type + 1)
        return fail_protocol(f, "a reply of another kind");
    if (r.flushed)
        return 0;
    end_request(c, m->tag);
    if (r.type == NINEP_TFLUSH)
        end_request(c, r.oldtag);
    if (error)
        fail_from_reply(m, &said);
    if (r.done)
        r.done(r.arg, error ? NULL : m, error ? &said : NULL);
    return 0;
}

static int handle_message(struct ninep_client *c, const uint8_t *bytes, size_t len, struct fail *f)
{
    struct ninep_msg m;
    if (ninep_read(bytes, len, c->dialect, &m) < 0)
        return fail_protocol(f, "a malformed reply");
    switch (c->state) {
    case FRESH:
        return handle_version(c, &m, f);
    case VERSIONED:
        return handle_attach(c, &m, f);
    case ATTACHED:
        return handle_reply(c, &m, f);
    case ENDED:
        break;
    }
    return ninep_client_ready(c, f);
}

long ninep_client_receive(struct ninep_client *c, const void *bytes, size_t len, struct fail *f)
{
    const uint8_t *b = bytes;
    struct fail failure = {.err = 0};
    size_t used = 0;
    int r = c->state == ENDED ? ninep_client_ready(c, &failure) : 0;
    while (r == 0) {
        long n = ninep_message_size(b + used, len - used, c->msize);
        if (n == 0 || n > (long)(len - used))
            return (long)used;
        r = n < 0 ? fail_protocol(&failure, "a reply's size")
                  : handle_message(c, b + used, (size_t)n, &failure);
        used += n > 0 ? (size_t)n : 0;
    }
    ninep_client_hangup(c, &failure);
    if (f)
        *f = failure;
    return r;
}

void ninep_client_hangup(struct ninep_client *c, const struct fail *failure)
{
    if (c->state == ENDED)
        return;
    c->state = ENDED;
    c->failure = *failure;
    for (int tag = 0; tag < NINEP_TAGS; tag++) {
        struct request r = c->request[tag];
        end_request(c, tag);
        if (r.done)
            r.done(r.arg, NULL, failure);
    }
}
