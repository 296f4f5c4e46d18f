/* The user part of a sample's chain, out of its registers and a slice of its stack. */
#include "core/unwind/unwind.h"
#include "core/base/bytes.h"
#include "count.h"
#include "stack_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PERF_REGISTERS = 64 };

struct unwinding {
    struct sampled *sampled;
    const struct perfrec *record;
    struct unwind_slice slice;
    const struct space_map *map; /* the last one that was asked for */
    struct stack_cache_sample stack;
    struct stack_cache *cache; /* NULL: the slice alone counts */
    bool used_cache;           /* more was asked for */
    bool beyond;               /* what is behind the slice was asked for, and is no code */
};

static const struct space_map *map_at(struct unwinding *u, uint64_t pc)
{
    if (!u->map || pc < u->map->start || pc >= u->map->end)
        u->map = spaces_find(&u->sampled->mapped.spaces, u->record->pid, pc);
    return u->map;
}

static struct module *module_at(struct unwinding *u, uint64_t pc)
{
    const struct space_map *map = map_at(u, pc);
    return map ? u->sampled->mapped.modules.module[map->module] : NULL;
}

static bool code_bytes(struct unwinding *u, const struct module *m, uint64_t addr, void *bytes,
                       size_t len)
{
    size_t size = 0;
    const uint8_t *image = m->elf ? elf_image(m->elf, &size) : NULL;
    uint64_t offset = image ? addr - u->map->start + u->map->file_offset : 0;
    if (!image || offset > size || size - offset < len)
        return false;
    memcpy(bytes, image + offset, len);
    return true;
}

static bool cached_bytes(struct unwinding *u, uint64_t addr, void *bytes, size_t len)
{
    const struct sampled *s = u->sampled;
    if (!u->cache || addr < u->stack.end)
        return false;
    u->used_cache = true;
    return stack_cache_read(u->cache, &u->stack, addr, bytes, len, s->hooks.read_stack,
                            s->hooks.arg);
}

/* Of the stack, or of a module's code, which is as its file has it. */
static bool read_memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct unwinding *u = arg;
    if (unwind_slice_read(&u->slice, addr, bytes, len))
        return true;
    const struct module *m = module_at(u, addr);
    u->beyond |= !m && addr >= u->stack.end;
    return m ? code_bytes(u, m, addr, bytes, len) : cached_bytes(u, addr, bytes, len);
}

static bool find_code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct unwinding *u = arg;
    struct module *m = module_at(u, pc);
    uint64_t vaddr;
    if (!m)
        return false;
    *out = (struct unwind_code){NULL, 0};
    if (!m->cfi_asked && u->sampled->hooks.need_cfi) {
        m->cfi_asked = true;
        u->sampled->hooks.need_cfi(u->sampled->hooks.arg, m);
    }
    if (m->cfi && module_vaddr(m, pc - u->map->start + u->map->file_offset, &vaddr))
        *out = (struct unwind_code){m->cfi, pc - vaddr};
    return true;
}

static bool find_next(void *arg, uint64_t addr, uint64_t *start)
{
    const struct unwinding *u = arg;
    const struct space_map *map = spaces_next(&u->sampled->mapped.spaces, u->record->pid, addr);
    if (map)
        *start = map->start;
    return map;
}

struct sampled_end *sampled_end_of(struct intern *ends, uint32_t module, uint32_t end)
{
    const struct sampled_end key = {.module = module, .end = end};
    uint32_t i = intern(ends, &key);
    return i == INTERN_NONE ? NULL : (struct sampled_end *)ends->record + i;
}

static void add_end(struct sampled *s, uint32_t module, uint32_t end, uint8_t event)
{
    struct sampled_end *of =
        sampled_end_of(&s->unwound.ends, module, end + event * SAMPLED_EVENT_ENDS);
    if (of)
        of->chains++;
    else
        s->err = -ENOMEM;
}

/* Of the first event, or of another one. */
static void count_of_event(struct unwinding *u, uint64_t *first, uint32_t end)
{
    if (u->record->event)
        add_end(u->sampled, SAMPLED_OUTSIDE, end, u->record->event);
    else
        ++*first;
}

/* In the module of the last frame; of a guess, where it was made. */
static void count_end(struct unwinding *u, const struct unwind_result *r,
                      const struct unwind_frame *last)
{
    uint64_t pc = r->end == UNWIND_GUESSED ? r->at : last ? unwind_lookup_pc(last) : 0;
    const struct space_map *map = last ? map_at(u, pc) : NULL;
    if (r->by_code > 0)
        count_of_event(u, &u->sampled->unwound.by_code, SAMPLED_END_BY_CODE);
    if (r->guessed > 0)
        count_of_event(u, &u->sampled->unwound.guessed, SAMPLED_END_GUESSED);
    add_end(u->sampled, map ? (uint32_t)map->module : SAMPLED_OUTSIDE, r->end, u->record->event);
}

