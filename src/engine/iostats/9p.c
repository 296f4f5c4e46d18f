/* The backend 9p: serves this machine's files over 9P to the kernel's client as a root. */
#include "root_command.h"

#include "core/ninep/proxy.h"
#include "core/ninep/server.h"
#include "engine/hostfs/cpu_latency.h"
#include "engine/hostfs/ninep_host.h"
#include "engine/hostfs/standard.h"
#include "plat/apart.h"
#include "plat/clock.h"
#include "plat/mount.h"
#include "plat/mount_pipes.h"
#include "plat/wait.h"

#include <errno.h>

enum {
    MSIZE = IOSTATS_9P_MESSAGE_BYTES,
    FIDS = 1 << 16,
};

struct nine {
    const struct hostfs_start *start;
    struct mount_pipes kernel;
    struct ninep_host_files *host;
    struct ninep_server *server;
    struct ninep_proxy *proxy;
    struct io_counts *counts, *mount; /* of the command; of all before it */
    struct journal journal;
    struct lock *journal_lock;
    struct standard *standard; /* NULL: it is not traced, for the reason */
    struct fail not_traced;
    struct buf in, out;
    unsigned long messages;
    struct awake awake;
};

/* --- the conversation --- */

static void log_operation(void *arg, const struct io_done *done, const char *path,
                          const char *error)
{
    struct nine *n = arg;
    SCOPED_LOCK held = lock_acquire(n->journal_lock);
    journal_add_words(&n->journal, 0, done, path, error);
}

static void note_standard(void *arg, int tid, const struct io_done *done, const char *path,
                          int error)
{
    struct nine *n = arg;
    SCOPED_LOCK held = lock_acquire(n->journal_lock);
    journal_add(&n->journal, tid, done, path, error);
}

/* Of what the mount asks, before the command, the session's messages count: they come once. */
static void note_mount(void *arg, const struct io_done *done, const char *path, const char *error)
{
    struct nine *n = arg;
    if (done->message > IO_ATTACH)
        return;
    io_counts_done(n->counts, done);
    if (journal_wanted(&n->journal))
        log_operation(n, done, path, error);
}

/* Answered and counted: 0, or -errno when the root is no longer in use. */
static int send_replies(struct nine *n)
{
    int r = n->out.len ? mount_pipes_write(&n->kernel, n->out.data, n->out.len) : 0;
    ninep_proxy_replies(n->proxy, n->out.data, n->out.len, clock_mono_ns());
    buf_clear(&n->out);
    return r;
}

static int answer_requests(struct nine *n)
{
    struct fail f;
    size_t at = 0;
    int r = ninep_server_retry(n->server, &n->out, &f);
    for (long used = 1; r == 0 && used > 0 && at < n->in.len; at += (size_t)used) {
        used = ninep_server_serve(n->server, n->in.data + at, n->in.len - at, &n->out, &f);
        if (used < 0)
            return (int)used;
        r = send_replies(n);
    }
    if (r == 0)
        r = send_replies(n);
    buf_drop(&n->in, at);
    return r;
}

/* What the kernel says: 0, or -errno. */
static int read_requests(struct nine *n)
{
    char *to = buf_reserve(&n->in, MSIZE);
    long len = to ? mount_pipes_read(&n->kernel, to, MSIZE) : -ENOMEM;
    if (len <= 0)
        return len < 0 ? (int)len : -ENOTCONN;
    ninep_proxy_requests(n->proxy, to, (size_t)len, clock_mono_ns());
    n->messages++;
    buf_commit(&n->in, (size_t)len);
    return answer_requests(n);
}

/* --- orders --- */

/* Requests from before the command's end may still come. */
static void drain_requests(struct nine *n)
{
    enum { QUIET_MS = 3 };
    struct wait_on on = {.handle = n->kernel.read_fd};
    while (wait_ready(&on, 1, QUIET_MS) > 0 && read_requests(n) == 0)
        ;
}

