#include "core/stats/usage_times.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"

#include <stdlib.h>

enum { SPARE_IDS = 1024 };

struct usage_known {
    int pid;
    uint64_t started, cpu_ns, round;
};

void usage_times_release(struct usage_times *t)
{
    imap_release(&t->of_pid);
    free(t->known);
    *t = (struct usage_times){0};
}

void usage_times_begin(struct usage_times *t)
{
    t->round++;
}

/* NULL: memory ended. */
static struct usage_known *known_of(struct usage_times *t, int pid, bool *is_new)
{
    uint64_t *at = imap_at(&t->of_pid, (uint64_t)pid);
    *is_new = at && !*at;
    if (!at)
        return NULL;
    if (!*is_new)
        return &t->known[*at - 1];
    if (!grow(&t->known, &t->cap, t->count, sizeof *t->known))
        return NULL;
    *at = ++t->count;
    return &t->known[t->count - 1];
}

bool usage_times_add(struct usage_times *t, int pid, uint64_t started, uint64_t cpu_ns,
                     uint64_t *since_ns)
{
    bool is_new;
    struct usage_known *k = known_of(t, pid, &is_new);
    *since_ns = 0;
    if (!k)
        return false;
    if (is_new)
        *since_ns = t->round > 1 ? cpu_ns : 0;
    else
        *since_ns = k->started != started ? cpu_ns : ns_between(k->cpu_ns, cpu_ns);
    *k = (struct usage_known){pid, started, cpu_ns, t->round};
    return true;
}

/* Ids that have ended stay in the map until most of it is such. Without memory all begins anew. */
static void forget_ended(struct usage_times *t)
{
    if (t->of_pid.used <= 2 * t->count + SPARE_IDS)
        return;
    imap_release(&t->of_pid);
    for (size_t i = 0; i < t->count; i++) {
        uint64_t *at = imap_at(&t->of_pid, (uint64_t)t->known[i].pid);
        if (!at)
            return usage_times_release(t);
        *at = i + 1;
    }
}

void usage_times_end(struct usage_times *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++) {
        uint64_t *at = imap_at(&t->of_pid, (uint64_t)t->known[i].pid);
        bool lives = t->known[i].round == t->round;
        if (lives)
            t->known[kept++] = t->known[i];
        if (at)
            *at = lives ? kept : 0;
    }
    t->count = kept;
    forget_ended(t);
}
