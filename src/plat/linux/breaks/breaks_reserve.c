/* Memory for slots: the stopped thread makes a system call of ours. */
#include "breaks_parts.h"

#include "core/base/grow.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RETRIES = 64 };
#define MB (UINT64_C(1) << 20)

/* Steps until an instruction was executed, whatever signals come before it: their bits are in came.
 */
static int step_past(struct tracee *t, uint64_t *came)
{
    for (int i = 0; i < RETRIES; i++) {
        int status;
        int r = tracee_go(t, tracee_single_steps ? PTRACE_SINGLESTEP : PTRACE_CONT, 0);
        if (r < 0)
            return r;
        if (TEMP_FAILURE_RETRY(waitpid(t->tid, &status, __WALL)) < 0)
            return -errno;
        if (!WIFSTOPPED(status))
            return -ESRCH;
        if (WSTOPSIG(status) == SIGTRAP && !(status >> 16))
            return 0;
        if (!(status >> 16))
            *came |= UINT64_C(1) << (WSTOPSIG(status) - 1);
    }
    return -EAGAIN;
}

/* One instruction of its own, and where nothing steps the breakpoint behind it. Signals that come
 * meanwhile are sent anew, behind it: one that is pending comes before any instruction. */
static int step_once(struct tracee *t)
{
    uint64_t came = 0;
    int r = step_past(t, &came);
    for (int signal = 1; signal <= 64; signal++)
        if (came >> (signal - 1) & 1)
            kill(t->tid, signal);
    return r;
}

int breaks_make_call(const struct breaks_stop *s, struct tracee_call *call, int64_t *result)
{
    uint8_t old[TRACEE_CODE_BYTES];
    struct tracee *t = s->tracee;
    bool borrowed = !s->image->system_call;
    call->pc = borrowed ? s->pc : s->image->system_call;
    struct tracee_code code = tracee_call_code(call->pc);
    if (borrowed && (!breaks_read(s->image, call->pc, old, code.len) ||
                     !breaks_write(s->image, call->pc, code.bytes, code.len)))
        return -EFAULT;
    int r = tracee_hold(t);
    const tracee_user before = t->user;
    if (r == 0)
        r = tracee_begin_call(t, call);
    if (r == 0)
        r = step_once(t);
    if (r == 0)
        r = tracee_call_result(t, result);
    t->user = before;
    t->is_changed = t->is_held;
    if (borrowed)
        breaks_write(s->image, call->pc, old, code.len);
    return r;
}

static int map_at(const struct breaks_stop *s, uint64_t address, uint64_t bytes)
{
    struct tracee_call call = tracee_map_call(address, bytes), undo;
    int64_t got = 0;
    int r = breaks_make_call(s, &call, &got);
    if (r < 0)
        return r;
    if (got == (int64_t)address)
        return 0;
    if (got > 0) { /* the kernel has taken the address for a hint */
        undo = tracee_unmap_call((uint64_t)got, bytes);
        r = breaks_make_call(s, &undo, &got);
    }
    return r < 0 ? r : -EEXIST;
}

/* Below the code first: above it, the heap may begin. */
static int map_near(const struct breaks_stop *s, uint64_t start, uint64_t end, uint64_t bytes,
                    uint64_t *out)
{
    static const uint64_t distance[] = {16 * MB, 64 * MB, 256 * MB, 512 * MB, 1024 * MB};
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    int r = -ENOMEM;
    for (size_t i = 0; i < 2 * (sizeof distance / sizeof *distance); i++) {
        uint64_t away = distance[i / 2] + bytes;
        bool below = i % 2 == 0;
        if (below ? start < away + 256 * MB : i / 2 < 3)
            continue;
        *out = (below ? start - away : end + distance[i / 2]) / page * page;
        r = map_at(s, *out, bytes);
        if (r != -EEXIST)
            return r;
    }
    return r == -EEXIST ? -ENOMEM : r;
}

static bool add_slots(struct breaks_image *m, uint64_t start, size_t cap)
{
    if (!grow(&m->slots, &m->slots_cap, m->slots_count, sizeof *m->slots))
        return false;
    m->slots[m->slots_count++] = (struct breaks_slots){start, 1, cap};
    if (m->system_call)
        return true;
    m->system_call = start; /* in the first slot */
    struct tracee_code code = tracee_call_code(start);
    return breaks_write(m, start, code.bytes, code.len);
}

int breaks_reserve(const struct breaks_stop *s, uint64_t start, uint64_t end, size_t points)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (s->image->attached)
        return 0;
    if (points > SIZE_MAX / 2 / DISPLACED_SLOT_BYTES)
        return -ENOMEM;
    uint64_t bytes = ((points + 1) * DISPLACED_SLOT_BYTES + page - 1) / page * page, at = 0;
    int r = map_near(s, start, end, bytes, &at);
    if (r < 0)
        return r;
    return add_slots(s->image, at, (size_t)(bytes / DISPLACED_SLOT_BYTES)) ? 0 : -ENOMEM;
}
