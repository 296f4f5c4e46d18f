#include "fuse.h"

#include "engine/hostfs/cpu_latency.h"
#include "plat/clock.h"
#include "plat/mount.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdlib.h>

/* --- a request --- */

static int answer_init(struct job *j)
{
    enum { MINOR = 40, MIN_MINOR = 12 };
    const uint64_t wanted = FUSE_INIT_ATOMIC_O_TRUNC | FUSE_INIT_BIG_WRITES |
                            FUSE_INIT_POSIX_LOCKS | FUSE_INIT_FLOCK_LOCKS |
                            FUSE_INIT_PARALLEL_DIROPS | FUSE_INIT_MAX_PAGES |
                            FUSE_INIT_CACHE_SYMLINKS | FUSE_INIT_AUTO_INVAL_DATA | FUSE_INIT_EXT |
                            FUSE_INIT_DIRECT_IO_MMAP;
    struct fuse_init init = {.minor = j->ask.init.minor < MINOR ? j->ask.init.minor : MINOR,
                             .max_write = HOSTFS_MAX_IO,
                             .max_pages = HOSTFS_MAX_IO / 4096,
                             .stack_depth = 2};
    if (j->ask.init.major != 7 || init.minor < MIN_MINOR)
        return -EPROTO;
    j->s->passthrough = !j->s->fs.alone && j->ask.init.flags & FUSE_INIT_PASSTHROUGH;
    init.flags = j->ask.init.flags & (wanted | (j->s->passthrough ? FUSE_INIT_PASSTHROUGH : 0));
    if (!(init.flags & FUSE_INIT_MAX_PAGES))
        init.max_write = 32 * 4096;
    j->len = fuse_body_init(j->small, &init);
    return 0;
}

static int answer_success(struct job *j)
{
    return 0;
}

static int (*const performs[])(struct job *j) = {
    [FUSE_OP_INIT] = answer_init,       [FUSE_OP_LOOKUP] = fuse_lookup,
    [FUSE_OP_GETATTR] = fuse_getattr,   [FUSE_OP_SETATTR] = fuse_setattr,
    [FUSE_OP_READLINK] = fuse_readlink, [FUSE_OP_SYMLINK] = fuse_make,
    [FUSE_OP_MKNOD] = fuse_make,        [FUSE_OP_MKDIR] = fuse_make,
    [FUSE_OP_UNLINK] = fuse_unlink,     [FUSE_OP_RMDIR] = fuse_unlink,
    [FUSE_OP_RENAME] = fuse_rename,     [FUSE_OP_RENAME2] = fuse_rename,
    [FUSE_OP_LINK] = fuse_link,         [FUSE_OP_OPEN] = fuse_open,
    [FUSE_OP_OPENDIR] = fuse_opendir,   [FUSE_OP_CREATE] = fuse_create,
    [FUSE_OP_TMPFILE] = fuse_create,    [FUSE_OP_STATFS] = fuse_statfs,
    [FUSE_OP_ACCESS] = fuse_access,     [FUSE_OP_SETXATTR] = fuse_xattr,
    [FUSE_OP_GETXATTR] = fuse_xattr,    [FUSE_OP_LISTXATTR] = fuse_xattr,
    [FUSE_OP_REMOVEXATTR] = fuse_xattr, [FUSE_OP_SETLK] = fuse_lock,
    [FUSE_OP_SETLKW] = fuse_lock,       [FUSE_OP_DESTROY] = answer_success,
};

/* Those about what is open. */
static int (*const performs_open[])(struct job *j, struct fuse_handle *h) = {
    [FUSE_OP_READ] = fuse_read,          [FUSE_OP_WRITE] = fuse_write,
    [FUSE_OP_READDIR] = fuse_readdir,    [FUSE_OP_RELEASE] = fuse_release,
    [FUSE_OP_RELEASEDIR] = fuse_release, [FUSE_OP_FSYNC] = fuse_fsync,
    [FUSE_OP_FSYNCDIR] = fuse_fsync,     [FUSE_OP_FALLOCATE] = fuse_fallocate,
    [FUSE_OP_LSEEK] = fuse_lseek,        [FUSE_OP_COPY_FILE_RANGE] = fuse_copy,
    [FUSE_OP_FLUSH] = fuse_flush,        [FUSE_OP_GETLK] = fuse_lock_find,
};

static int perform_request(struct job *j)
{
    uint32_t op = j->ask.op;
    if (op < sizeof performs / sizeof *performs && performs[op])
        return performs[op](j);
    if (op >= sizeof performs_open / sizeof *performs_open || !performs_open[op])
        return -ENOSYS;
    struct fuse_handle *h = fuse_handle(j->s, j->ask.fh);
    return h ? performs_open[op](j, h) : -EBADF;
}

