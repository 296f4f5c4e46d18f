/*
 * The thread's samples, read by its own hooks. Since the last hook nothing was called or left, so
 * that all new samples belong to the function on top, or to the probes: those that lie in the hooks
 * themselves, and those that were taken on a hook's slow path.
 *
 * They tell what the probes cost in this program, and what functions took without them.
 */
#include "event.h"

extern const char hooks_begin[] __asm__("__start_psprof_hooks")
    __attribute__((visibility("hidden")));
extern const char hooks_end[] __asm__("__stop_psprof_hooks") __attribute__((visibility("hidden")));

enum { EPILOGUE = 40 /* bytes */ };

struct psprof_node *rt_top_node(const struct rt_tls *t)
{
    const struct rt_frame *f = t->top, *base = t->thread->current->frames;
    while (f > base && !f->span)
        f--;
    return f->node;
}

RT_COLD void rt_samples_add(struct psprof_node *n, uint64_t samples)
{
    n->samples = samples < UINT32_MAX - n->samples ? n->samples + (uint32_t)samples : UINT32_MAX;
}

static bool is_probe(uint64_t ip)
{
    return ip - (uintptr_t)hooks_begin < (uintptr_t)(hooks_end - hooks_begin);
}

/* The few instructions behind the exit hook of a function still are that function's. */
static struct psprof_node *find_owner(const struct rt_tls *t, uint64_t ip)
{
    const struct rt_frame *left = t->top + 1;
    bool in_left = left->node && left->back != left->site && ip - left->back < EPILOGUE;
    return in_left ? left->node : rt_top_node(t);
}

struct counted {
    uint64_t entering, probes;
};

static void count_one(struct rt_tls *t, uint64_t ip, uintptr_t entering, uintptr_t back,
                      struct counted *c)
{
    if (is_probe(ip))
        c->probes++;
    else if (ip - entering < back - entering)
        c->entering++;
    else
        rt_samples_add(find_owner(t, ip), 1);
}

static struct rt_sample read_sample(const struct rt_tls *t, uint64_t at)
{
    union {
        struct rt_sample sample;
        uint64_t word[sizeof(struct rt_sample) / sizeof(uint64_t)];
    } s;
    rt_page *page = rt_page_of(t);
    const char *ring = (const char *)page + page->data_offset;
    for (unsigned i = 0; i < sizeof s / sizeof s.word[0]; i++)
        s.word[i] = *(const uint64_t *)(ring + (at + i * sizeof s.word[0]) % page->data_size);
    return s.sample;
}

/* Records may go on at the ring's beginning; what it has lost of them were samples. */
static void count_samples(struct rt_tls *t, uint64_t from, uint64_t head, uintptr_t entering,
                          uintptr_t back, struct counted *c)
{
    uint64_t size = rt_page_of(t)->data_size, over = head - from > size ? head - from - size : 0;
    uint64_t lost = (over + sizeof(struct rt_sample) - 1) / sizeof(struct rt_sample);
    rt_samples_add(rt_top_node(t), lost);
    for (uint64_t at = from + lost * sizeof(struct rt_sample); at < head;) {
        struct rt_sample s = read_sample(t, at);
        bool is = s.header.type == PERF_RECORD_SAMPLE && s.header.size == sizeof s;
        if (is)
            count_one(t, s.ip, entering, back, c);
        at += is || s.header.size < 8 || s.header.size % 8 ? sizeof s : s.header.size;
    }
}

static bool is_live(const struct rt_tls *t)
{
    return t->state == RT_LIVE && !t->thread->parked && t->thread->slot;
}

RT_COLD RT_PROBE uint64_t rt_samples_read(struct rt_tls *t, uintptr_t entering, uintptr_t back)
{
    struct counted c = {0, 0};
    if (!is_live(t))
        return 0;
    rt_page *page = rt_page_of(t);
    uint64_t head = page->data_head, from = t->head_seen;
    bool switched = psprof_running == RT_SAMPLED && page->lock != t->clock_seen;
    if (head == from && !switched)
        return 0;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    t->head_seen = head;
    if (head > from && page->data_size)
        count_samples(t, from, head, entering, back, &c);
    t->thread->slot->hook_samples += c.probes;
    if (switched)
        *t->last = rt_now();
    return c.entering;
}

RT_COLD RT_PROBE void rt_samples_to_hooks(struct rt_tls *t)
{
    uint64_t head = rt_page_of(t)->data_head, from = t->head_seen;
    if (head == from || !is_live(t))
        return;
    t->head_seen = head;
    t->thread->slot->hook_samples += (head - from) / sizeof(struct rt_sample);
}

void rt_samples_drop(struct rt_tls *t)
{
    t->head_seen = rt_page_of(t)->data_head;
}
