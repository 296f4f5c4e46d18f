#include "walk_job.h"

#include <errno.h>

static void finish(struct ninep_job *job, int error)
{
    job->ended = true;
    job->error = error;
}

static void fail_with(struct ninep_job *job, const struct fail *why)
{
    job->why = *why;
    finish(job, why->err ? -why->err : -EINVAL);
}

static void malformed(struct ninep_job *job)
{
    finish(job, fail_set(&job->why, EPROTO, "9P: what a reply holds"));
}

static void send(struct ninep_job *job, const struct ninep_msg *m, ninep_done *done)
{
    int r = ninep_client_ask(job->client, m, done, job, &job->why);
    if (r < 0)
        finish(job, r);
}

static bool is_linux(const struct ninep_job *job)
{
    return ninep_client_dialect(job->client) == NINEP_L;
}

/* --- listing --- */

static void on_read(void *arg, const struct ninep_msg *reply, const struct fail *f);

static void read_on(struct ninep_job *job)
{
    struct ninep_msg m = {.type = NINEP_TREAD, .fid = job->fid, .offset = job->list.len};
    if (is_linux(job))
        m = (struct ninep_msg){.type = NINEP_TREADDIR, .fid = job->fid, .offset = job->next};
    m.count = ninep_client_msize(job->client) - NINEP_IO_HEAD;
    send(job, &m, on_read);
}

static void on_read(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    if (!reply) {
        fail_with(job, f);
        return;
    }
    if (!reply->count) {
        finish(job, 0);
        return;
    }
    if (is_linux(job)) {
        int r = ninep_job_linux_entries(job, reply, &job->why);
        if (r < 0) {
            finish(job, r);
            return;
        }
    } else {
        buf_add(&job->list, reply->data, reply->count);
    }
    if (buf_error(&job->list) || job->list.len > NINEP_LIST_MOST)
        finish(job, fail_set(&job->why, buf_error(&job->list) ? ENOMEM : EFBIG, "directory"));
    else
        read_on(job);
}

/* --- looking and opening --- */

static void on_open(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    if (!reply)
        fail_with(job, f);
    else if (job->want == NINEP_WANT_LIST)
        read_on(job);
    else
        finish(job, 0);
}

void ninep_stat_of(const struct ninep_stat *from, uint64_t path, struct ns_stat *out)
{
    size_t len = from->name.len < NS_NAME_MOST ? from->name.len : NS_NAME_MOST;
    *out = (struct ns_stat){.path = path,
                            .version = from->qid.version,
                            .directory = from->mode & NINEP_DMDIR,
                            .mode = from->mode & 0777,
                            .length = from->length,
                            .modified = from->modified};
    memcpy(out->name, from->name.at, len);
}

static void on_stat(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    struct ninep_stat st;
    if (!reply) {
        fail_with(job, f);
        return;
    }
    if (is_linux(job)) {
        ninep_job_linux_attr(job, reply);
    } else if (ninep_stat_read(reply->data, reply->count, NINEP_PLAIN, &st) < 0) {
        malformed(job);
        return;
    } else {
        ninep_stat_of(&st, job->path, &job->stat);
    }
    finish(job, 0);
}

static void arrived(struct ninep_job *job)
{
    struct ninep_msg stat = {.type = NINEP_TSTAT, .fid = job->fid};
    struct ninep_msg open = {.type = NINEP_TOPEN, .fid = job->fid, .how = (uint8_t)job->how};
    if (is_linux(job)) {
        ninep_job_linux_stat(job, &stat);
        ninep_job_linux_open(job, &open);
    }
    switch (job->want) {
    case NINEP_WANT_NOTHING:
    case NINEP_WANT_WALK:
        finish(job, 0);
        break;
    case NINEP_WANT_STAT:
        send(job, &stat, on_stat);
        break;
    case NINEP_WANT_LIST:
    case NINEP_WANT_OPEN:
        send(job, &open, on_open);
        break;
    }
}

/* --- walking: 16 names at a time --- */

static void walk_on(struct ninep_job *job);

static void on_walk(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct ninep_job *job = arg;
    size_t left = job->names - job->walked;
    size_t asked = left < NINEP_WALK_MOST ? left : NINEP_WALK_MOST;
    if (!reply) {
        fail_with(job, f);
        return;
    }
    if (reply->names != asked) {
        bool through = reply->names && !(reply->qids[reply->names - 1].type & NINEP_DIR);
        finish(job, fail_set(&job->why, through ? ENOTDIR : ENOENT, "%s",
                             job->names ? job->name[job->names - 1] : "/"));
        return;
    }
    job->has_fid = true;
    job->walked += asked;
    if (job->walked < job->names)
        walk_on(job);
    else
        arrived(job);
}

static void walk_on(struct ninep_job *job)
{
    struct ninep_msg m = {.type = NINEP_TWALK, .fid = NINEP_ROOT, .newfid = job->fid};
    if (job->has_fid)
        m.fid = job->fid;
    for (size_t i = job->walked; i < job->names && m.names < NINEP_WALK_MOST; i++)
        m.walk[m.names++] = ninep_text(job->name[i]);
    send(job, &m, on_walk);
}

int ninep_job_begin(struct ninep_job *job, struct fail *f)
{
    int64_t fid = ninep_client_fid(job->client);
    if (fid < 0) {
        job->want = NINEP_WANT_NOTHING;
        return fail_set(f, ENFILE, "9P");
    }
    job->fid = (uint32_t)fid;
    walk_on(job);
    if (!job->ended)
        return 0;
    int r = job->error;
    if (f)
        *f = job->why;
    ninep_job_release(job);
    return r;
}

/* A walk that is still under way may yet make the fid: it stays taken. */
void ninep_job_release(struct ninep_job *job)
{
    if (job->want == NINEP_WANT_NOTHING)
        return;
    if (!job->ended)
        ninep_client_forget(job->client, job);
    if (job->has_fid && !job->given)
        ninep_client_clunk(job->client, job->fid);
    else if (!job->has_fid && job->ended)
        ninep_client_fid_free(job->client, job->fid);
    buf_release(&job->list);
    *job = (struct ninep_job){.want = NINEP_WANT_NOTHING};
}