/* Those that are answered by nothing. */
static bool handle_unanswered(struct job *j)
{
    uint64_t node, lookups;
    switch (j->ask.op) {
    case FUSE_OP_FORGET:
    case FUSE_OP_BATCH_FORGET:
        for (size_t i = 0; fuse_request_forget(&j->ask, i, &node, &lookups); i++)
            hostfs_forget(&j->s->fs, node, lookups);
        return true;
    case FUSE_OP_INTERRUPT: /* what is asked of a disk ends by itself */
        fuse_lock_stopped(j->s, j->ask.interrupted);
        return true;
    default:
        return false;
    }
}

/* The requester was interrupted: its pending notification is dropped. */
static void undo_reply(struct job *j)
{
    if (j->opened)
        fuse_handle_free(j->s, j->opened - 1);
    if (j->entry)
        hostfs_forget(&j->s->fs, j->entry, 1);
}

static void send_reply(struct job *j, int error)
{
    uint8_t head[FUSE_HEAD_OUT];
    size_t len = error ? 0 : j->len;
    fuse_reply_head(head, j->ask.unique, error, len);
    if (mount_write(j->connection, head, sizeof head, j->body, len) == -ENOENT && !error)
        undo_reply(j);
}

static void answer_request(struct hostfs_fuse *s, int connection, const void *bytes, size_t len,
                           void *buffer)
{
    struct job j = {
        .s = s, .connection = connection, .buffer = buffer, .body = j.small, .file = -1};
    uint64_t start_ns = clock_mono_ns();
    int r = fuse_request_decode(bytes, len, &j.ask);
    if (r == 0 && handle_unanswered(&j)) {
        fuse_account(&j, 0, start_ns);
        return;
    }
    j.cred = (struct hostfs_cred){j.ask.uid, j.ask.gid, j.ask.pid};
    if (r == 0)
        r = perform_request(&j);
    tree_set_credentials(0, 0, 0);
    fuse_account(&j, j.absent ? -ENOENT : r, start_ns);
    if (!j.later)
        send_reply(&j, r);
}

/* --- threads --- */

struct worker {
    struct hostfs_fuse *s;
    int connection;
};

static void count_request(struct hostfs_fuse *s)
{
    unsigned long n = atomic_fetch_add(&s->requests, 1);
    if (n % AWAKE_BUSY_COUNT == 0 && !atomic_load(&s->check_due))
        apart_send(s->wake[1], "", 1);
}

static void run_worker(void *arg)
{
    struct worker w = *(struct worker *)arg;
    free(arg);
    uint8_t *bytes = malloc(HOSTFS_MAX_IO + HOSTFS_MAX_HEAD), *buffer = malloc(HOSTFS_MAX_IO);
    while (bytes && buffer) {
        int64_t n = mount_read(w.connection, bytes, HOSTFS_MAX_IO + HOSTFS_MAX_HEAD);
        if (n < 0)
            break;
        atomic_fetch_add(&w.s->busy, 1);
        count_request(w.s);
        if (n)
            answer_request(w.s, w.connection, bytes, (size_t)n, buffer);
        atomic_fetch_sub(&w.s->busy, 1);
    }
    free(bytes);
    free(buffer);
    atomic_store(&w.s->over, true);
}

static int start_worker(struct hostfs_fuse *s, int connection)
{
    struct worker *w = malloc(sizeof *w);
    if (!w || connection < 0) {
        free(w);
        return -ENOMEM;
    }
    *w = (struct worker){s, connection};
    return crew_start(run_worker, w);
}

/* One is enough; more serve several processes at once. */
static int start_crew(struct hostfs_fuse *s)
{
    int r = start_worker(s, s->connection);
    for (unsigned i = 1; r == 0 && i < crew_size(); i++)
        if (start_worker(s, mount_clone(s->connection)) < 0)
            break;
    return r;
}

/* --- orders --- */

/* A thread that is awake may have taken a request that it has not begun with. */
static bool is_quiet(struct hostfs_fuse *s)
{
    return !mount_pending(s->connection) && crew_asleep() && !atomic_load(&s->busy) &&
           !mount_pending(s->connection);
}

void fuse_wait_idle(struct hostfs_fuse *s, unsigned own)
{
    enum { TIMEOUT_MS = 5 };
    for (unsigned ms = 0; ms < TIMEOUT_MS; ms++) {
        if (atomic_load(&s->busy) <= own && !mount_pending(s->connection))
            return;
        crew_sleep_ms(1);
    }
}

/* Closes are reported late: those from before the command's end may still come. */
static void wait_until_quiet(struct hostfs_fuse *s)
{
    enum { TIMEOUT_MS = 2000, QUIET_MS = 3 };
    unsigned quiet = 0;
    for (unsigned ms = 0; ms < TIMEOUT_MS && quiet < QUIET_MS; ms++) {
        quiet = is_quiet(s) ? quiet + 1 : 0;
        crew_sleep_ms(1);
    }
}

