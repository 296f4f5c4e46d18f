#include "iotrace.h"

#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct traced *traced_find(const struct iotrace *t, int tid)
{
    size_t i = (size_t)imap_get(&t->of_tid, (uint64_t)tid);
    return i ? t->thread[i - 1] : NULL;
}

static bool make_room(struct iotrace *t)
{
    if (t->threads < t->room)
        return true;
    size_t room = t->room ? 2 * t->room : 16;
    struct traced **grown = realloc(t->thread, room * sizeof *grown);
    if (!grown)
        return false;
    t->thread = grown;
    t->room = room;
    return true;
}

struct traced *traced_add(struct iotrace *t, int tid)
{
    struct traced *x = make_room(t) ? calloc(1, sizeof *x) : NULL;
    uint64_t *index = x ? imap_at(&t->of_tid, (uint64_t)tid) : NULL;
    if (!index) {
        free(x);
        return NULL;
    }
    x->tid = tid;
    t->thread[t->threads] = x;
    *index = ++t->threads;
    return x;
}

void traced_remove(struct iotrace *t, struct traced *x)
{
    uint64_t *index = imap_at(&t->of_tid, (uint64_t)x->tid);
    size_t at = (size_t)*index - 1;
    struct traced *last = t->thread[--t->threads];
    *index = 0;
    t->thread[at] = last;
    if (last != x)
        *imap_at(&t->of_tid, (uint64_t)last->tid) = at + 1;
    traced_place_gone(t, x);
    t->cpu_calls -= x->in_call && x->call.call->kind == IO_CALL_CPUS;
    if (x->of)
        t->take.gone(t->take.arg, x->of);
    free(x->woken);
    free(x);
}

/* A kernel that does not compare: threads of a process do. */
bool traced_share_files(int parent, int child)
{
    char path[64];
    long r = syscall(SYS_kcmp, parent, child, KCMP_FILES, 0, 0);
    if (r >= 0)
        return r == 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d", parent, child);
    return access(path, F_OK) == 0;
}
