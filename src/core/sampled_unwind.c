/* The user part of a sample's chain, out of its registers and a slice of its stack. */
#include "core/bytes.h"
#include "core/unwind.h"
#include "sampled_count.h"

#include <errno.h>
#include <string.h>

enum { MOST_PERF_REGISTERS = 64 };

struct unwinding {
    struct sampled *sampled;
    const struct perfrec *record;
    struct unwind_slice slice;
    const struct space_map *map; /* the last one that was asked for */
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

/* Of the stack, or of a module's code, which is as its file has it. */
static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct unwinding *u = arg;
    size_t size = 0;
    if (unwind_slice_read(&u->slice, addr, bytes, len))
        return true;
    const struct module *m = module_at(u, addr);
    const uint8_t *image = m && m->elf ? elf_image(m->elf, &size) : NULL;
    uint64_t offset = image ? addr - u->map->start + u->map->file_offset : 0;
    if (!image || offset > size || size - offset < len)
        return false;
    memcpy(bytes, image + offset, len);
    return true;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct unwinding *u = arg;
    struct module *m = module_at(u, pc);
    uint64_t vaddr;
    if (!m)
        return false;
    *out = (struct unwind_code){NULL, 0};
    if (!m->cfi_asked && u->sampled->need_cfi) {
        m->cfi_asked = true;
        u->sampled->need_cfi(u->sampled->arg, m);
    }
    if (m->cfi && module_vaddr(m, pc - u->map->start + u->map->file_offset, &vaddr))
        *out = (struct unwind_code){m->cfi, pc - vaddr};
    return true;
}

/* In the module of the last frame; of a guess, where it was made. */
static void count_end(struct unwinding *u, const struct unwind_result *r,
                      const struct unwind_frame *last)
{
    struct sampled_end end = {.module = SAMPLED_OUTSIDE, .end = r->end};
    uint64_t pc = r->end == UNWIND_GUESSED ? r->at : last ? unwind_lookup_pc(last) : 0;
    const struct space_map *map = last ? map_at(u, pc) : NULL;
    u->sampled->guessed += r->guessed > 0;
    if (map)
        end.module = (uint32_t)map->module;
    uint32_t i = intern(&u->sampled->ends, &end);
    if (i == INTERN_NONE)
        u->sampled->err = -ENOMEM;
    else
        ((struct sampled_end *)u->sampled->ends.record)[i].chains++;
}

/* The machine is that of the code that was sampled; of code that was compiled meanwhile, that of
 * the program. */
static bool machine_of(struct unwinding *u, enum unwind_machine *out)
{
    const struct sampled *s = u->sampled;
    const struct module *m = module_at(u, u->record->pc);
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
    uint64_t value[MOST_PERF_REGISTERS], mask = u->sampled->regs_user;
    size_t count = (size_t)__builtin_popcountll(mask);
    for (size_t i = 0; i < count; i++)
        value[i] = get_le64(r->regs + 8 * i);
    return unwind_regs_of_perf(machine, r->regs_abi, mask, value, count, out);
}

static void ask_for_stack(const struct unwinding *u, const struct unwind_result *r)
{
    enum { MOST_STACK = 1 << 16 }; /* of a sample */
    const struct sampled *s = u->sampled;
    uint64_t end = u->slice.addr + u->slice.len;
    if (s->need_stack && r->end == UNWIND_NO_MEMORY && r->at >= end &&
        r->at - u->slice.addr < MOST_STACK)
        s->need_stack(s->arg, u->record->pid, end, r->at + 1);
}

void sampled_unwind(struct sampled *s, const struct perfrec *r, struct sampled_chain *c)
{
    struct unwinding u = {.sampled = s, .record = r};
    struct unwind_space space = {.memory = memory, .code = code, .arg = &u};
    struct unwind_frame frame[SAMPLED_MOST_DEPTH];
    struct unwind_regs regs;
    size_t room = SAMPLED_MOST_DEPTH - c->depth;
    if (!room || !machine_of(&u, &space.machine) || !registers_of(&u, space.machine, &regs))
        return;
    u.slice = (struct unwind_slice){unwind_stack(space.machine, &regs), r->stack, r->stack_len};
    struct unwind_result result = unwind(&space, &regs, frame, room);
    for (size_t i = 0; i < result.frames; i++) {
        c->pc[c->depth] = unwind_lookup_pc(&frame[i]);
        c->space[c->depth++] = r->pid;
    }
    ask_for_stack(&u, &result);
    count_end(&u, &result, result.frames ? &frame[result.frames - 1] : NULL);
}
