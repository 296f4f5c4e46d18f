#include "core/ns/ns.h"

#include "find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- binding --- */

static bool is_same_server(const struct ns_server *a, const struct ns_server *b)
{
    return a->calls == b->calls && a->state == b->state;
}

static void end_server(struct ns_server *s)
{
    if (s->calls->end)
        s->calls->end(s->state);
}

static bool is_bound(const struct ns *ns, const struct ns_server *s, size_t from)
{
    for (size_t i = from; i < ns->mounts; i++)
        if (is_same_server(&ns->mount[i].server, s))
            return true;
    return false;
}

/* The elements as a name that begins a name. */
static int join_elements(const struct ns_elements *e, char *out, size_t cap)
{
    size_t len = 0;
    for (size_t i = 0; i < e->count && len < cap; i++)
        len += (size_t)snprintf(out + len, cap - len, "%s%s",
                                i == 0 && e->at[i][0] == '#' ? "" : "/", e->at[i]);
    if (!e->count)
        len = (size_t)snprintf(out, cap, "/");
    return len < cap ? 0 : -ENAMETOOLONG;
}

/* Longer names go before shorter ones, earlier before later. */
static int insert_mount(struct ns *ns, const struct ns_elements *e, const char *under,
                        struct ns_server server)
{
    struct ns_mount m = {.depth = e->count, .server = server};
    size_t at = ns->mounts;
    if (at == NS_SERVERS_MAX)
        return -ENOSPC;
    if (join_elements(e, m.name, sizeof m.name) < 0 || strlen(under) >= sizeof m.under)
        return -ENAMETOOLONG;
    strcpy(m.under, under);
    for (; at > 0 && ns->mount[at - 1].depth < m.depth; at--)
        ns->mount[at] = ns->mount[at - 1];
    ns->mount[at] = m;
    ns->mounts++;
    return 0;
}

int ns_bind(struct ns *ns, const char *name, const char *under, struct ns_server server,
            struct fail *f)
{
    struct ns_elements e;
    int r = ns_split(name, &e, f);
    if (r == 0) {
        r = insert_mount(ns, &e, under, server);
        if (r < 0)
            fail_set(f, -r, "%.128s", name);
    }
    if (r < 0 && !is_bound(ns, &server, 0))
        end_server(&server);
    return r;
}

void ns_release(struct ns *ns)
{
    for (size_t i = 0; i < ns->mounts; i++)
        if (!is_bound(ns, &ns->mount[i].server, i + 1))
            end_server(&ns->mount[i].server);
    ns->mounts = 0;
}

int ns_run_timers(const struct ns *ns)
{
    int soonest = -1;
    for (size_t i = 0; i < ns->mounts; i++) {
        const struct ns_server *s = &ns->mount[i].server;
        if (!s->calls->run_timers || is_bound(ns, s, i + 1))
            continue;
        int ms = s->calls->run_timers(s->state);
        if (ms >= 0 && (soonest < 0 || ms < soonest))
            soonest = ms;
    }
    return soonest;
}

int ns_program(const struct ns *ns, int pid, struct fail *f)
{
    int r = 0;
    for (size_t i = 0; r == 0 && i < ns->mounts; i++) {
        const struct ns_server *s = &ns->mount[i].server;
        if (s->calls->program && !is_bound(ns, s, i + 1))
            r = s->calls->program(s->state, pid, f);
    }
    return r;
}

/* --- files --- */

int ns_file_open(const struct ns_server *server, uint64_t path, unsigned how, struct ns_file *out,
                 struct fail *f)
{
    *out = (struct ns_file){.server = *server, .path = path, .how = how};
    return server->calls->open(server->state, path, how, &out->file, f);
}

void ns_file_close(struct ns_file *file)
{
    if (file->server.calls->close)
        file->server.calls->close(file->server.state, file->file, file->path);
}

int ns_open(const struct ns *ns, const char *name, unsigned how, struct ns_file **out,
            struct fail *f)
{
    struct ns_found at;
    int r = ns_find(ns, name, &at, f);
    if (r < 0)
        return r;
    if (!at.mount)
        return fail_set(f, EISDIR, "%s", name);
    struct ns_file *file = malloc(sizeof *file);
    if (!file)
        return fail_set(f, ENOMEM, "%s", name);
    r = ns_file_open(&at.mount->server, at.path, how, file, f);
    if (r < 0)
        free(file);
    else
        *out = file;
    return r;
}

void ns_close(struct ns_file *file)
{
    if (file)
        ns_file_close(file);
    free(file);
}

long ns_read(struct ns_file *file, uint64_t offset, void *bytes, size_t len, struct fail *f)
{
    if ((file->how & NS_ACCESS) == NS_WRITE || !file->server.calls->read)
        return fail_set(f, EBADF, "read");
    struct ns_io io = {file->file, file->path, offset, len};
    return file->server.calls->read(file->server.state, &io, bytes, f);
}

long ns_write(struct ns_file *file, uint64_t offset, const void *bytes, size_t len, struct fail *f)
{
    if ((file->how & NS_ACCESS) == NS_READ || !file->server.calls->write)
        return fail_set(f, EBADF, "write");
    struct ns_io io = {file->file, file->path, offset, len};
    return file->server.calls->write(file->server.state, &io, bytes, f);
}

int ns_handle(struct ns_file *file)
{
    const struct ns_calls *calls = file->server.calls;
    return calls->handle ? calls->handle(file->server.state, file->file, file->path) : -1;
}

static int read_all(struct ns_file *file, size_t max_len, struct buf *out, struct fail *f)
{
    enum { AT_ONCE = 16384 };
    size_t start = out->len;
    for (;;) {
        char *dst = buf_reserve(out, AT_ONCE);
        if (!dst)
            return fail_set(f, ENOMEM, "read");
        long n = ns_read(file, out->len - start, dst, AT_ONCE, f);
        if (n <= 0)
            return (int)n;
        buf_commit(out, (size_t)n);
        if (out->len - start > max_len)
            return fail_set(f, EFBIG, "read");
    }
}

int ns_text(const struct ns *ns, const char *name, size_t max_len, struct buf *out, struct fail *f)
{
    struct ns_file *file;
    int r = ns_open(ns, name, NS_READ, &file, f);
    if (r < 0)
        return r;
    r = read_all(file, max_len, out, f);
    ns_close(file);
    return r;
}
