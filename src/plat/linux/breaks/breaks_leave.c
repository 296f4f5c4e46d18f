/*
 * Programs with breakpoints are left: each thread is stopped where no step and no slot holds it.
 * When all of a memory are, its code is as it was, and they go.
 */
#include "breaks_parts.h"

#include "core/base/buf.h"
#include "plat/proc.h"

#include <string.h>
#include <sys/ptrace.h>

void broken_detach(struct breaks *b, struct broken *x, int signal)
{
    tracee_go(&x->tracee, PTRACE_DETACH, signal);
    broken_remove(b, x);
}

/* --- a memory --- */

bool broken_is_zombie(int tid)
{
    SCOPED_BUF text = BUF_INIT;
    return proc_text(tid, "status", &text, NULL) == 0 && strstr(buf_str(&text), "\nState:\tZ");
}

/* Executes nothing. */
static bool rests(const struct broken *x)
{
    return x->parked || x->in_vfork || broken_is_zombie(x->tid);
}

static bool image_rests(const struct breaks *b, const struct breaks_image *m)
{
    for (size_t i = 0; i < b->threads.count; i++) {
        const struct broken *x = threads_at(&b->threads, i);
        if (x->image == m && !rests(x))
            return false;
    }
    return true;
}

static void reset_trap(const struct breaks *b, const struct breaks_image *m)
{
    for (size_t i = 0; m->has_trap && i < b->threads.count; i++) {
        struct broken *x = threads_at(&b->threads, i);
        if (x->image == m && x->parked)
            breaks_reset_trap(x);
    }
}

static void leave_image(struct breaks *b, struct breaks_image *m)
{
    if (!image_rests(b, m))
        return;
    breaks_uncover(m);
    reset_trap(b, m);
    for (size_t i = b->threads.count; i-- > 0;) {
        struct broken *x = threads_at(&b->threads, i);
        if (x->image == m && x->parked)
            broken_detach(b, x, x->parked_signal);
    }
}

/* --- a thread --- */

void broken_park(struct breaks *b, struct broken *x, struct breaks_resume how)
{
    if (how.moved)
        tracee_write_pc(&x->tracee, how.pc);
    tracee_release(&x->tracee);
    x->parked = true;
    x->parked_signal = how.signal;
    leave_image(b, x->image);
}

bool broken_has_trap_pending(int tid)
{
    struct __ptrace_peeksiginfo_args args = {.nr = 1};
    siginfo_t info;
    for (; ptrace(PTRACE_PEEKSIGINFO, tid, &args, &info) == 1; args.off++)
        if (info.si_signo == SIGTRAP)
            return true;
    return false;
}

void broken_interrupted(struct breaks *b, struct broken *x, int signal)
{
    struct breaks_resume how = {.next = BREAKS_RUN, .signal = signal};
    uint64_t pc;
    if (x->held.si_signo || broken_in_copy(x) || broken_has_trap_pending(x->tid) ||
        tracee_read_pc(&x->tracee, &pc) < 0) {
        broken_go(b, x, signal);
        return;
    }
    how.pc = x->slot_of ? broken_leave_slot(x, pc) : breaks_unslotted(x->image, pc);
    how.moved = how.pc != pc;
    broken_park(b, x, how);
}

/* --- all of them --- */

static bool interrupt_all(const struct breaks *b)
{
    bool any = false;
    for (size_t i = 0; i < b->threads.count; i++) {
        const struct broken *x = threads_at(&b->threads, i);
        if (x->parked)
            continue;
        ptrace(PTRACE_INTERRUPT, x->tid, NULL, NULL);
        any = any || !broken_is_zombie(x->tid);
    }
    return any;
}

bool breaks_sweep(struct breaks *b)
{
    for (size_t i = b->threads.count; i-- > 0;) {
        const struct broken *x = i < b->threads.count ? threads_at(&b->threads, i) : NULL;
        if (x && x->image)
            leave_image(b, x->image);
    }
    return interrupt_all(b);
}
