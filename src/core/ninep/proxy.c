#include "core/ninep/proxy.h"

#include "core/containers/imap.h"
#include "core/ns/ns.h"
#include "frames.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERROR = 255 }; /* bytes of a server's error text that are shown */

/* A request that has no reply yet. */
struct pending_request {
    uint8_t type;
    uint16_t oldtag, names;
    uint32_t fid, newfid, size;
    uint64_t start_ns;
    char *path; /* where it leads, when it is a walk, create or rename; NULL: unknown */
};

/* The file of a fid. */
struct watched {
    char *path; /* NULL: not known */
    int file;   /* of io_counts; negative: none */
    bool opened, did_io;
};

struct ninep_proxy {
    struct io_counts *counts;
    struct imap fids; /* number -> struct watched * */
    size_t fid_count;
    struct imap pending; /* tag -> struct pending_request * */
    struct ninep_frames request, reply;
    enum ninep_dialect dialect;
    uint32_t msize; /* agreed on */
    bool lost;
    uint64_t unread;
    ninep_proxy_done_fn *on_done; /* NULL: none */
    void *arg;
};

static const uint8_t counted_as[NINEP_TYPES] = {
    [NINEP_TVERSION] = IO_VERSION, [NINEP_TAUTH] = IO_AUTH,     [NINEP_TATTACH] = IO_ATTACH,
    [NINEP_TFLUSH] = IO_FLUSH,     [NINEP_TWALK] = IO_WALK,     [NINEP_TXATTRWALK] = IO_WALK,
    [NINEP_TOPEN] = IO_OPEN,       [NINEP_TLOPEN] = IO_OPEN,    [NINEP_TCREATE] = IO_CREATE,
    [NINEP_TLCREATE] = IO_CREATE,  [NINEP_TMKDIR] = IO_CREATE,  [NINEP_TSYMLINK] = IO_CREATE,
    [NINEP_TMKNOD] = IO_CREATE,    [NINEP_TLINK] = IO_CREATE,   [NINEP_TXATTRCREATE] = IO_CREATE,
    [NINEP_TREAD] = IO_READ,       [NINEP_TREADDIR] = IO_READ,  [NINEP_TWRITE] = IO_WRITE,
    [NINEP_TCLUNK] = IO_CLUNK,     [NINEP_TREMOVE] = IO_REMOVE, [NINEP_TUNLINKAT] = IO_REMOVE,
    [NINEP_TSTAT] = IO_STAT,       [NINEP_TGETATTR] = IO_STAT,  [NINEP_TREADLINK] = IO_STAT,
    [NINEP_TSTATFS] = IO_STAT,     [NINEP_TGETLOCK] = IO_STAT,  [NINEP_TWSTAT] = IO_WSTAT,
    [NINEP_TSETATTR] = IO_WSTAT,   [NINEP_TRENAME] = IO_WSTAT,  [NINEP_TRENAMEAT] = IO_WSTAT,
    [NINEP_TFSYNC] = IO_WSTAT,     [NINEP_TLOCK] = IO_WSTAT,
};

/* --- the files of fids --- */

static size_t parent_len(const char *path, size_t len)
{
    while (len && path[--len] != '/')
        ;
    return len;
}

/* "" is the root. */
static bool add_names(char path[NS_PATH_MAX + 1], size_t len, const struct ninep_text *names,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ninep_text t = names[i];
        if (ninep_text_equals(t, "..")) {
            len = parent_len(path, len);
            continue;
        }
        if (t.len >= NS_PATH_MAX - len)
            return false;
        path[len++] = '/';
        memcpy(path + len, t.at, t.len);
        len += t.len;
    }
    path[len] = '\0';
    return true;
}

/* The path that names below a fid's lead to, ".." by the letters: the caller frees it. NULL: not
 * known, too long, or no memory. */
static char *path_below(const struct ninep_proxy *p, uint32_t fid, const struct ninep_text *names,
                        size_t count)
{
    const struct watched *from = imap_pointer(&p->fids, fid);
    char path[NS_PATH_MAX + 1];
    if (!from || !from->path)
        return NULL;
    size_t len = strlen(from->path);
    memcpy(path, from->path, len + 1);
    return add_names(path, len, names, count) ? strdup(path) : NULL;
}

/* Of a fid, "" the root's; NULL: not known. Holds until the fid walks or is gone. */
static const char *name_of(const struct ninep_proxy *p, uint32_t fid)
{
    const struct watched *f = imap_pointer(&p->fids, fid);
    return f ? f->path : NULL;
}

static void free_watched(struct ninep_proxy *p, struct watched *f, bool removed)
{
    if (p->counts && f->opened && !removed)
        io_counts_closed(p->counts, f->file, f->did_io);
    free(f->path);
    free(f);
    p->fid_count--;
}

/* A file that was removed is no row of the report. */
static void drop_file(struct ninep_proxy *p, uint32_t fid, bool removed)
{
    struct watched *f = imap_take_pointer(&p->fids, fid);
    if (f)
        free_watched(p, f, removed);
}

