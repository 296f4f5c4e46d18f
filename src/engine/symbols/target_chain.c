/* Call chains of the threads of a core file. */
#include "plat/guard.h"
#include "target_parts.h"

#include <errno.h>
#include <string.h>

struct unwinding {
    struct target *target;
    const struct coredump_thread *thread;
    struct unwind_frame *frame;
    size_t cap;
    struct unwind_result result;
};

static bool copy_bytes(const uint8_t *at, uint64_t avail, void *bytes, size_t len)
{
    if (!at || avail < len)
        return false;
    memcpy(bytes, at, len);
    return true;
}

/* Of the core file, else of the file that was mapped there: it has what the core file leaves out,
 * code above all. */
static bool read_memory(void *arg, uint64_t address, void *bytes, size_t len)
{
    struct target *t = ((struct unwinding *)arg)->target;
    uint64_t offset, vaddr, avail = 0;
    const uint8_t *at = coredump_memory(&t->core, address, &avail);
    if (at)
        return copy_bytes(at, avail, bytes, len);
    const struct module *m = mapped_at(&t->mapped, t->process, address, &offset);
    if (!m || !m->elf || !module_vaddr(m, offset, &vaddr))
        return false;
    at = elf_memory_at(m->elf, vaddr, &avail);
    return copy_bytes(at, avail, bytes, len);
}

static bool find_code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct target *t = ((struct unwinding *)arg)->target;
    uint64_t offset, vaddr;
    struct module *m = mapped_at(&t->mapped, t->process, pc, &offset);
    if (!m)
        return false;
    *out = (struct unwind_code){NULL, 0};
    symbols_ready(&t->symbols, m); /* its debug file may have the information */
    if (!m->cfi_asked)
        symbols_cfi(&t->symbols, m);
    m->cfi_asked = true;
    if (m->cfi && module_vaddr(m, offset, &vaddr))
        *out = (struct unwind_code){m->cfi, pc - vaddr};
    return true;
}

static bool find_next(void *arg, uint64_t address, uint64_t *start)
{
    struct target *t = ((struct unwinding *)arg)->target;
    const struct space_map *map = spaces_next(&t->mapped.spaces, t->process, address);
    if (map)
        *start = map->start;
    return map;
}

static int unwind_guarded(void *arg)
{
    struct unwinding *u = arg;
    struct unwind_space space = {.machine = u->thread->unwinder,
                                 .big_endian = u->target->core.big_endian,
                                 .memory = read_memory,
                                 .code = find_code,
                                 .next = find_next,
                                 .arg = u};
    u->result = unwind(&space, &u->thread->regs, u->frame, u->cap);
    return 0;
}

struct unwind_result target_chain(struct target *t, const struct coredump_thread *thread,
                                  struct unwind_frame *out, size_t cap)
{
    struct unwinding u = {t, thread, out, cap, {0}};
    if (guard_call(unwind_guarded, &u, NULL) == -EFAULT)
        u.result = (struct unwind_result){.end = UNWIND_UNREADABLE};
    return u.result;
}
