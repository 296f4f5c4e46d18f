/* Another machine's files as core/ns/ns.h, over its open connection. */
#include "remote_private.h"

#include "layout.h"

#include <errno.h>
#include <stdlib.h>

struct remote_file {
    unsigned generation;
    void *inner;
};

static int check_reached(const struct ns_remote *r, struct fail *f)
{
    return r->client ? 0 : fail_set(f, EINPROGRESS, "9P");
}

static int remote_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                       struct fail *f)
{
    struct ns_remote *r = state;
    int e = check_reached(r, f);
    return e < 0 ? e : r->inner.calls->walk(r->inner.state, directory, name, path, f);
}

static int remote_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ns_remote *r = state;
    int e = check_reached(r, f);
    return e < 0 ? e : r->inner.calls->stat(r->inner.state, path, out, f);
}

static int remote_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                        struct fail *f)
{
    struct ns_remote *r = state;
    int e = check_reached(r, f);
    return e < 0 ? e : r->inner.calls->entry(r->inner.state, directory, index, out, f);
}

static int remote_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ns_remote *r = state;
    void *inner = NULL;
    struct remote_file *o = malloc(sizeof *o);
    int e = o ? check_reached(r, f) : fail_set(f, ENOMEM, "9P");
    if (e == 0)
        e = r->inner.calls->open(r->inner.state, path, how, &inner, f);
    if (e < 0) {
        free(o);
        return e;
    }
    *o = (struct remote_file){r->generation, inner};
    *file = o;
    return 0;
}

static int check_generation(const struct ns_remote *r, const struct remote_file *o, struct fail *f)
{
    return o->generation == r->generation && r->client ? 0 : fail_set(f, ENOTCONN, "9P");
}

static long remote_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct ns_remote *r = state;
    struct remote_file *o = io->file;
    struct ns_io inner = {o->inner, io->path, io->offset, io->len};
    int e = check_generation(r, o, f);
    return e < 0 ? e : r->inner.calls->read(r->inner.state, &inner, bytes, f);
}

static long remote_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    struct ns_remote *r = state;
    struct remote_file *o = io->file;
    struct ns_io inner = {o->inner, io->path, io->offset, io->len};
    int e = check_generation(r, o, f);
    return e < 0 ? e : r->inner.calls->write(r->inner.state, &inner, bytes, f);
}

static void remote_close(void *state, void *file, uint64_t path)
{
    struct ns_remote *r = state;
    struct remote_file *o = file;
    if (check_generation(r, o, NULL) == 0)
        r->inner.calls->close(r->inner.state, o->inner, path);
    free(o);
}

/* --- for one file server --- */

static int remote_look(void *state, uint64_t directory, const char *name, uint64_t *path,
                       struct ns_stat *out, struct fail *f)
{
    struct ns_remote *r = state;
    return r->inner.calls->look(r->inner.state, directory, name, path, out, f);
}

static int remote_read_entry(void *state, void *file, uint64_t directory, size_t index,
                             struct ns_stat *out, struct fail *f)
{
    struct ns_remote *r = state;
    struct remote_file *o = file;
    int e = check_generation(r, o, f);
    return e < 0 ? e
                 : r->inner.calls->read_entry(r->inner.state, o->inner, directory, index, out, f);
}

static int remote_hold(void *state, uint64_t directory, const struct ns_stat *entry, uint64_t *path,
                       struct fail *f)
{
    struct ns_remote *r = state;
    return r->inner.calls->hold(r->inner.state, directory, entry, path, f);
}

static void remote_forget(void *state, uint64_t path)
{
    struct ns_remote *r = state;
    r->inner.calls->forget(r->inner.state, path);
}

static void remote_end(void *state)
{
    ns_remote_free(state);
}

struct ns_server ns_remote_server(struct ns_remote *r)
{
    static const struct ns_calls calls = {.walk = remote_walk,
                                          .stat = remote_stat,
                                          .entry = remote_entry,
                                          .open = remote_open,
                                          .read = remote_read,
                                          .write = remote_write,
                                          .close = remote_close,
                                          .end = remote_end};
    return (struct ns_server){&calls, r};
}

struct ns_server ns_remote_tree(struct ns_remote *r)
{
    static const struct ns_calls calls = {.walk = remote_walk,
                                          .look = remote_look,
                                          .stat = remote_stat,
                                          .read_entry = remote_read_entry,
                                          .hold = remote_hold,
                                          .forget = remote_forget,
                                          .open = remote_open,
                                          .read = remote_read,
                                          .write = remote_write,
                                          .close = remote_close};
    r->inner = ninep_files_tree(r->files);
    return (struct ns_server){&calls, r};
}

int ns_remote_bind(struct ns *ns, struct ns_remote *r, struct fail *f)
{
    return ns_bind_layout(ns, ns_remote_server(r), f);
}