/* The machine is that of the code that was sampled; of code that was compiled meanwhile, that of
 * the program. */
static bool machine_of(struct unwinding *u, enum unwind_machine *out)
{
    const struct sampled *s = u->sampled;
    const struct module *m = module_at(u, u->record->sample.pc);
    const struct modules *all = &s->mapped.modules;
    if (!m || !m->elf)
        m = mapped_main(&s->mapped);
    for (size_t i = 0; (!m || !m->elf) && i < all->count; i++)
        m = all->module[i];
    return m && m->elf && unwind_machine_of(elf_machine(m->elf), out);
}

static bool registers_of(struct unwinding *u, enum unwind_machine machine, struct unwind_regs *out)
{
    const struct perfrec *r = u->record;
    uint64_t value[MAX_PERF_REGISTERS], mask = u->sampled->regs_user;
    size_t count = (size_t)__builtin_popcountll(mask);
    for (size_t i = 0; i < count; i++)
        value[i] = get_le64(r->sample.regs + 8 * i);
    return unwind_regs_of_perf(machine, r->sample.regs_abi, mask, value, count, out);
}

static struct stack_cache *get_stack_cache(struct sampled *s)
{
    if (!s->unwound.cached_stacks && s->hooks.read_stack) {
        s->unwound.cached_stacks = calloc(1, sizeof *s->unwound.cached_stacks);
        sampled_round(s);
    }
    return s->unwound.cached_stacks;
}

/* Of the frames whose return address may have been read late each was found by a rule, and is where
 * the frame below was called from. */
static bool calls_hold(const struct unwinding *u, const struct unwind_space *space,
                       const struct unwind_frame *frame, size_t frames)
{
    for (size_t i = 1; i < frames; i++)
        if (frame[i].sp > u->stack.end &&
            (frame[i].method != UNWIND_CFI ||
             !unwind_is_call(space, frame[i].pc, unwind_lookup_pc(&frame[i - 1]))))
            return false;
    return true;
}

/* Memory read after the sample is used only where it completes a chain. */
static struct unwind_result unwind_chain(struct unwinding *u, const struct unwind_space *space,
                                         const struct unwind_regs *regs, struct unwind_frame *frame,
                                         size_t cap)
{
    u->cache = get_stack_cache(u->sampled);
    struct unwind_result r = unwind(space, regs, frame, cap);
    if (!u->used_cache)
        return r;
    u->cache = NULL;
    if (r.end != UNWIND_WHOLE || !calls_hold(u, space, frame, r.frames))
        return unwind(space, regs, frame, cap);
    count_of_event(u, &u->sampled->unwound.from_cache, SAMPLED_END_FROM_CACHE);
    return r;
}

/* The outermost frame is as far out as a chain needs the stack. A chain that was completed by what
 * was read late had too little of it. */
static void count_need(struct unwinding *u, const struct unwind_result *r,
                       const struct unwind_frame *frame)
{
    uint64_t used = r->frames ? frame[r->frames - 1].sp - u->slice.addr : 0;
    stack_need_add(&u->sampled->unwound.need, used, u->slice.len,
                   u->used_cache || (u->beyond && r->end != UNWIND_WHOLE));
}

void sampled_unwind(struct sampled *s, const struct perfrec *r, struct sampled_chain *c)
{
    struct unwinding u = {.sampled = s, .record = r};
    struct unwind_space space = {
        .memory = read_memory, .code = find_code, .next = find_next, .arg = &u};
    struct unwind_frame frame[SAMPLED_MAX_DEPTH];
    struct unwind_regs regs;
    size_t cap = SAMPLED_MAX_DEPTH - c->depth;
    if (!cap || !machine_of(&u, &space.machine) || !registers_of(&u, space.machine, &regs))
        return;
    uint64_t sp = unwind_stack(space.machine, &regs);
    u.slice = (struct unwind_slice){sp, r->sample.stack, r->sample.stack_len};
    u.stack = (struct stack_cache_sample){r->pid, sp, sp + r->sample.stack_len, r->time};
    struct unwind_result result = unwind_chain(&u, &space, &regs, frame, cap);
    count_need(&u, &result, frame);
    for (size_t i = 0; i < result.frames; i++) {
        c->pc[c->depth] = unwind_lookup_pc(&frame[i]);
        c->space[c->depth++] = r->pid;
    }
    count_end(&u, &result, result.frames ? &frame[result.frames - 1] : NULL);
}

void sampled_round(struct sampled *s)
{
    if (s->unwound.cached_stacks)
        s->unwound.cached_stacks->round++;
}

bool sampled_uses_stack_cache(const struct sampled *s)
{
    enum { LAST_ROUNDS = 10 };
    const struct stack_cache *l = s->unwound.cached_stacks;
    return l && l->last_read_round && l->round - l->last_read_round < LAST_ROUNDS;
}
