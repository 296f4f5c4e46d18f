/* The control groups of a recording's processes. */
#include "recording_reading.h"
#include "recording_writing.h"

#include <string.h>

void recording_release_cgroups(struct recording_cgroups *g)
{
    imap_release(&g->of_pid);
    intern_release(&g->path);
}

/* --- writing --- */

static uint64_t number_path(struct recording_writer *w, const char *path)
{
    uint32_t i = intern_string(&w->cgroups.path, path);
    return i == INTERN_NONE ? 0 : (uint64_t)i + 1;
}

static uint64_t find_cgroup(struct recording_writer *w, uint32_t pid)
{
    SCOPED_BUF path = BUF_INIT;
    return w->cgroup_of(w->arg, pid, &path) ? number_path(w, buf_str(&path))
                                            : imap_get(&w->cgroups.of_pid, pid);
}

/* A process that has ended meanwhile was in the group of the one that started it, or of that one's
 * parent. */
static uint64_t find_inherited(struct recording_writer *w, const struct sampled *s, uint32_t pid)
{
    enum { GENERATIONS = 8 };
    uint64_t group = 0;
    for (int i = 0; i < GENERATIONS && pid && !group; i++) {
        group = find_cgroup(w, pid);
        size_t at = (size_t)imap_get(&s->threads.of_tid, pid);
        pid = at ? s->threads.thread[at - 1].ppid : 0;
    }
    return group;
}

static uint64_t cgroup_of(struct recording_writer *w, const struct sampled *s,
                          const struct sampled_thread *t)
{
    if (t->cgroup)
        return number_path(w, sampled_cgroup_path(s, t->cgroup));
    return w->cgroup_of ? find_inherited(w, s, t->pid) : 0;
}

/* Asked again when the main thread has a new name: a process is put into a group before an exec. */
void recording_define_cgroup(struct recording_writer *w, const struct sampled *s,
                             const struct sampled_thread *t)
{
    bool known = !t->cgroup && t->tid != t->pid && imap_get(&w->cgroups.of_pid, t->pid);
    if (!sampled_has_pid(t) || known)
        return;
    uint64_t group = cgroup_of(w, s, t);
    uint64_t *recorded = group ? imap_at(&w->cgroups.of_pid, t->pid) : NULL;
    if (!recorded || *recorded == group)
        return;
    *recorded = group;
    size_t start = w->out.len;
    put_varint(&w->out, t->pid);
    put_string(&w->out, intern_string_at(&w->cgroups.path, group - 1));
    recording_close_record(&w->out, start, RECORD_CGROUP);
}

/* --- reading --- */

void recording_read_cgroup(struct reading *r, struct varints *c)
{
    uint64_t pid = get_varint(c);
    size_t len;
    const char *text = get_text(c, &len);
    char path[RECORDING_MAX_PATH];
    if (c->bad || pid > UINT32_MAX || len >= sizeof path)
        return;
    memcpy(path, text, len);
    path[len] = '\0';
    uint64_t *group = imap_at(&r->recording->cgroups.of_pid, pid);
    uint32_t i = intern_string(&r->recording->cgroups.path, path);
    if (!group || i == INTERN_NONE)
        recording_fail(r, -ENOMEM);
    else
        *group = (uint64_t)i + 1;
}

const char *recording_cgroup(const struct recording *r, uint32_t pid)
{
    uint64_t group = imap_get(&r->cgroups.of_pid, pid);
    return group ? intern_string_at(&r->cgroups.path, group - 1) : NULL;
}
