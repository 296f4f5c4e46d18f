#include "core/ninep/files.h"

#include "transfer.h"
#include "walk_job.h"

#include <errno.h>
#include <stdlib.h>

/* A name that is known of, or was asked about; its index is its path. */
struct node {
    char *name; /* NULL: free */
    uint64_t parent;
    bool known; /* the other machine has it */
};

struct open_file {
    bool used;
    uint32_t fid;
    struct ninep_transfer read, write;
};

struct ninep_files {
    struct ninep_client *client;
    int handle;
    uint64_t age;
    struct node node[NINEP_NODES]; /* the first is the root */
    size_t nodes;                  /* used at any time */
    struct ninep_job job[NINEP_JOBS];
    struct open_file file[NINEP_OPEN];
};

struct ninep_files *ninep_files_new(struct ninep_client *client, int handle)
{
    struct ninep_files *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->client = client;
    s->handle = handle;
    s->nodes = 1;
    s->node[0].known = true;
    return s;
}

/* --- nodes --- */

static int64_t find_node(const struct ninep_files *s, uint64_t parent, const char *name)
{
    for (size_t i = 1; i < s->nodes; i++)
        if (s->node[i].name && s->node[i].parent == parent && strcmp(s->node[i].name, name) == 0)
            return (int64_t)i;
    return -ENOENT;
}

static int64_t free_node(struct ninep_files *s)
{
    for (size_t i = 1; i < s->nodes; i++)
        if (!s->node[i].name)
            return (int64_t)i;
    return s->nodes < NINEP_NODES ? (int64_t)s->nodes++ : -ENOSPC;
}

static int64_t node_of(struct ninep_files *s, uint64_t parent, const char *name, struct fail *f)
{
    int64_t i = find_node(s, parent, name);
    if (i >= 0)
        return i;
    i = free_node(s);
    char *copy = i < 0 ? NULL : strdup(name);
    if (!copy)
        return fail_set(f, i < 0 ? ENOSPC : ENOMEM, "%s", name);
    s->node[i] = (struct node){copy, parent, false};
    return i;
}

/* The caller does not know it. */
static void forget_node(struct ninep_files *s, uint64_t path)
{
    if (s->node[path].known)
        return;
    free(s->node[path].name);
    s->node[path] = (struct node){NULL, 0, false};
}

/* The names from the root down to it: how many. */
static int names_of(const struct ninep_files *s, uint64_t path, const char *name[NS_DEPTH_MAX],
                    struct fail *f)
{
    int n = 0;
    for (uint64_t at = path; at; at = s->node[at].parent)
        if (++n > NS_DEPTH_MAX)
            return fail_set(f, ENAMETOOLONG, "%s", s->node[path].name);
    int i = n;
    for (uint64_t at = path; at; at = s->node[at].parent)
        name[--i] = s->node[at].name;
    return n;
}

/* --- jobs --- */

static struct ninep_job *find_job(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path,
                                  unsigned how)
{
    for (size_t i = 0; i < NINEP_JOBS; i++) {
        struct ninep_job *j = &s->job[i];
        if (j->kind == kind && j->path == path && j->how == how)
            return j;
    }
    return NULL;
}

static void end_job(struct ninep_files *s, struct ninep_job *j)
{
    uint64_t path = j->path;
    bool walked = j->kind == NINEP_JOB_WALK;
    ninep_job_release(j);
    if (walked)
        forget_node(s, path);
}

/* A free call, or the oldest whose answer was not fetched. */
static struct ninep_job *free_job(struct ninep_files *s)
{
    struct ninep_job *oldest = NULL;
    for (size_t i = 0; i < NINEP_JOBS; i++) {
        struct ninep_job *j = &s->job[i];
        if (j->kind == NINEP_JOB_NONE)
            return j;
        if (j->ended && (!oldest || j->age < oldest->age))
            oldest = j;
    }
    if (oldest)
        end_job(s, oldest);
    return oldest;
}

static int begin_job(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path, unsigned how,
                     struct fail *f)
{
    int r = ninep_client_ready(s->client, f);
    if (r <= 0)
        return r < 0 ? r : fail_set(f, EINPROGRESS, "9P");
    struct ninep_job *j = free_job(s);
    if (!j)
        return fail_set(f, EBUSY, "9P");
    *j = (struct ninep_job){
        .client = s->client, .kind = kind, .path = path, .how = how, .age = s->age++};
    int names = names_of(s, path, j->name, f);
    if (names < 0) {
        j->kind = NINEP_JOB_NONE;
        return names;
    }
    j->names = (size_t)names;
    r = ninep_job_begin(j, f);
    return r < 0 ? r : fail_set(f, EINPROGRESS, "%s", path ? s->node[path].name : "/");
}

/* 0: *job has ended, and well; it is the caller's to end. Else what to return. */
static int poll_job(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path, unsigned how,
                    struct ninep_job **job, struct fail *f)
{
    struct ninep_job *j = find_job(s, kind, path, how);
    if (!j)
        return begin_job(s, kind, path, how, f);
    if (!j->ended)
        return fail_set(f, EINPROGRESS, "%s", path ? s->node[path].name : "/");
    *job = j;
    int r = j->error;
    if (r < 0 && f)
        *f = j->failure;
    if (r < 0)
        end_job(s, j);
    return r;
}

/* --- core/ns/ns.h --- */

static int files_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                      struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    int64_t i = node_of(s, directory, name, f);
    if (i < 0)
        return (int)i;
    if (!s->node[i].known) {
        int r = poll_job(s, NINEP_JOB_WALK, (uint64_t)i, 0, &j, f);
        if (r < 0 && r != -EINPROGRESS)
            forget_node(s, (uint64_t)i);
        if (r < 0)
            return r;
        s->node[i].known = true;
        end_job(s, j);
    }
    *path = (uint64_t)i;
    return 0;
}

