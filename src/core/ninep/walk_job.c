#include "walk_job.h"

#include <errno.h>

static void finish_job(struct ninep_job *job, int error)
{
    job->ended = true;
    job->error = error;
}

static void fail_with(struct ninep_job *job, const struct fail *failure)
{
    job->failure = *failure;
    finish_job(job, failure->err ? -failure->err : -EINVAL);
}

static void send_request(struct ninep_job *job, const struct ninep_msg *m, ninep_done *done)
{
    int r = ninep_client_request(job->client, m, done, job, &job->failure);
    if (r < 0)
        finish_job(job, r);
}

static bool is_linux(const struct ninep_job *job)
{
    return ninep_client_dialect(job->client) == NINEP_L;
}

/* --- looking and opening --- */

static void on_open(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    if (!reply)
        fail_with(job, f);
    else
        finish_job(job, 0);
}

void ninep_stat_of(const struct ninep_stat *from, struct ns_stat *out)
{
    size_t len = from->name.len < NS_NAME_MAX ? from->name.len : NS_NAME_MAX;
    *out = (struct ns_stat){.path = from->qid.path,
                            .version = from->qid.version,
                            .directory = from->mode & NINEP_DMDIR,
                            .mode = from->mode & 0777,
                            .length = from->length,
                            .modified = from->modified};
    memcpy(out->name, from->name.at, len);
}

static void read_attr(struct ninep_job *job, const struct ninep_msg *reply)
{
    const struct ns_attr *a = &reply->attr;
    const char *name = job->names ? job->name[job->names - 1] : "/";
    job->stat = (struct ns_stat){.path = reply->qid.path,
                                 .version = reply->qid.version,
                                 .directory = reply->qid.type & NINEP_DIR,
                                 .mode = a->mode & 0777,
                                 .length = a->size,
                                 .modified = (int64_t)a->modified.s};
    memcpy(job->stat.name, name, strnlen(name, NS_NAME_MAX));
}

static void read_stat(struct ninep_job *job, const struct ninep_msg *reply)
{
    struct ninep_stat st;
    if (is_linux(job)) {
        read_attr(job, reply);
        finish_job(job, 0);
    } else if (ninep_stat_read(reply->data, reply->count, NINEP_PLAIN, &st) < 0) {
        finish_job(job, fail_set(&job->failure, EPROTO, "9P: what a reply holds"));
    } else {
        ninep_stat_of(&st, &job->stat);
        finish_job(job, 0);
    }
}

static void on_stat(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    if (reply)
        read_stat(job, reply);
    else
        fail_with(job, f);
}

static struct ninep_msg stat_request(const struct ninep_job *job)
{
    enum { VALID_BASIC = 0x7ff };
    return (struct ninep_msg){.type = is_linux(job) ? NINEP_TGETATTR : NINEP_TSTAT,
                              .fid = job->fid,
                              .valid = VALID_BASIC};
}

static void request_stat(struct ninep_job *job)
{
    const struct ninep_msg m = stat_request(job);
    send_request(job, &m, on_stat);
}

/* --- a stat that is sent behind the walk, without waiting for its reply --- */

/* Servers that answer in parallel may do so before the walk: then it is sent again. */
static void on_early_stat(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    job->stat_sent = false;
    if (job->walk_failed)
        finish_job(job, job->error);
    else if (job->has_fid && reply)
        read_stat(job, reply);
    else if (job->has_fid)
        request_stat(job);
}

/* If it cannot be sent now, it is when the walk was answered. */
static void request_early_stat(struct ninep_job *job)
{
    const struct ninep_msg m = stat_request(job);
    job->stat_sent = ninep_client_request(job->client, &m, on_early_stat, job, NULL) >= 0;
}

/* A message has the fields of its type: how is 9P2000's, flags are .L's. */
static void request_open(struct ninep_job *job)
{
    enum { O_TRUNCATE = 01000 };
    const struct ninep_msg m = {.type = is_linux(job) ? NINEP_TLOPEN : NINEP_TOPEN,
                                .fid = job->fid,
                                .how = (uint8_t)job->how,
                                .flags = (job->how & NS_ACCESS) |
                                         (job->how & NS_TRUNCATE ? O_TRUNCATE : 0)};
    send_request(job, &m, on_open);
}

static void continue_at_file(struct ninep_job *job)
{
    switch (job->kind) {
    case NINEP_JOB_NONE:
    case NINEP_JOB_WALK:
        finish_job(job, 0);
        break;
    case NINEP_JOB_STAT:
        if (!job->stat_sent)
            request_stat(job);
        break;
    case NINEP_JOB_LIST:
    case NINEP_JOB_OPEN:
        request_open(job);
        break;
    }
}

/* --- walking: 16 names at a time --- */

static void request_walk(struct ninep_job *job);

static void fail_short_walk(struct ninep_job *job, const struct ninep_walk *walk)
{
    bool through = walk->count && !(walk->qid[walk->count - 1].type & NINEP_DIR);
    finish_job(job, fail_set(&job->failure, through ? ENOTDIR : ENOENT, "%s",
                             job->names ? job->name[job->names - 1] : "/"));
}

/* The job has not ended while a stat is under way, whose reply would come to another. */
static void fail_walk(struct ninep_job *job, const struct ninep_msg *reply, const struct fail *f)
{
    if (reply)
        fail_short_walk(job, &reply->walk);
    else
        fail_with(job, f);
    job->walk_failed = true;
    job->ended = !job->stat_sent;
}

static size_t next_names(const struct ninep_job *job)
{
    size_t left = job->names - job->walked;
    return left < NINEP_WALK_MAX ? left : NINEP_WALK_MAX;
}

static void on_walk(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    size_t requested = next_names(job);
    if (!reply || reply->walk.count != requested) {
        fail_walk(job, reply, f);
        return;
    }
    job->has_fid = true;
    job->walked += requested;
    if (job->walked < job->names)
        request_walk(job);
    else
        continue_at_file(job);
}

static void request_walk(struct ninep_job *job)
{
    struct ninep_msg m = {.type = NINEP_TWALK, .fid = NINEP_ROOT, .newfid = job->fid};
    if (job->has_fid)
        m.fid = job->fid;
    for (size_t i = job->walked; i < job->names && m.walk.count < NINEP_WALK_MAX; i++)
        m.walk.name[m.walk.count++] = ninep_text(job->name[i]);
    send_request(job, &m, on_walk);
    bool is_whole = !job->has_fid && m.walk.count == job->names;
    if (!job->ended && job->kind == NINEP_JOB_STAT && is_whole)
        request_early_stat(job);
}

int ninep_job_begin(struct ninep_job *job, struct fail *f)
{
    int64_t fid = ninep_client_alloc_fid(job->client);
    if (fid < 0) {
        job->kind = NINEP_JOB_NONE;
        return fail_set(f, ENFILE, "9P");
    }
    job->fid = (uint32_t)fid;
    request_walk(job);
    if (!job->ended)
        return 0;
    int r = job->error;
    if (f)
        *f = job->failure;
    ninep_job_release(job);
    return r;
}

/* A walk in progress may still create the fid: the number stays in use. */
void ninep_job_release(struct ninep_job *job)
{
    if (job->kind == NINEP_JOB_NONE)
        return;
    if (!job->ended)
        ninep_client_forget(job->client, job);
    if (job->has_fid && !job->fid_moved)
        ninep_client_clunk(job->client, job->fid);
    else if (!job->has_fid && job->ended)
        ninep_client_fid_free(job->client, job->fid);
    ninep_listing_release(&job->listing, job->client);
    *job = (struct ninep_job){.kind = NINEP_JOB_NONE};
}