#define UNCOUNTED                                                                                  \
    "sockets, /proc /sys /dev /run, and directories and missing names in the kernel's cache"

static const char *name_uncounted(const struct hostfs_fuse *s)
{
    return s->passthrough ? "pages of mapped files, " UNCOUNTED : UNCOUNTED;
}

int hostfs_send_report(const struct hostfs_start *start, const struct io_counts *counts,
                       const struct io_report_options *want)
{
    SCOPED_BUF out = BUF_INIT;
    if (start->json)
        io_report_json(counts, want, &out);
    else
        io_report_text(counts, want, &out);
    int32_t len = buf_error(&out) ? -ENOMEM : out.len > INT32_MAX ? -EFBIG : (int32_t)out.len;
    int r = apart_send(start->control, &len, sizeof len);
    if (r == 0 && len > 0)
        r = apart_send(start->control, out.data, (size_t)len);
    const char cut = want->truncated != NULL;
    if (r == 0 && len >= 0)
        r = apart_send(start->control, &cut, sizeof cut);
    return r;
}

static int send_report(struct hostfs_fuse *s, const struct hostfs_start *start)
{
    struct io_report_options want = start->report;
    SCOPED_BUF unseen = BUF_INIT;
    wait_until_quiet(s);
    fuse_account_end(s);
    buf_adds(&unseen, name_uncounted(s));
    standard_end(s->standard, &s->not_traced, s->counts, &unseen);
    lock_acquire(s->account);
    want.truncated = journal_end(&s->journal);
    lock_release(s->account);
    want.backend = "fuse";
    want.unit = "messages";
    want.uncounted = buf_str(&unseen);
    return hostfs_send_report(start, s->counts, &want);
}

static void note_standard(void *arg, int tid, const struct io_done *done, const char *path,
                          int error)
{
    struct hostfs_fuse *s = arg;
    SCOPED_LOCK held = lock_acquire(s->account);
    journal_add(&s->journal, tid, done, path, error);
}

static int handle_order(struct hostfs_fuse *s, const struct hostfs_start *start,
                        const struct hostfs_order *order)
{
    if (order->kind == HOSTFS_REPORT)
        return send_report(s, start);
    standard_done *note = journal_wanted(&s->journal) ? note_standard : NULL;
    if (order->pid)
        s->standard = standard_start(order->pid, note, s, &s->not_traced);
    int32_t done = s->standard != NULL;
    s->counting = true;
    return apart_send(start->control, &done, sizeof done);
}

static void check_load(struct hostfs_fuse *s, struct awake *a)
{
    uint64_t now_ns = clock_mono_ns();
    unsigned long requests = atomic_load(&s->requests);
    if (apart_drain(s->wake[0]))
        awake_restart(a, requests, now_ns);
    if (a->check_due)
        awake_check(a, requests, now_ns);
    atomic_store(&s->check_due, a->check_due || a->refused);
}

static void handle_orders(struct hostfs_fuse *s, const struct hostfs_start *start)
{
    struct wait_on on[] = {{.handle = start->control}, {.handle = s->wake[0]}};
    struct awake awake = {0};
    struct hostfs_order order;
    int r = 0;
    while (r == 0) {
        wait_ready(on, 2, awake.check_due ? AWAKE_CHECK_MS : -1);
        check_load(s, &awake);
        if (on[0].ready && (r = apart_receive(start->control, &order, sizeof order)) == 0)
            r = handle_order(s, start, &order);
    }
    awake_end(&awake);
    atomic_store(&s->check_due, true);
    apart_close(start->control);
}

static int prepare_server(struct hostfs_fuse *s)
{
    s->account = lock_new();
    s->waits.lock = lock_new();
    s->counts = io_counts_new();
    if (!s->account || !s->waits.lock || !s->counts || apart_pair(s->wake, NULL) < 0)
        return -ENOMEM;
    return hostfs_init(&s->fs, "/");
}

void hostfs_fuse_serve(void *arg)
{
    const struct hostfs_start *start = arg;
    static struct hostfs_fuse s;
    s.journal = *start->journal;
    int r = prepare_server(&s);
    s.connection = r < 0 ? r : mount_receive(start->pass);
    if (s.connection < 0)
        return;
    apart_close(start->pass);
    journal_start(&s.journal, "messages by fuse");
    if (start_crew(&s) < 0)
        return;
    handle_orders(&s, start);
    while (!atomic_load(&s.over)) /* what the command left behind goes on */
        crew_sleep_ms(100);
    standard_wait(s.standard);
}
