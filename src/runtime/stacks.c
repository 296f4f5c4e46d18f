/*
 * The stacks a thread runs on: its own; a signal stack, which the kernel tells; a coroutine's,
 * which makecontext announced (wrap.c); or one that is met by an entry outside all of these, whose
 * bounds are guessed. Each has its own frames, under the node that was current where it came in,
 * and those of one are never judged by the stack pointer of another.
 *
 * While the current stack is changed the thread is not live: the calls of a handler that comes in
 * the middle of it are refused.
 */
#include "runtime.h"

#include <sys/mman.h>

enum { KNOWN = 256, SPARE_FRAMES = 1024, FEW_FRAMES = 32768, PLENTY = 128 << 20 };
#define GUESS_BELOW ((uintptr_t)8 << 20)
#define GUESS_ABOVE ((uintptr_t)512)
#define NEAR_END    ((uintptr_t)65536)

static struct rt_range known[KNOWN]; /* the latest contexts' stacks, a ring */
static unsigned known_next;
static size_t reserved; /* bytes of addresses */

static size_t bytes_for(size_t frames)
{
    return sizeof(struct rt_stack) + frames * sizeof(struct rt_frame);
}

/* Addresses are plenty on 64-bit processors; on others frames leave most of them to the program. */
static size_t max_frames(void)
{
    return sizeof(void *) == 8 || __atomic_load_n(&reserved, __ATOMIC_RELAXED) < PLENTY
               ? SIZE_MAX
               : FEW_FRAMES;
}

