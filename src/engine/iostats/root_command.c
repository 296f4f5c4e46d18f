#include "root_command.h"

#include "plat/apart.h"
#include "plat/mount.h"
#include "plat/wait.h"

#include <errno.h>

struct session {
    int control, pass; /* our end; the command's */
    struct child child;
    int kept; /* the root */
};

static int start_server(const struct served_root *root, struct session *s,
                        const struct iostats_want *want, const struct journal *journal,
                        struct fail *f)
{
    int control[2], pass[2];
    int r = apart_pair(control, f);
    if (r < 0)
        return r;
    if ((r = apart_pair(pass, f)) < 0) {
        apart_close(control[0]);
        apart_close(control[1]);
        return r;
    }
    struct hostfs_start start = {pass[1], control[1], journal, want->json, want->report};
    int keep[4] = {pass[1], control[1]};
    size_t kept = 2;
    if (journal->log.handle >= 0)
        keep[kept++] = journal->log.handle;
    if (journal->trace.handle >= 0)
        keep[kept++] = journal->trace.handle;
    r = apart_start(root->serve, &start, keep, kept, f);
    apart_close(pass[1]);
    apart_close(control[1]);
    s->control = control[0];
    s->pass = pass[0];
    return r;
}

/* pid: of HOSTFS_COUNT, the command whose standard descriptors count; 0: they do not. */
static int send_order(const struct session *s, char kind, int pid, int32_t *answer, struct fail *f)
{
    const struct hostfs_order o = {.kind = kind, .pid = pid};
    int r = apart_send(s->control, &o, sizeof o);
    if (r == 0)
        r = apart_receive(s->control, answer, sizeof *answer);
    if (r == 0 && *answer < 0)
        r = *answer;
    return r < 0 ? fail_set(f, -r, "the server of files") : 0;
}

static int read_report(const struct session *s, struct buf *report, bool *cut, struct fail *f)
{
    char is_cut = 0;
    int32_t len = 0;
    int r = send_order(s, HOSTFS_REPORT, 0, &len, f);
    void *to = r == 0 ? buf_reserve(report, (size_t)len) : NULL;
    if (r == 0 && !to)
        return fail_set(f, ENOMEM, "the report");
    if (r == 0 && ((r = apart_receive(s->control, to, (size_t)len)) < 0 ||
                   (r = apart_receive(s->control, &is_cut, sizeof is_cut)) < 0))
        return fail_set(f, -r, "the server of files");
    if (r == 0)
        buf_commit(report, (size_t)len);
    *cut = is_cut;
    return r;
}

/* Interrupts that were not typed are passed on; the second one of any kind is the end of waiting.
 */
static bool wait_for_command(struct session *s)
{
    int interrupts = interrupt_open();
    unsigned signals = 0;
    for (;;) {
        struct wait_on on[] = {{.handle = child_handle(&s->child)}, {.handle = interrupts}};
        wait_ready(on, 2, -1);
        if (on[0].ready)
            return true;
        bool typed = false;
        int sig = on[1].ready ? interrupt_read(&typed) : 0;
        if (sig && !typed)
            child_signal(&s->child, sig);
        if (sig && ++signals == 2)
            return false;
    }
}

static int run_command(const struct served_root *root, struct session *s,
                       const struct iostats_want *want, struct buf *report,
                       struct iostats_result *result, struct fail *f)
{
    enum { CANNOT = 126, NOT_THERE = 127, INTERRUPTED = 130 };
    int32_t answer;
    struct child_end end;
    int r = root->hold(want->command, s->pass, &s->child, f);
    apart_close(s->pass);
    if (r < 0)
        return r;
    s->kept = mount_keep_namespace(&s->child);
    r = send_order(s, HOSTFS_COUNT, want->no_standard ? 0 : s->child.pid, &answer, f);
    if (r < 0) {
        child_kill(&s->child);
        return r;
    }
    s->child.filtered = answer == 1;
    interrupt_open(); /* not earlier: another backend handles them differently */
    r = child_release(&s->child, f);
    if (r < 0) {
        result->status = r == -ENOENT ? NOT_THERE : CANNOT;
        return r;
    }
    result->status = INTERRUPTED;
    if (wait_for_command(s)) {
        r = child_wait(&s->child, &end, f);
        if (r < 0)
            return r;
        result->status = child_status(&end);
    }
    return read_report(s, report, &result->cut, f);
}

int root_command(const struct served_root *root, const struct iostats_want *want,
                 struct journal *journal, struct buf *report, struct iostats_result *result,
                 struct fail *f)
{
    struct session s = {.kept = -1};
    int r = start_server(root, &s, want, journal, f);
    if (r < 0)
        return r;
    r = run_command(root, &s, want, report, result, f);
    apart_close(s.kept);
    apart_close(s.control);
    return r;
}
