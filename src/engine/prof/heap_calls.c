/* Calls of malloc's family, from their first instruction to where they return to. */
#include "heap_parts.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"
#include "plat/proc.h"

enum { SLICE = 32768, MAX_REGISTERS = 64, LONGEST_RETURN = 16 };

/* --- who called --- */

/* Within the call that has returned to the pc. */
static uint64_t call_before(const struct heap_run *h, uint64_t pc)
{
    uint64_t is_thumb = h->perf.word == 4 ? pc & 1 : 0;
    return pc - is_thumb - h->perf.call;
}

/* The caller's registers are those behind its call, and it is at the call. */
static bool read_registers(const struct heap_run *h, const struct breaks_stop *s, uint64_t mask,
                           uint64_t value[MAX_REGISTERS])
{
    int at = __builtin_popcountll(mask & ((UINT64_C(1) << h->perf.pc) - 1));
    if (breaks_registers(s, mask, value) < 0)
        return false;
    value[at] = call_before(h, s->pc);
    return true;
}

/* INTERN_NONE: it is not known. */
static uint32_t caller_node(struct heap_run *h, const struct breaks_stop *s, uint64_t sp)
{
    const struct heap_image *m = breaks_data(s->image);
    struct sampled *sampled = &h->sampling->sampled;
    uint64_t value[MAX_REGISTERS];
    uint8_t stack[SLICE];
    bool shortened = false;
    struct perfrec r = {.type = PERFREC_SAMPLE,
                        .pid = m->pid,
                        .tid = (uint32_t)s->tid,
                        .time = ++h->time,
                        .mode = PERFREC_USER};
    if (!read_registers(h, s, sampled->regs_user, value))
        return INTERN_NONE;
    r.sample = (struct perfrec_sample){.pc = call_before(h, s->pc),
                                       .regs = (const uint8_t *)value,
                                       .regs_abi = h->perf.abi,
                                       .stack = stack};
    r.sample.stack_len = proc_memory(s->pid, sp, stack, sizeof stack) & ~(size_t)7;
    sampled_round(sampled);
    uint32_t node = sampled_chain_node(sampled, &r, &shortened);
    sampled->count.shortened += shortened;
    sampled->unwound.from_cache = 0; /* the thread is stopped: what lies beyond is as old */
    return node;
}

/* --- a call begins --- */

static bool reads_bytes(enum heap_function function, const uint64_t arg[4], uint64_t *bytes)
{
    switch (function) {
    case HEAP_CALLOC:
        return !__builtin_mul_overflow(arg[0], arg[1], bytes);
    case HEAP_REALLOCARRAY:
        return !__builtin_mul_overflow(arg[1], arg[2], bytes);
    case HEAP_REALLOC:
    case HEAP_MEMALIGN:
        *bytes = arg[1];
        return true;
    case HEAP_POSIX_MEMALIGN:
        *bytes = arg[2];
        return true;
    default:
        *bytes = arg[0];
        return true;
    }
}

static bool is_resizing(enum heap_function function)
{
    return function == HEAP_REALLOC || function == HEAP_REALLOCARRAY;
}

static void drop_call(struct heap_run *h, size_t i)
{
    struct heap_call *c = &h->call[i];
    struct heap_image *m = breaks_data(c->image);
    if (c->resizes && m)
        heap_put_back(&m->heap, c->address, &c->resized);
    *c = h->call[--h->calls];
}

/* Whether the thread is within a call that is followed. Calls further in on its stack that have not
 * returned, because of a longjmp, are forgotten; so is one that begins anew after a signal. */
static bool is_within(struct heap_run *h, int tid, uint64_t sp)
{
    bool within = false;
    for (size_t i = h->calls; i--;) {
        if (h->call[i].tid != tid)
            continue;
        if (h->call[i].sp > sp)
            within = true;
        else
            drop_call(h, i);
    }
    return within;
}

static void add_call(struct heap_run *h, const struct breaks_stop *s, const struct heap_call *call)
{
    struct heap_image *m = breaks_data(s->image);
    if (!grow(&h->call, &h->cap, h->calls, sizeof *h->call)) {
        h->failed = true;
        return;
    }
    if (heap_set_return(h, s, call->returns_to) < 0) {
        h->sampling->sampled.heap.lost++;
        return;
    }
    struct heap_call *c = &h->call[h->calls++];
    *c = *call;
    if (is_resizing(c->function) && c->address)
        c->resizes = heap_take(&m->heap, c->address, &c->resized);
    m->heap.unknown += is_resizing(c->function) && c->address && !c->resizes;
}

