/* What 9P2000.L has messages of its own for: looking at a file, opening it, reading a directory. */
#include "walk_job.h"

#include <errno.h>

enum { VALID_BASIC = 0x7ff, O_TRUNCATE = 01000, MAX_ENTRIES = 1 << 20 };

void ninep_job_linux_stat(const struct ninep_job *job, struct ninep_msg *m)
{
    *m = (struct ninep_msg){.type = NINEP_TGETATTR, .fid = job->fid, .valid = VALID_BASIC};
}

void ninep_job_linux_open(const struct ninep_job *job, struct ninep_msg *m)
{
    uint32_t flags = job->how & NS_ACCESS;
    if (job->how & NS_TRUNCATE)
        flags |= O_TRUNCATE;
    *m = (struct ninep_msg){.type = NINEP_TLOPEN, .fid = job->fid, .flags = flags};
}

void ninep_job_linux_attr(struct ninep_job *job, const struct ninep_msg *reply)
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

static void add_record(struct ninep_job *job, const struct ninep_entry *e)
{
    struct ninep_stat record = {.qid = e->qid, .name = e->name};
    if (ninep_text_equals(e->name, ".") || ninep_text_equals(e->name, ".."))
        return;
    if (e->qid.type & NINEP_DIR)
        record.mode = NINEP_DMDIR;
    ninep_stat_write(&record, NINEP_PLAIN, &job->list);
}

int ninep_job_linux_entries(struct ninep_job *job, const struct ninep_msg *reply, struct fail *f)
{
    const uint8_t *bytes = reply->data;
    struct ninep_entry e;
    for (size_t at = 0; at < reply->count;) {
        long n = ninep_entry_read(bytes + at, reply->count - at, &e);
        if (n <= 0)
            return fail_set(f, EPROTO, "9P: a directory");
        add_record(job, &e);
        job->next = e.offset;
        at += (size_t)n;
        if (++job->entries > MAX_ENTRIES)
            return fail_set(f, EFBIG, "directory");
    }
    return 0;
}