static void drop_all(struct ninep_proxy *p)
{
    struct watched *f;
    for (size_t i = 0; (f = imap_next_pointer(&p->fids, &i));)
        free_watched(p, f, false);
    imap_release(&p->fids);
}

/* Takes over path. A fid that walks becomes another file's; one that was opened is not moved, but
 * created in. */
static void note_walked(struct ninep_proxy *p, uint32_t fid, char *path)
{
    drop_file(p, fid, false);
    struct watched *f = p->fid_count < NINEP_WATCHED_FIDS ? calloc(1, sizeof *f) : NULL;
    if (f && imap_set_pointer(&p->fids, fid, f)) {
        p->fid_count++;
        *f = (struct watched){.path = path, .file = -1};
        return;
    }
    free(f);
    free(path);
}

static void note_opened(struct ninep_proxy *p, uint32_t fid)
{
    struct watched *f = imap_pointer(&p->fids, fid);
    if (!f)
        return;
    const char *path = !f->path ? NULL : f->path[0] ? f->path : "/";
    f->opened = true;
    f->file = path && p->counts ? io_counts_file(p->counts, path, strlen(path)) : -1;
}

static int mark_used(struct ninep_proxy *p, uint32_t fid)
{
    struct watched *f = imap_pointer(&p->fids, fid);
    if (!f)
        return -1;
    f->did_io = true;
    return f->file;
}

static void note_read(struct ninep_proxy *p, uint32_t fid, uint64_t bytes)
{
    if (p->counts)
        io_counts_read(p->counts, mark_used(p, fid), bytes);
}

static void note_written(struct ninep_proxy *p, uint32_t fid, uint64_t bytes)
{
    if (p->counts)
        io_counts_written(p->counts, mark_used(p, fid), bytes);
}

/* --- itself --- */

struct ninep_proxy *ninep_proxy_new(struct io_counts *counts)
{
    struct ninep_proxy *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->counts = counts;
    p->msize = UINT32_MAX;
    return p;
}

static void drop_request(struct pending_request *a)
{
    if (a)
        free(a->path);
    free(a);
}

void ninep_proxy_free(struct ninep_proxy *p)
{
    if (!p)
        return;
    struct pending_request *a;
    for (size_t i = 0; (a = imap_next_pointer(&p->pending, &i));)
        drop_request(a);
    imap_release(&p->pending);
    drop_all(p);
    free(p);
}

void ninep_proxy_count(struct ninep_proxy *p, struct io_counts *counts)
{
    struct watched *f;
    p->counts = counts;
    for (size_t i = 0; (f = imap_next_pointer(&p->fids, &i));)
        f->file = -1;
}

void ninep_proxy_end(struct ninep_proxy *p)
{
    drop_all(p);
    p->counts = NULL;
}

void ninep_proxy_on_done(struct ninep_proxy *p, ninep_proxy_done_fn *on_done, void *arg)
{
    p->on_done = on_done;
    p->arg = arg;
}

bool ninep_proxy_lost(const struct ninep_proxy *p)
{
    return p->lost;
}

uint64_t ninep_proxy_unread(const struct ninep_proxy *p)
{
    return p->unread;
}

/* --- requests --- */

/* Where the fid will be when the request is granted. */
static char *path_of_request(const struct ninep_proxy *p, const struct ninep_msg *m)
{
    switch (m->type) {
    case NINEP_TWALK:
        return path_below(p, m->fid, m->walk.name, m->walk.count);
    case NINEP_TCREATE:
    case NINEP_TLCREATE:
        return path_below(p, m->fid, &m->name, 1);
    default:
        return NULL;
    }
}

static void add_request(struct ninep_proxy *p, const struct pending_request *a, uint16_t tag)
{
    struct pending_request *copy = malloc(sizeof *copy);
    drop_request(imap_take_pointer(&p->pending, tag));
    if (copy && imap_set_pointer(&p->pending, tag, copy)) {
        *copy = *a;
        return;
    }
    free(copy);
    free(a->path);
    p->unread++;
}

static void handle_request(struct ninep_proxy *p, uint64_t now_ns)
{
    struct ninep_msg m;
    struct ninep_frames *s = &p->request;
    enum ninep_dialect dialect = s->kept[4] == NINEP_TVERSION ? NINEP_PLAIN : p->dialect;
    struct pending_request a = {
        .type = s->kept[4], .size = s->size, .start_ns = now_ns, .fid = NINEP_NOFID};
    if (ninep_frames_read(s, dialect, &m) == 0) {
        a.fid = m.fid;
        a.newfid = m.newfid;
        a.oldtag = m.oldtag;
        a.names = m.walk.count;
        a.path = path_of_request(p, &m);
    } else {
        p->unread++;
    }
    add_request(p, &a, m.tag);
}

/* --- replies --- */

static void report_done(const struct ninep_proxy *p, const struct pending_request *a,
                        const struct io_done *done, const char *error)
{
    const char *path = a->path ? a->path : name_of(p, a->fid);
    p->on_done(p->arg, done, path && !*path ? "/" : path, error);
}