static const struct space_map *code_at(const struct heap_run *h, const struct heap_image *m,
                                       uint64_t pc)
{
    return spaces_find(&h->sampling->sampled.mapped.spaces, m->pid, pc);
}

/* What libc frees itself may be what it kept of blocks that were freed before: glibc empties a
 * thread's cache by free. */
static void call_free(const struct heap_run *h, const struct breaks_stop *s, uint64_t address)
{
    struct heap_image *m = breaks_data(s->image);
    uint64_t returns_to;
    if (!address || heap_freed(&m->heap, address) || breaks_return_address(s, &returns_to) < 0)
        return;
    const struct space_map *own = code_at(h, m, s->pc), *caller = code_at(h, m, returns_to);
    m->heap.unknown += !own || !caller || own->module != caller->module;
}

void heap_call_begins(struct heap_run *h, const struct breaks_stop *s, enum heap_function function)
{
    struct heap_call call = {.image = s->image, .tid = s->tid, .function = function};
    uint64_t arg[4];
    if (breaks_arguments(s, arg) < 0 || breaks_stack(s, &call.sp) < 0 ||
        is_within(h, s->tid, call.sp))
        return;
    if (function == HEAP_FREE) {
        call_free(h, s, arg[0]);
        return;
    }
    call.address = arg[0];
    if (reads_bytes(function, arg, &call.bytes) && breaks_return_address(s, &call.returns_to) == 0)
        add_call(h, s, &call);
}

/* --- and returns --- */

static bool read_word(const struct heap_run *h, const struct breaks_stop *s, uint64_t address,
                      uint64_t *out)
{
    uint8_t bytes[8] = {0};
    if (proc_memory(s->pid, address, bytes, h->perf.word) != h->perf.word)
        return false;
    *out = get_le64(bytes);
    return true;
}

/* What was allocated; 0: nothing. */
static uint64_t result_of(const struct heap_run *h, const struct breaks_stop *s,
                          const struct heap_call *c, uint64_t value)
{
    uint64_t address = 0;
    if (c->function != HEAP_POSIX_MEMALIGN)
        return value;
    if ((uint32_t)value == 0 && !read_word(h, s, c->address, &address))
        address = 0;
    return address;
}

/* glibc's realloc to 0 bytes frees the block, and returns nothing. */
static void end_failed(struct heap_image *m, const struct heap_call *c)
{
    if (!c->resizes)
        return;
    heap_put_back(&m->heap, c->address, &c->resized);
    if (!c->bytes)
        heap_freed(&m->heap, c->address);
}

static void end_call(struct heap_run *h, const struct breaks_stop *s, const struct heap_call *c,
                     uint64_t value, uint64_t sp)
{
    struct heap_image *m = breaks_data(s->image);
    uint64_t address = result_of(h, s, c, value);
    if (!address) {
        end_failed(m, c);
        return;
    }
    uint32_t node = h->site_of ? h->site_of(h->arg, m, s) : caller_node(h, s, sp);
    if (node == INTERN_NONE) {
        bool shortened;
        node = sampled_node(&h->sampling->sampled,
                            &(struct sampled_node){0, SAMPLED_OUTSIDE, INTERN_NONE}, &shortened);
    }
    if (node == INTERN_NONE)
        h->failed = true;
    else if (c->resizes)
        heap_resized(&m->heap, &c->resized, address, c->bytes, node);
    else
        heap_allocated(&m->heap, address, c->bytes, node);
}

void heap_call_returns(struct heap_run *h, const struct breaks_stop *s)
{
    uint64_t value, sp;
    if (breaks_result(s, &value) < 0 || breaks_stack(s, &sp) < 0)
        return;
    for (size_t i = h->calls; i--;) {
        struct heap_call c = h->call[i];
        if (c.tid != s->tid || c.returns_to != s->pc || sp < c.sp || sp - c.sp > LONGEST_RETURN)
            continue;
        h->call[i] = h->call[--h->calls];
        end_call(h, s, &c, value, sp);
        return;
    }
}

void heap_calls_forget(struct heap_run *h, const struct breaks_image *image)
{
    for (size_t i = h->calls; i--;)
        if (h->call[i].image == image)
            drop_call(h, i);
}