static struct rt_stack *stack_new(size_t frames)
{
    frames = frames < max_frames() ? frames : max_frames();
    for (; frames >= SPARE_FRAMES; frames /= 2) {
        struct rt_stack *s = mmap(NULL, bytes_for(frames), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (s == MAP_FAILED)
            continue;
        s->bytes = bytes_for(frames);
        s->limit = s->frames + frames;
        s->top = s->frames;
        __atomic_fetch_add(&reserved, s->bytes, __ATOMIC_RELAXED);
        return s;
    }
    return NULL;
}

static void unmap_stack(struct rt_stack *s)
{
    __atomic_fetch_sub(&reserved, s->bytes, __ATOMIC_RELAXED);
    munmap(s, s->bytes);
}

/* What lies deeper than there are frames for is outside. */
static void set_bounds(struct rt_stack *s, uintptr_t lo, uintptr_t hi)
{
    uintptr_t reach = (uintptr_t)(s->limit - s->frames - SPARE_FRAMES / 2) * RT_BYTES_A_FRAME;
    s->lo = hi - lo > reach ? hi - reach : lo;
    s->hi = hi;
}

void rt_stack_attach(struct rt_stack *s)
{
    const struct rt_stack *from = s->from;
    const struct rt_frame *f = from->top;
    s->in_hook = 0;
    for (; f > from->frames && !f->span; f--)
        s->in_hook++;
    if (f == from->frames)
        s->in_hook += from->in_hook;
    s->frames[0].node = f->node;
}

void rt_stack_time(struct rt_stack *s, uint64_t ticks)
{
    for (struct rt_frame *f = s->frames + 1; f <= s->top; f++)
        if (f->span && (psprof_header->type != PSPROF_ADAPTIVE || f->timed))
            f->node->time += (int64_t)ticks;
}

/* By the time of the event that changes it, so that no call lasts longer than its caller. */
static void set_paused(struct rt_stack *s, bool paused, uint64_t now)
{
    if (s->own || s->paused == paused || psprof_header->type == PSPROF_COUNT)
        return;
    s->paused = paused;
    rt_stack_time(s, paused ? now : -now);
}

bool rt_stack_add(struct rt_thread *t, uintptr_t lo, uintptr_t hi, struct psprof_node *under)
{
    struct rt_stack *s = stack_new((hi - lo) / RT_BYTES_A_FRAME + SPARE_FRAMES);
    if (!s)
        return false;
    set_bounds(s, lo, hi);
    s->own = !t->stacks;
    s->frames[0] = (struct rt_frame){.span = s->own ? s->hi - s->lo : 0, .node = under};
    s->next = t->stacks;
    t->stacks = s;
    return true;
}

void rt_stacks_release(struct rt_thread *t)
{
    while (t->stacks) {
        struct rt_stack *s = t->stacks;
        t->stacks = s->next;
        unmap_stack(s);
    }
    t->current = NULL;
}

void rt_stack_use(struct rt_tls *t, struct rt_stack *s)
{
    t->thread->current = s;
    t->lo = s->lo;
    t->limit = s->limit;
    RT_ORDERED();
    t->top = s->top;
}

/* The one around sp, which becomes the first of the list. */
static struct rt_stack *find_stack(struct rt_thread *t, uintptr_t sp)
{
    for (struct rt_stack **at = &t->stacks; *at; at = &(*at)->next) {
        struct rt_stack *s = *at;
        if (sp - s->lo >= s->hi - s->lo)
            continue;
        *at = s->next;
        s->next = t->stacks;
        return t->stacks = s;
    }
    return NULL;
}

static bool is_in_range(const struct rt_range *r, uintptr_t sp)
{
    return sp - r->lo < r->hi - r->lo;
}

static bool signal_stack(uintptr_t sp, struct rt_range *out)
{
    stack_t ss;
    if (sigaltstack(NULL, &ss) != 0 || ss.ss_flags & SS_DISABLE)
        return false;
    *out = (struct rt_range){.lo = (uintptr_t)ss.ss_sp, .hi = (uintptr_t)ss.ss_sp + ss.ss_size};
    return is_in_range(out, sp);
}

static bool known_stack(uintptr_t sp, struct rt_range *out)
{
    for (unsigned i = 0; i < KNOWN; i++)
        if (is_in_range(&known[i], sp)) {
            *out = known[i];
            return true;
        }
    return false;
}

static void guess_bounds(const struct rt_thread *t, uintptr_t sp, struct rt_range *out)
{
    struct rt_range m;
    if (!rt_mapping_of(sp, &m))
        m = (struct rt_range){.hi = UINTPTR_MAX};
    *out = m;
    if (m.heap || m.hi - sp > NEAR_END)
        out->hi = m.hi - sp < GUESS_ABOVE ? m.hi : sp + GUESS_ABOVE;
    if (sp - m.lo > GUESS_BELOW)
        out->lo = sp - GUESS_BELOW;
    for (const struct rt_stack *s = t->stacks; s; s = s->next) {
        if (s->hi <= sp && s->hi > out->lo)
            out->lo = s->hi;
        if (s->lo > sp && s->lo < out->hi)
            out->hi = s->lo;
    }
}

static void replace_from(struct rt_thread *t, const struct rt_stack *gone, struct rt_stack *by)
{
    for (struct rt_stack *s = t->stacks; s; s = s->next)
        if (s->from == gone)
            s->from = by;
}

/* What overlaps is no stack any more. */
static void remove_overlapping(struct rt_thread *t, const struct rt_range *r, uint64_t now)
{
    for (struct rt_stack **at = &t->stacks; *at;) {
        struct rt_stack *s = *at;
        if (s == t->current || s->own || s->lo >= r->hi || s->hi <= r->lo) {
            at = &s->next;
            continue;
        }
        rt_close_stack(t, s, s->top, s->paused ? 0 : now);
        *at = s->next;
        replace_from(t, s, s->from);
        unmap_stack(s);
    }
}

static struct rt_stack *add_stack(struct rt_thread *t, uintptr_t sp)
{
    struct rt_range r;
    if (!signal_stack(sp, &r) && !known_stack(sp, &r))
        guess_bounds(t, sp, &r);
    remove_overlapping(t, &r, rt_now());
    return rt_stack_add(t, r.lo, r.hi, t->root) ? t->stacks : NULL;
}

/* The current stack is the caller of a stack that is new or has no open calls; else it pauses. */
static void switch_stack(struct rt_stack *from, struct rt_stack *s, uint64_t now)
{
    if (s->own || s->top > s->frames)
        set_paused(from, true, now);
    set_paused(s, false, now);
    s->from = from;
}

bool rt_stack_switch(struct rt_tls *t, uintptr_t sp, bool may_add, uint64_t now)
{
    struct rt_thread *thread = t->thread;
    struct rt_stack *from = thread->current;
    t->state = RT_BUSY;
    RT_ORDERED();
    from->top = t->top;
    t->top = &psprof_outside;
    RT_ORDERED();
    struct rt_stack *s = find_stack(thread, sp);
    if (!s && may_add)
        s = add_stack(thread, sp);
    if (s)
        switch_stack(from, s, now ? now : rt_now());
    rt_stack_use(t, s ? s : from);
    RT_ORDERED();
    t->state = RT_LIVE;
    return s;
}

static void make_fresh(struct rt_thread *t, const struct rt_range *r)
{
    for (struct rt_stack *s = t->stacks; s; s = s->next)
        if (s != t->current && s->lo < r->hi && s->hi > r->lo)
            rt_close_stack(t, s, s->top, s->paused ? 0 : rt_now());
}

void rt_stack_register(uintptr_t lo, uintptr_t hi)
{
    unsigned i = __atomic_fetch_add(&known_next, 1, __ATOMIC_RELAXED) % KNOWN;
    known[i] = (struct rt_range){.lo = lo, .hi = hi};
    struct rt_tls *t = &psprof_tls;
    if (t->state == RT_LIVE)
        make_fresh(t->thread, &known[i]);
}
