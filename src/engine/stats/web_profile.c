#include "web_profile.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/export/writer.h"
#include "engine/sampling/report.h"
#include "plat/clock.h"
#include "plat/net.h"
#include "plat/tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 30, MAX_SECONDS = 600, HZ = 99, ROUND_MS = 200 };

enum state { IDLE, RUNS, DONE, FAILED };

struct web_profile {
    enum state state;
    struct sampling sampling; /* while it runs */
    uint64_t end_ns;
    struct buf bytes; /* the profile, or why there is none */
};

struct web_profile *web_profile_new(void)
{
    return calloc(1, sizeof(struct web_profile));
}

void web_profile_free(struct web_profile *p)
{
    if (p && p->state == RUNS)
        sampling_release(&p->sampling);
    if (p)
        buf_release(&p->bytes);
    free(p);
}

/* --- a sampling --- */

static void fail_profile(struct web_profile *p, const struct fail *f)
{
    p->state = FAILED;
    buf_clear(&p->bytes);
    buf_printf(&p->bytes, "%s%s%s\n", f->what, f->err ? ": " : "", f->err ? strerror(f->err) : "");
}

/* Where the kernel's part is refused, without it. */
static void start_sampling(struct web_profile *p, unsigned seconds)
{
    struct sampling_want want = {
        .everything = true, .kernel = true, .chains = CHAINS_CFI, .hz = HZ, .event = "cpu-clock"};
    struct fail f;
    int r = sampling_begin(&want, &p->sampling, &f);
    if (r == -EACCES || r == -EPERM) {
        sampling_release(&p->sampling);
        want.kernel = false;
        r = sampling_begin(&want, &p->sampling, &f);
    }
    p->end_ns = clock_mono_ns() + seconds * NS_PER_S;
    p->state = RUNS;
    if (r < 0) {
        sampling_release(&p->sampling);
        fail_profile(p, &f);
    }
}

static int write_profile(struct web_profile *p, struct fail *f)
{
    const struct sampling_view view = {.applet = "tprof", .form = SAMPLING_TREE, .by = FLAT_INLINE};
    SCOPED(stacks_release) struct stacks stacks;
    int r = sampling_stacks(&p->sampling, &view, &stacks, f);
    if (r == 0 && (r = writer_named("pprof", strlen("pprof"))->write(&stacks, NULL, &p->bytes)) < 0)
        fail_set(f, -r, "pprof");
    return r;
}

static void end_sampling(struct web_profile *p)
{
    struct fail f;
    buf_clear(&p->bytes);
    int r = sampling_stop(&p->sampling, &f);
    if (r == 0)
        r = write_profile(p, &f);
    p->state = DONE;
    if (r < 0)
        fail_profile(p, &f);
    sampling_release(&p->sampling);
}

void web_profile_tend(struct web_profile *p, uint64_t now_ns)
{
    if (p->state == RUNS && now_ns >= p->end_ns)
        end_sampling(p);
    else if (p->state == RUNS)
        sampling_poll(&p->sampling);
}

void web_profile_forget(struct web_profile *p)
{
    if (p->state != DONE && p->state != FAILED)
        return;
    p->state = IDLE;
    buf_release(&p->bytes);
}

int web_profile_timeout_ms(const struct web_profile *p, uint64_t now_ns)
{
    if (p->state != RUNS)
        return -1;
    int left = ms_until(now_ns, p->end_ns);
    return left < ROUND_MS ? left : ROUND_MS;
}

/* --- requests --- */

/* False: it says something else. */
static bool read_seconds(struct http_text query, unsigned *out)
{
    static const char key[] = "seconds=";
    size_t at = strlen(key);
    unsigned seconds = 0;
    *out = SECONDS;
    if (!query.len)
        return true;
    if (query.len <= at || memcmp(query.at, key, at) != 0)
        return false;
    for (; at < query.len && seconds <= MAX_SECONDS; at++) {
        if (!isdigit((unsigned char)query.at[at]))
            return false;
        seconds = seconds * 10 + (unsigned)(query.at[at] - '0');
    }
    *out = seconds;
    return seconds >= 1 && seconds <= MAX_SECONDS;
}

static bool is_allowed(int connection)
{
    SCOPED(net_peer_release) struct net_peer peer;
    uint32_t uid, gid;
    tree_own_ids(&uid, &gid);
    net_peer_find(connection, &peer);
    bool own = peer.kind == NET_PEER_USER && (peer.uid == uid || peer.uid == 0);
    bool remote = peer.kind == NET_PEER_REMOTE;
    return own || remote;
}

static struct http_response say(int status, const char *text)
{
    return (struct http_response){.status = status, .body = text, .len = strlen(text)};
}

static struct http_response result_of(const struct web_profile *p)
{
    switch (p->state) {
    case DONE:
        return (struct http_response){.status = 200,
                                      .type = "application/octet-stream",
                                      .body = p->bytes.data,
                                      .len = p->bytes.len};
    case FAILED:
        return (struct http_response){
            .status = 500, .body = buf_str(&p->bytes), .len = p->bytes.len};
    default:
        return (struct http_response){.status = 200, .later = true};
    }
}

void web_profile_answer(struct web_profile *p, const struct http_request *r,
                        struct http_response *out, struct buf *body)
{
    unsigned seconds;
    if (!is_allowed(r->connection))
        *out = say(403, "Only the user who runs the server, and root, can get profiles.\n");
    else if (!read_seconds(r->query, &seconds))
        *out = say(400, "The query is seconds=N, with N from 1 to 600.\n");
    else if (r->head)
        *out = (struct http_response){.status = 200, .type = "application/octet-stream"};
    else {
        if (p->state == IDLE)
            start_sampling(p, seconds);
        *out = result_of(p);
    }
}
