/*
 * Threads get a tree at their first call, and give it back when they end: by a key's destructor, or
 * when a thread that needs a tree finds them gone. There are new trees for the first TREES threads
 * that run at a time; later ones write on in trees whose threads have ended.
 */
#include "runtime.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TREES = 64, LAST_ROUND = 4 };

struct rt_frame psprof_outside;
__thread struct rt_tls psprof_tls __attribute__((tls_model(RT_TLS_MODEL))) = RT_NO_TLS;
struct rt_thread *psprof_threads;

static unsigned trees;
static int threads_lock; /* taken before the store's */
static pthread_key_t key;
static bool has_key;

int rt_tid(void)
{
    return (int)syscall(SYS_gettid);
}

/* Closes the accounts of the thread that had the tree. */
static void close_thread(struct rt_thread *t)
{
    struct psprof_thread *s = t->slot;
    for (struct rt_stack *stack = t->stacks; stack; stack = stack->next)
        rt_close_stack(t, stack, stack->top, s->last_ticks);
    rt_stacks_release(t);
    if (!s->end_ticks)
        s->end_ticks = s->last_ticks;
    s->spent_ticks += s->end_ticks - s->start_ticks;
    t->tls = NULL;
}

static struct rt_thread *reuse_thread(uintptr_t pointer)
{
    struct rt_thread *t = rt_reuse_take(pointer);
    if (t && t->tls) /* it ended without notice */
        close_thread(t);
    return t;
}

static struct rt_thread *allocate_thread(void)
{
    struct rt_thread *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return t == MAP_FAILED ? NULL : t;
}

/* The slot and the first nodes; the root is one of them. */
static bool claim_slots(struct rt_thread *t)
{
    uint32_t slot = rt_store_claim(sizeof(struct psprof_thread) / PSPROF_SLOT_BYTES, false);
    uint32_t n = slot ? rt_store_block() : 0;
    uint32_t first = n ? rt_store_claim(n, true) : 0;
    if (!first)
        return false;
    t->slot = rt_slot(slot);
    t->root = rt_slot(first);
    t->node_next = first + 1;
    t->node_end = first + n;
    rt_node_init(t->root, 0, 0);
    rt_node_init(&t->refused_node, 0, 0);
    t->slot->root = first;
    return true;
}

static struct rt_thread *create_thread(void)
{
    struct rt_thread *t = allocate_thread();
    if (!t)
        return NULL;
    if (!claim_slots(t)) {
        munmap(t, sizeof *t);
        return NULL;
    }
    t->next = psprof_threads;
    psprof_threads = t;
    trees++;
    return t;
}

static bool stack_of(struct rt_thread *t, uintptr_t sp, uintptr_t pointer)
{
    struct rt_range r = t->own;
    if (t->pointer != pointer || sp - r.lo >= r.hi - r.lo)
        rt_own_stack(sp, &r);
    t->own = r;
    rt_reuse_own(t, pointer);
    return rt_stack_add(t, r.lo, r.hi, t->root);
}

static void write_slot(struct rt_thread *t)
{
    struct psprof_thread *s = t->slot;
    s->tid = (uint32_t)rt_tid();
    s->start_ticks = s->last_ticks = rt_now();
    s->end_ticks = 0;
    prctl(PR_GET_NAME, s->name);
    s->name[sizeof s->name - 1] = 0;
    if (s->threads++)
        return;
    s->next = psprof_header->threads;
    __atomic_store_n(&psprof_header->threads, rt_index(s), __ATOMIC_RELEASE);
}

static void at_thread_end(void *thread);

static struct rt_thread *tree_for(uintptr_t sp, struct rt_tls *t)
{
    uintptr_t pointer = (uintptr_t)__builtin_thread_pointer();
    struct rt_thread *got = trees >= TREES ? reuse_thread(pointer) : NULL;
    if (!got)
        got = create_thread();
    if (!got)
        got = reuse_thread(pointer); /* the table is full */
    if (!got)
        return NULL;
    if (!stack_of(got, sp, pointer)) {
        rt_reuse_free(got);
        return NULL;
    }
    got->tls = t;
    return got;
}

static bool begin_thread(struct rt_tls *t, uintptr_t sp)
{
    struct rt_thread *thread = tree_for(sp, t);
    if (!thread) {
        psprof_header->threads_refused++;
        t->state = RT_GONE;
        return false;
    }
    thread->destructor_rounds = 0;
    thread->jumped = thread->parked = false;
    t->thread = thread;
    t->last = &thread->slot->last_ticks;
    rt_event_begin(thread);
    rt_thread_clock_begin(thread);
    write_slot(thread);
    rt_stack_use(t, thread->stacks);
    t->state = RT_LIVE;
    return true;
}

static void watch_end(struct rt_thread *thread)
{
    if (!has_key)
        has_key = pthread_key_create(&key, at_thread_end) == 0;
    if (has_key)
        pthread_setspecific(key, thread);
}

bool rt_thread_begin(uintptr_t sp)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_sigstate held;
    rt_start();
    if (!rt_has_started() || !psprof_header || psprof_mode == RT_OFF)
        return false;
    t->state = RT_BUSY;
    rt_lock(&threads_lock, &held);
    bool live = begin_thread(t, sp);
    rt_unlock(&threads_lock, &held);
    if (live)
        watch_end(t->thread);
    return live;
}

static void end_thread(struct rt_tls *t)
{
    struct rt_sigstate held;
    struct rt_thread *thread = t->thread;
    rt_samples_read(t, 0, 0);
    t->state = RT_GONE;
    t->arcs = &psprof_no_arcs;
    RT_ORDERED();
    if (thread->current)
        thread->current->top = t->top == &psprof_outside ? thread->current->top : t->top;
    t->top = &psprof_outside;
    rt_thread_clock_sync(thread);
    thread->slot->last_ticks = thread->slot->end_ticks = rt_now();
    rt_lock(&threads_lock, &held);
    rt_event_end(thread);
    prctl(PR_GET_NAME, thread->slot->name);
    close_thread(thread);
    rt_reuse_free(thread);
    rt_unlock(&threads_lock, &held);
}

/* Other keys' destructors may still make calls: the last round of all is waited for. */
static void at_thread_end(void *thread)
{
    struct rt_tls *t = &psprof_tls;
    if (t->thread != thread || t->state != RT_LIVE)
        return;
    if (++t->thread->destructor_rounds < LAST_ROUND && pthread_setspecific(key, thread) == 0)
        return;
    end_thread(t);
}

void rt_threads_end(void)
{
    struct rt_tls *t = &psprof_tls;
    if (t->state != RT_LIVE || !psprof_clock || t->thread->parked)
        return;
    rt_samples_read(t, 0, 0);
    rt_event_check();
    rt_thread_clock_sync(t->thread);
    *t->last = rt_now();
}

/* In a child: the other threads are not there, and the trees are the parent's. */
void rt_threads_forget(void)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_thread *next;
    rt_reuse_forget();
    for (struct rt_thread *thread = psprof_threads; thread; thread = next) {
        next = thread->next;
        rt_stacks_release(thread);
        munmap(thread, sizeof *thread);
    }
    psprof_threads = NULL;
    trees = 0;
    threads_lock = 0;
    *t = (struct rt_tls)RT_NO_TLS;
}