/* error NULL: it was granted. */
static void count_request(struct ninep_proxy *p, const struct pending_request *a, const char *error,
                          uint32_t reply, uint64_t now_ns)
{
    const struct io_done done = {.message = counted_as[a->type],
                                 .error = error,
                                 .start_ns = a->start_ns,
                                 .end_ns = now_ns,
                                 .request = a->size,
                                 .reply = reply};
    if (p->counts)
        io_counts_done(p->counts, &done);
    if (p->counts && p->on_done)
        report_done(p, a, &done, error);
}

/* Its reply will not come. */
static void handle_flushed(struct ninep_proxy *p, uint16_t oldtag, uint64_t now_ns)
{
    struct pending_request *a = imap_take_pointer(&p->pending, oldtag);
    if (a)
        count_request(p, a, "flushed", 0, now_ns);
    drop_request(a);
}

static void set_walked(struct ninep_proxy *p, struct pending_request *a, uint32_t fid)
{
    note_walked(p, fid, a->path);
    a->path = NULL;
}

static void new_version(struct ninep_proxy *p, const struct ninep_msg *m)
{
    drop_all(p);
    p->msize = m->session.msize;
    if (!ninep_dialect(m->session.version, &p->dialect))
        p->dialect = NINEP_PLAIN;
}

/* What a granted request did. */
static void apply_reply(struct ninep_proxy *p, struct pending_request *a, const struct ninep_msg *m,
                        uint64_t now_ns)
{
    switch (a->type) {
    case NINEP_TVERSION:
        new_version(p, m);
        break;
    case NINEP_TATTACH:
        note_walked(p, a->newfid, strdup(""));
        break;
    case NINEP_TFLUSH:
        handle_flushed(p, a->oldtag, now_ns);
        break;
    case NINEP_TWALK:
        if (m->walk.count == a->names)
            set_walked(p, a, a->newfid);
        break;
    case NINEP_TCREATE:
    case NINEP_TLCREATE:
        set_walked(p, a, a->fid);
        /* fall through */
    case NINEP_TOPEN:
    case NINEP_TLOPEN:
        note_opened(p, a->fid);
        break;
    case NINEP_TREAD:
    case NINEP_TREADDIR:
        note_read(p, a->fid, m->count);
        break;
    case NINEP_TWRITE:
        note_written(p, a->fid, m->count);
        break;
    case NINEP_TCLUNK:
        drop_file(p, a->fid, false);
        break;
    default:
        break;
    }
}

/* NULL: it did not fail. */
static const char *reply_error(const struct ninep_msg *m, char words[MAX_ERROR + 1])
{
    if (m->type == NINEP_RLERROR)
        return strerror((int)(m->failure.code & INT_MAX));
    if (m->type != NINEP_RERROR)
        return NULL;
    snprintf(words, MAX_ERROR + 1, "%.*s", (int)m->failure.text.len, m->failure.text.at);
    return words;
}

static void finish_request(struct ninep_proxy *p, struct pending_request *a,
                           const struct ninep_msg *m, uint64_t now_ns)
{
    char words[MAX_ERROR + 1];
    const char *error = reply_error(m, words);
    count_request(p, a, error, p->reply.size, now_ns);
    if (!error && m->type == a->type + 1)
        apply_reply(p, a, m, now_ns);
    if (a->type == NINEP_TREMOVE)
        drop_file(p, a->fid, !error);
}

static void handle_reply(struct ninep_proxy *p, uint64_t now_ns)
{
    struct ninep_msg m;
    struct ninep_frames *s = &p->reply;
    enum ninep_dialect dialect = s->kept[4] == NINEP_RVERSION ? NINEP_PLAIN : p->dialect;
    bool read = ninep_frames_read(s, dialect, &m) == 0;
    struct pending_request *a = imap_take_pointer(&p->pending, m.tag);
    if (a && read)
        finish_request(p, a, &m, now_ns);
    else if (a)
        count_request(p, a, NULL, s->size, now_ns);
    p->unread += !a || !read;
    drop_request(a);
}

/* --- bytes --- */

static void watch_bytes(struct ninep_proxy *p, const uint8_t *bytes, size_t len, bool replies,
                        uint64_t now_ns)
{
    while (len && !p->lost) {
        bool ended;
        long n = ninep_frames_add(replies ? &p->reply : &p->request, bytes, len, p->msize, replies,
                                  &ended);
        p->lost = n < 0;
        if (p->lost)
            break;
        if (ended && replies)
            handle_reply(p, now_ns);
        else if (ended)
            handle_request(p, now_ns);
        bytes += n;
        len -= (size_t)n;
    }
}

void ninep_proxy_requests(struct ninep_proxy *p, const void *bytes, size_t len, uint64_t now_ns)
{
    watch_bytes(p, bytes, len, false, now_ns);
}

void ninep_proxy_replies(struct ninep_proxy *p, const void *bytes, size_t len, uint64_t now_ns)
{
    watch_bytes(p, bytes, len, true, now_ns);
}
