#include "threads.h"

#include "core/base/grow.h"
#include "core/base/search.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of the first whose id is not below tid. */
static size_t find_position(const struct threads *t, int tid)
{
    return FIRST_WHERE(t->count, i, t->slot[i].tid >= tid);
}

static bool holds_at(const struct threads *t, size_t i, int tid)
{
    return i < t->count && t->slot[i].tid == tid;
}

void *threads_find(const struct threads *t, int tid)
{
    size_t i = find_position(t, tid);
    return holds_at(t, i, tid) ? t->slot[i].record : NULL;
}

void *threads_add(struct threads *t, int tid, size_t bytes)
{
    size_t i = find_position(t, tid);
    void *record = grow(&t->slot, &t->cap, t->count, sizeof *t->slot) ? calloc(1, bytes) : NULL;
    if (!record)
        return NULL;
    memmove(t->slot + i + 1, t->slot + i, (t->count - i) * sizeof *t->slot);
    t->slot[i] = (struct threads_slot){tid, record};
    t->count++;
    return record;
}

void threads_remove(struct threads *t, int tid)
{
    size_t i = find_position(t, tid);
    if (!holds_at(t, i, tid))
        return;
    free(t->slot[i].record);
    t->count--;
    memmove(t->slot + i, t->slot + i + 1, (t->count - i) * sizeof *t->slot);
}

void threads_release(struct threads *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->slot[i].record);
    free(t->slot);
    *t = (struct threads){0};
}

/* How many were not held, or -errno. */
static int hold_listed(const struct threads *t, const int *tid, int n,
                       int (*hold)(void *arg, int tid), void *arg)
{
    int added = 0, r = 0;
    for (int i = 0; i < n && r == 0; i++) {
        if (threads_find(t, tid[i]))
            continue;
        r = hold(arg, tid[i]);
        added++;
    }
    return r < 0 ? r : added;
}

int threads_hold_all(const struct threads *t, int pid, int (*hold)(void *arg, int tid), void *arg)
{
    enum { MAX_THREADS = 8192 };
    SCOPED_FREE int *tid = malloc(MAX_THREADS * sizeof *tid);
    int r = tid ? 1 : -ENOMEM;
    while (r > 0) {
        int n = proc_threads(pid, tid, MAX_THREADS, NULL);
        r = n < 0 ? n : n > MAX_THREADS ? -E2BIG : hold_listed(t, tid, n, hold, arg);
    }
    return r;
}