static int send_report(struct nine *n)
{
    struct io_report_options want = n->start->report;
    SCOPED_BUF unseen = BUF_INIT;
    drain_requests(n);
    ninep_proxy_end(n->proxy);
    buf_adds(&unseen,
             "sockets, /proc /sys /dev /run, and pages of mapped files in the kernel's cache");
    standard_end(n->standard, &n->not_traced, n->counts, &unseen);
    lock_acquire(n->journal_lock);
    want.truncated = journal_end(&n->journal);
    lock_release(n->journal_lock);
    want.backend = "9p";
    want.unit = "messages";
    want.uncounted = buf_str(&unseen);
    return hostfs_send_report(n->start, n->counts, &want);
}

static int handle_order(struct nine *n)
{
    struct hostfs_order order;
    int r = apart_receive(n->start->control, &order, sizeof order);
    if (r < 0)
        return r;
    if (order.kind == HOSTFS_REPORT)
        return send_report(n);
    ninep_proxy_count(n->proxy, n->counts);
    ninep_proxy_on_done(n->proxy, journal_wanted(&n->journal) ? log_operation : NULL, n);
    standard_done *done_standard = journal_wanted(&n->journal) ? note_standard : NULL;
    if (order.pid)
        n->standard = standard_start(order.pid, done_standard, n, &n->not_traced);
    int32_t done = n->standard != NULL;
    return apart_send(n->start->control, &done, sizeof done);
}

/* What waits on something without a handle is asked for again at each look. CPUs that are kept
 * awake are let go when no message comes; before that it is messages alone that a look is for. */
static int pause_ms(const struct nine *n)
{
    return n->awake.held || ninep_server_waiting(n->server) ? AWAKE_CHECK_MS : -1;
}

/* Serves until the root is unused: processes the command left behind continue. */
static void serve_root(struct nine *n)
{
    struct wait_on on[] = {{.handle = n->kernel.read_fd}, {.handle = n->start->control}};
    int r = 0;
    while (r == 0) {
        wait_ready(on, 2, pause_ms(n));
        if (on[1].handle >= 0)
            awake_check(&n->awake, n->messages, clock_mono_ns());
        r = on[0].ready ? read_requests(n) : answer_requests(n);
        if (r == 0 && on[1].ready && handle_order(n) < 0) {
            apart_close(on[1].handle);
            on[1].handle = -1;
            on[1].ready = false;
            awake_end(&n->awake);
        }
    }
}

static int prepare_server(struct nine *n)
{
    static const struct ninep_limits limits = {.msize = MSIZE, .fids = FIDS};
    int r = ninep_host_open(&n->host, "/", NULL);
    if (r < 0)
        return r;
    struct ninep_tree tree = ninep_host_tree(n->host, true);
    n->server = ninep_server_new(&tree, &limits);
    n->counts = io_counts_new();
    n->mount = io_counts_new();
    n->journal_lock = lock_new();
    n->proxy = ninep_proxy_new(n->mount);
    if (!n->server || !n->proxy || !n->counts || !n->mount || !n->journal_lock)
        return -ENOMEM;
    ninep_proxy_on_done(n->proxy, note_mount, n);
    return 0;
}

static void run_server(void *start)
{
    static struct nine n;
    n.start = start;
    n.journal = *n.start->journal;
    if (prepare_server(&n) < 0 || mount_pipes_receive(n.start->pass, &n.kernel) < 0)
        return;
    apart_close(n.start->pass);
    journal_start(&n.journal, "messages by 9p");
    serve_root(&n);
    standard_wait(n.standard);
}

static int run_9p(const struct iostats_want *want, struct journal *journal, struct buf *out,
                  struct iostats_result *result, struct fail *f)
{
    static const struct served_root root = {run_server, mount_hold_9p};
    return root_command(&root, want, journal, out, result, f);
}

const struct iostats_backend iostats_9p = {"9p", run_9p};