static int files_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    int r = poll_job(s, NINEP_JOB_STAT, path, 0, &j, f);
    if (r < 0)
        return r;
    *out = j->stat;
    end_job(s, j);
    return 0;
}

/* The record at index: its length, 0 at the end. */
static long find_record(struct ninep_job *j, size_t index, struct ninep_stat *out)
{
    if (index < j->index)
        j->at = j->index = 0;
    for (;; j->index++) {
        long n = 0;
        if (j->at < j->list.len)
            n = ninep_stat_read(j->list.data + j->at, j->list.len - j->at, NINEP_PLAIN, out);
        if (n <= 0 || j->index == index)
            return n;
        j->at += (size_t)n;
    }
}

/* What a server calls a file is nothing else than a name. */
static bool is_name(struct ninep_text t)
{
    return t.len && t.len <= NS_NAME_MAX && !memchr(t.at, '/', t.len) &&
           !memchr(t.at, '\0', t.len) && !ninep_text_equals(t, ".") && !ninep_text_equals(t, "..");
}

static int files_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                       struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    struct ninep_stat record;
    int r = poll_job(s, NINEP_JOB_LIST, directory, 0, &j, f);
    if (r < 0)
        return r;
    long n = find_record(j, index, &record);
    if (n <= 0 || !is_name(record.name)) {
        end_job(s, j);
        return n ? fail_set(f, EPROTO, "9P: a directory") : 0;
    }
    ninep_stat_of(&record, 0, out);
    int64_t i = node_of(s, directory, out->name, f);
    if (i < 0)
        return (int)i;
    s->node[i].known = true;
    if (ninep_client_dialect(s->client) == NINEP_L) { /* whose entries have names alone */
        r = files_stat(s, (uint64_t)i, out, f);
        if (r == 0 || ns_would_block(r))
            return r < 0 ? r : 1;
    }
    out->path = (uint64_t)i;
    return 1;
}

static struct open_file *free_file(struct ninep_files *s)
{
    for (size_t i = 0; i < NINEP_OPEN; i++)
        if (!s->file[i].used)
            return &s->file[i];
    return NULL;
}

static int files_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    struct open_file *o = free_file(s);
    if (!o)
        return fail_set(f, ENFILE, "9P");
    int r = poll_job(s, NINEP_JOB_OPEN, path, how, &j, f);
    if (r < 0)
        return r;
    *o = (struct open_file){.used = true, .fid = j->fid};
    *file = o;
    j->fid_moved = true;
    end_job(s, j);
    return 0;
}

/* --- reading and writing --- */

static uint32_t clamp_count(const struct ninep_files *s, size_t len)
{
    uint32_t max_count = ninep_client_msize(s->client) - NINEP_IO_HEAD;
    return len < max_count ? (uint32_t)len : max_count;
}

/* What was asked for elsewhere is of no interest any more. */
static long files_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct ninep_files *s = state;
    struct open_file *o = io->file;
    if (o->read.offset != io->offset)
        ninep_transfer_cancel(s->client, &o->read);
    if (ninep_transfer_is_active(&o->read))
        return ninep_transfer_result(&o->read, bytes, io->len, f);
    struct ninep_msg m = {
        .type = NINEP_TREAD, .fid = o->fid, .offset = io->offset, .count = clamp_count(s, io->len)};
    return ninep_transfer_start(s->client, &o->read, &m, f);
}

static long files_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    struct ninep_files *s = state;
    struct open_file *o = io->file;
    if (ninep_transfer_is_active(&o->write))
        return ninep_transfer_result(&o->write, NULL, io->len, f);
    if (io->len > clamp_count(s, io->len))
        return fail_set(f, EFBIG, "9P");
    struct ninep_msg m = {.type = NINEP_TWRITE,
                          .fid = o->fid,
                          .offset = io->offset,
                          .data = bytes,
                          .count = (uint32_t)io->len};
    return ninep_transfer_start(s->client, &o->write, &m, f);
}

static void close_file(struct ninep_files *s, struct open_file *o)
{
    ninep_transfer_cancel(s->client, &o->read);
    ninep_client_forget(s->client, &o->write); /* what is written shall be */
    ninep_client_clunk(s->client, o->fid);
    buf_release(&o->read.data);
    *o = (struct open_file){.used = false};
}

static void files_close(void *state, void *file, uint64_t path)
{
    (void)path;
    close_file(state, file);
}

static int files_handle(void *state, void *file, uint64_t path)
{
    struct ninep_files *s = state;
    (void)file, (void)path;
    return s->handle;
}

/* --- connection --- */

void ninep_files_free(struct ninep_files *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < NINEP_OPEN; i++)
        if (s->file[i].used)
            close_file(s, &s->file[i]);
    for (size_t i = 0; i < NINEP_JOBS; i++)
        ninep_job_release(&s->job[i]);
    for (size_t i = 1; i < s->nodes; i++)
        free(s->node[i].name);
    free(s);
}

static void files_end(void *state)
{
    ninep_files_free(state);
}

struct ns_server ninep_files_server(struct ninep_files *files)
{
    static const struct ns_calls calls = {.walk = files_walk,
                                          .stat = files_stat,
                                          .entry = files_entry,
                                          .open = files_open,
                                          .read = files_read,
                                          .write = files_write,
                                          .close = files_close,
                                          .handle = files_handle,
                                          .end = files_end};
    return (struct ns_server){&calls, files};
}
