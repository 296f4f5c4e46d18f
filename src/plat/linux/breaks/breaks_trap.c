/*
 * When a tracer is killed, the kernel lets its tracees go as they are: a step that was begun ends
 * in SIGTRAP, which kills. So SIGTRAP gets a handler as long as a process is attached: an
 * instruction that returns, and the end of handlers that the C library has, are found in its code.
 * The kernel ends stepping where a handler begins (arch/x86/kernel/signal.c, handle_signal). It
 * must not be blocked: a signal that the kernel forces then resets its handler.
 */
#include "breaks_parts.h"

#include "core/sample/maps.h"
#include "plat/proc.h"
#include "ptrace/tracee_status.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>

enum { MAX_MAPPED = 64 << 20, BELOW_STACK = 256 /* beyond what leaf functions use */ };

static const uint64_t trap_bit = UINT64_C(1) << (SIGTRAP - 1);

/* --- code --- */

static bool find_in_mapping(const struct breaks_image *m, const struct maps_line *at,
                            struct tracee_trap *out)
{
    uint64_t len = at->end - at->start;
    SCOPED_FREE uint8_t *code = len <= MAX_MAPPED ? malloc(len) : NULL;
    bool found =
        code && breaks_read(m, at->start, code, len) && tracee_find_trap(code, len, at->start, out);
    return found;
}

static bool find_trap(const struct breaks_image *m, struct tracee_trap *out)
{
    SCOPED_BUF maps = BUF_INIT;
    struct maps_line at;
    bool found = false;
    const char *text = proc_text(m->pid, "maps", &maps, NULL) == 0 ? buf_str(&maps) : "";
    while (!found && maps_next(&text, &at))
        found = at.executable && at.path[0] == '/' && find_in_mapping(m, &at, out);
    return found;
}

/* --- the handler --- */

/* Below its stack is space for both: what is set, and what was. */
static int call_action(struct broken *x, const uint64_t set[TRACEE_ACTION_WORDS],
                       uint64_t was[TRACEE_ACTION_WORDS])
{
    const struct breaks_image *m = x->image;
    struct breaks_stop s = broken_stop(x, 0, 0);
    uint64_t sp, kept[2 * TRACEE_ACTION_WORDS];
    const size_t bytes = TRACEE_ACTION_WORDS * sizeof *set;
    int64_t result = 0;
    if (breaks_stack(&s, &sp) < 0)
        return -ESRCH;
    uint64_t at = (sp - BELOW_STACK) / 16 * 16 - sizeof kept;
    if (!breaks_read(m, at, kept, sizeof kept) || !breaks_write(m, at, set, bytes))
        return -EFAULT;
    struct tracee_call call = tracee_action_call(SIGTRAP, at, at + bytes);
    int r = breaks_make_call(&s, &call, &result);
    if (r == 0 && !breaks_read(m, at + bytes, was, bytes))
        r = -EFAULT;
    breaks_write(m, at, kept, sizeof kept);
    return r < 0 ? r : (int)result;
}

int breaks_set_trap(struct broken *x)
{
    struct breaks_image *m = x->image;
    struct tracee_trap trap;
    uint64_t action[TRACEE_ACTION_WORDS];
    if (tracee_has_handler(x->tid, SIGTRAP))
        return 0;
    if (!find_trap(m, &trap))
        return -ENOTSUP;
    m->system_call = trap.call;
    tracee_trap_action(&trap, action);
    int r = call_action(x, action, m->trap_before);
    m->has_trap = r == 0;
    return r;
}

void breaks_reset_trap(struct broken *x)
{
    struct breaks_image *m = x->image;
    uint64_t was[TRACEE_ACTION_WORDS];
    if (call_action(x, m->trap_before, was) == 0)
        m->has_trap = false;
}

/* --- what is blocked --- */

void broken_open_trap(struct broken *x, bool first)
{
    uint64_t mask;
    if (ptrace(PTRACE_GETSIGMASK, x->tid, (void *)sizeof mask, &mask) < 0)
        return;
    bool blocks = mask & trap_bit;
    if (first || tracee_sets_mask(&x->tracee))
        x->blocks_trap = blocks;
    mask &= ~trap_bit;
    if (blocks)
        ptrace(PTRACE_SETSIGMASK, x->tid, (void *)sizeof mask, &mask);
}

void broken_close_trap(const struct broken *x)
{
    uint64_t mask;
    if (!x->blocks_trap || ptrace(PTRACE_GETSIGMASK, x->tid, (void *)sizeof mask, &mask) < 0)
        return;
    mask |= trap_bit;
    ptrace(PTRACE_SETSIGMASK, x->tid, (void *)sizeof mask, &mask);
}
