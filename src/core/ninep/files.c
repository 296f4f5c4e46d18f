#include "files_private.h"

#include <errno.h>
#include <stdlib.h>

struct ninep_files *ninep_files_new(struct ninep_client *client, int handle)
{
    struct ninep_files *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->handle = handle;
    s->client = client;
    s->connection = 1;
    return s;
}

void ninep_files_connect(struct ninep_files *s, struct ninep_client *client)
{
    s->client = client;
}

void ninep_files_disconnect(struct ninep_files *s)
{
    if (!s->client)
        return;
    ninep_lose_all(s);
    for (size_t i = 0; i < NINEP_JOBS; i++)
        ninep_end_job(s, &s->job[i]);
    s->client = NULL;
    s->connection++;
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

void ninep_end_job(struct ninep_files *s, struct ninep_job *j)
{
    uint64_t path = j->path;
    bool used = j->kind != NINEP_JOB_NONE;
    ninep_job_release(j);
    if (used)
        ns_names_drop(&s->names, path, 1);
}

static const char *text_of(const struct ninep_files *s, uint64_t path)
{
    const struct ns_name *n = ns_names_at(&s->names, path);
    return n ? n->text : "/";
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
        ninep_end_job(s, oldest);
    return oldest;
}

static int begin_job(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path, unsigned how,
                     struct fail *f)
{
    int r = s->client ? ninep_client_ready(s->client, f) : 0;
    if (r <= 0)
        return r < 0 ? r : fail_set(f, EINPROGRESS, "9P");
    struct ninep_job *j = free_job(s);
    if (!j)
        return fail_set(f, EBUSY, "9P");
    *j = (struct ninep_job){
        .client = s->client, .kind = kind, .path = path, .how = how, .age = s->age++};
    int names = ns_names_elements(&s->names, path, j->name);
    if (names < 0) {
        j->kind = NINEP_JOB_NONE;
        return fail_set(f, -names, "%s", text_of(s, path));
    }
    j->names = (size_t)names;
    r = ninep_job_begin(j, f);
    if (r < 0)
        return r;
    ns_names_ref(&s->names, path);
    return fail_set(f, EINPROGRESS, "%s", text_of(s, path));
}

static int poll_once(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path, unsigned how,
                     struct ninep_job **job, struct fail *f)
{
    struct ninep_job *j = find_job(s, kind, path, how);
    if (!j)
        return begin_job(s, kind, path, how, f);
    if (!j->ended)
        return fail_set(f, EINPROGRESS, "%s", text_of(s, path));
    *job = j;
    int r = j->error;
    if (r < 0 && f)
        *f = j->failure;
    if (r < 0)
        ninep_end_job(s, j);
    return r;
}

bool ninep_waited(struct ninep_files *s, long *r, struct fail *f)
{
    if (!s->owner.wait || (*r != -EINPROGRESS && *r != -ENOTCONN))
        return false;
    *r = s->owner.wait(s->owner.arg, *r, f);
    return *r == -EINPROGRESS;
}

int ninep_poll_job(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path, unsigned how,
                   struct ninep_job **job, struct fail *f)
{
    long r;
    do
        r = poll_once(s, kind, path, how, job, f);
    while (ninep_waited(s, &r, f));
    return (int)r;
}

/* --- core/ns/ns.h --- */

/* A name space gives no path back: each that it is given stays. */
static int64_t keep_name(struct ninep_files *s, uint64_t parent, const char *text, struct fail *f)
{
    int64_t i = ns_names_hold(&s->names, parent, text);
    if (i < 0)
        return fail_set(f, (int)-i, "%s", text);
    struct ns_name *n = ns_names_at(&s->names, (uint64_t)i);
    if (n->known_on)
        n->refs--; /* it is kept once */
    n->known_on = s->connection;
    return i;
}

/* What is known needs no message. */
static int look_for(struct ninep_files *s, uint64_t path, struct fail *f)
{
    struct ninep_job *j;
    struct ns_name *n = ns_names_at(&s->names, path);
    if (n->known_on == s->connection)
        return 0;
    int r = ninep_poll_job(s, NINEP_JOB_WALK, path, 0, &j, f);
    if (r == 0)
        ninep_end_job(s, j);
    return r;
}

static int files_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                      struct fail *f)
{
    struct ninep_files *s = state;
    int64_t i = ns_names_hold(&s->names, directory, name);
    if (i < 0)
        return fail_set(f, (int)-i, "%s", name);
    int r = look_for(s, (uint64_t)i, f);
    if (r == 0) {
        keep_name(s, directory, name, f);
        *path = (uint64_t)i;
    }
    ns_names_drop(&s->names, (uint64_t)i, 1);
    return r;
}

static int files_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    int r = ninep_poll_job(s, NINEP_JOB_STAT, path, 0, &j, f);
    if (r < 0)
        return r;
    *out = j->stat;
    out->path = path;
    ninep_end_job(s, j);
    return 0;
}

static int files_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                       struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    struct ninep_stat record;
    long r;
    do {
        r = ninep_poll_job(s, NINEP_JOB_LIST, directory, 0, &j, f);
        if (r < 0)
            return (int)r;
        j->listing.whole = true;
        r = ninep_listing_at(&j->listing, s->client, j->fid, index, &record, f);
        if (r <= 0 && !ns_would_block(r))
            ninep_end_job(s, j);
    } while (ninep_waited(s, &r, f));
    if (r <= 0)
        return (int)r;
    ninep_stat_of(&record, out);
    int64_t i = keep_name(s, directory, out->name, f);
    if (i < 0)
        return (int)i;
    if (ninep_client_dialect(s->client) == NINEP_L) { /* whose entries have names alone */
        r = files_stat(s, (uint64_t)i, out, f);
        if (r == 0 || ns_would_block(r))
            return r < 0 ? (int)r : 1;
    }
    out->path = (uint64_t)i;
    return 1;
}

/* --- connection --- */

void ninep_files_free(struct ninep_files *s)
{
    if (!s)
        return;
    ninep_files_disconnect(s);
    ninep_close_all(s);
    ns_names_release(&s->names);
    free(s);
}

void ninep_files_set_owner(struct ninep_files *s, const struct ninep_owner *owner)
{
    s->owner = *owner;
}

static void files_end(void *state)
{
    struct ninep_files *s = state;
    if (s->owner.end)
        s->owner.end(s->owner.arg);
    else
        ninep_files_free(s);
}

struct ns_server ninep_files_server(struct ninep_files *files)
{
    static const struct ns_calls calls = {.walk = files_walk,
                                          .stat = files_stat,
                                          .entry = files_entry,
                                          .open = ninep_files_open,
                                          .read = ninep_files_read,
                                          .write = ninep_files_write,
                                          .close = ninep_files_close,
                                          .handle = ninep_files_handle,
                                          .end = files_end};
    return (struct ns_server){&calls, files};
}
