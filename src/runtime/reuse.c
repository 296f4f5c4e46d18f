/*
 * Trees whose threads have ended, for threads that begin. Each question takes the same time however
 * many threads there are. All is done under the lock of thread.c.
 *
 * Most threads end by way of thread.c, which gives their trees back here. Those that do not are
 * found by a new thread that has their thread pointer, because two threads that run cannot have the
 * same, or when a few trees are checked each time that one is wanted.
 */
#include "runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUCKETS = 4096, CHECKED = 4 };

static struct rt_thread *by_pointer[BUCKETS]; /* the latest owner's */
static struct rt_thread *free_trees;
static struct rt_thread *checked; /* the next one is checked next */

static struct rt_thread **find_bucket(uintptr_t pointer)
{
    return &by_pointer[((uint64_t)pointer * 0x9e3779b97f4a7c15u >> 32) % BUCKETS];
}

static void remove_pointer(struct rt_thread *t)
{
    struct rt_thread **at = find_bucket(t->pointer);
    while (*at && *at != t)
        at = &(*at)->same_bucket;
    if (*at)
        *at = t->same_bucket;
}

void rt_reuse_own(struct rt_thread *t, uintptr_t pointer)
{
    struct rt_thread **at = find_bucket(pointer);
    remove_pointer(t);
    t->pointer = pointer;
    t->same_bucket = *at;
    *at = t;
}

void rt_reuse_free(struct rt_thread *t)
{
    t->next_free = free_trees;
    t->link_here = &free_trees;
    if (free_trees)
        free_trees->link_here = &t->next_free;
    free_trees = t;
}

static void unlink_free(struct rt_thread *t)
{
    if (!t->link_here)
        return;
    *t->link_here = t->next_free;
    if (t->next_free)
        t->next_free->link_here = t->link_here;
    t->link_here = NULL;
}

static struct rt_thread *of_same_pointer(uintptr_t pointer)
{
    struct rt_thread *t = *find_bucket(pointer);
    while (t && t->pointer != pointer)
        t = t->same_bucket;
    return t;
}

static bool has_ended(const struct rt_thread *t)
{
    return syscall(SYS_tgkill, getpid(), (int)t->slot->tid, 0) != 0 && errno == ESRCH;
}

/* Every tree gets its turn. */
static struct rt_thread *check_some(void)
{
    for (int i = 0; i < CHECKED; i++) {
        checked = checked && checked->next ? checked->next : psprof_threads;
        if (checked && has_ended(checked))
            return checked;
    }
    return NULL;
}

struct rt_thread *rt_reuse_take(uintptr_t pointer)
{
    struct rt_thread *t = of_same_pointer(pointer);
    if (!t)
        t = free_trees ? free_trees : check_some();
    if (t)
        unlink_free(t);
    return t;
}

/* In a child: the trees are gone, and another thread may have been changing the lists. */
void rt_reuse_forget(void)
{
    memset(by_pointer, 0, sizeof by_pointer);
    free_trees = checked = NULL;
}
