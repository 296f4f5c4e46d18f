/* The control groups that records have, and those that processes were asked for. */
#include "core/base/buf.h"
#include "count.h"

#include <errno.h>

enum { GENERATIONS = 8 }; /* of parents that are asked */

void sampled_cgroups_release(struct sampled_cgroups *g)
{
    imap_release(&g->of_id);
    intern_release(&g->path);
}

static uint32_t number_path(struct sampled *s, const char *path)
{
    uint32_t i = intern_string(&s->cgroups.path, path);
    if (i == INTERN_NONE)
        s->err = -ENOMEM;
    return i == INTERN_NONE ? 0 : i + 1;
}

const char *sampled_cgroup_path(const struct sampled *s, uint32_t group)
{
    return group ? intern_string_at(&s->cgroups.path, group - 1) : NULL;
}

/* --- of records --- */

static void name_cgroup(struct sampled *s, uint64_t id, const char *path)
{
    uint32_t number = number_path(s, path);
    uint64_t *group = number ? imap_at(&s->cgroups.of_id, id) : NULL;
    if (group)
        *group = number;
    else
        s->err = -ENOMEM;
}

void sampled_add_cgroup(struct sampled *s, const struct perfrec *r)
{
    name_cgroup(s, r->cgroup, r->name);
}

static uint32_t ask_number(struct sampled *s, uint64_t id)
{
    SCOPED_BUF path = BUF_INIT;
    if (s->hooks.cgroup(s->hooks.arg, id, &path))
        name_cgroup(s, id, buf_str(&path));
    return (uint32_t)imap_get(&s->cgroups.of_id, id);
}

uint32_t sampled_cgroup_of_id(struct sampled *s, uint64_t id)
{
    uint32_t group = id ? (uint32_t)imap_get(&s->cgroups.of_id, id) : 0;
    return group || !id || !s->hooks.cgroup ? group : ask_number(s, id);
}

/* --- of processes --- */

static const struct sampled_thread *main_thread(const struct sampled *s, uint32_t pid)
{
    size_t at = (size_t)imap_get(&s->threads.of_tid, pid);
    return at ? &s->threads.thread[at - 1] : NULL;
}

static uint32_t ask_process(struct sampled *s, uint32_t pid, sampled_ask_cgroup_fn *ask, void *arg)
{
    SCOPED_BUF path = BUF_INIT;
    const struct sampled_thread *t = main_thread(s, pid);
    uint32_t group = t ? t->cgroup : 0;
    if (ask(arg, pid, &path))
        group = number_path(s, buf_str(&path));
    return group;
}

void sampled_ask_cgroup(struct sampled *s, uint32_t thread, sampled_ask_cgroup_fn *ask, void *arg)
{
    struct sampled_thread *t = &s->threads.thread[thread];
    if (t->asked || t->by_record || !sampled_has_pid(t))
        return;
    uint32_t group = 0, pid = t->pid;
    for (int i = 0; i < GENERATIONS && pid && !group; i++) {
        group = ask_process(s, pid, ask, arg);
        const struct sampled_thread *first = main_thread(s, pid);
        pid = first ? first->ppid : 0;
    }
    t->asked = true;
    if (group)
        t->cgroup = group;
}
