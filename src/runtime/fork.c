/*
 * fork: the child lets go of the parent's file before it does anything else, and is silent; with
 * PROFFORK in the environment it records on in a file of its own, in which the calls that were open
 * count as open from the fork on, with a count of 0: they were counted in the parent.
 *
 * A child of vfork, or one made by the clone system call that shares memory, runs on the parent's
 * tree until its exec: its calls are the parent's. exec ends the mapping and keeps the file.
 */
#include "event.h"

#include <pthread.h>

enum { DEEPEST = 4096 };

/* Calls that were open on the current stack, outermost first: all of them up to DEEPEST. */
static struct rt_frame open_calls[DEEPEST];
static unsigned open_count;
static uintptr_t open_functions[DEEPEST], old_lo;

static void save_open_calls(void)
{
    struct rt_tls *t = &psprof_tls;
    open_count = 0;
    old_lo = t->lo;
    if (t->state != RT_LIVE || t->thread->parked)
        return;
    const struct rt_stack *s = t->thread->current;
    for (const struct rt_frame *f = s->frames + 1; f <= t->top; f++)
        if (f->span && open_count < DEEPEST) {
            open_functions[open_count] = (uintptr_t)f->node->pc;
            open_calls[open_count++] = *f;
        }
    if (open_count && !s->own) /* it will be the child's own */
        open_calls[0].site = ~open_calls[0].site;
}

static void reopen_call(struct rt_tls *t, const struct rt_frame *was, uintptr_t fn)
{
    rt_push(t, fn, was->span + old_lo - t->lo, was->site, was->back);
    t->top->node->count--;
}

static void resume_recording(int mode)
{
    struct rt_tls *t = &psprof_tls;
    rt_mode_set(mode);
    if (mode == RT_OFF || !rt_thread_begin((uintptr_t)__builtin_frame_address(0)))
        return;
    for (unsigned i = 0; i < open_count; i++)
        reopen_call(t, &open_calls[i], open_functions[i]);
}

static void in_child(void)
{
    int mode = psprof_mode;
    save_open_calls();
    rt_mode_set(RT_OFF);
    rt_threads_forget();
    rt_modules_forget();
    rt_store_forget();
    if (psprof_forks && mode != RT_UNSTARTED && rt_start_child() == 0)
        resume_recording(mode);
}

void rt_fork_watch(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
