/* How a thread goes from one instruction to the next. */
#include "breaks_parts.h"

#include <string.h>
#include <sys/ptrace.h>

enum {
    HANDLER_BEGINS = SIGTRAP, /* si_code: ptrace_notify's, when it is stepped into a handler */
    RESERVED_AT_ONCE = 1024,  /* slots */
    DONE_AT_ONCE = 1000,      /* instructions, before one is executed in the thread */
};

struct breaks_stop broken_stop(struct broken *x, uint64_t pc, uint64_t from)
{
    return (struct breaks_stop){.image = x->image,
                                .pid = x->image->pid,
                                .tid = x->tid,
                                .pc = pc,
                                .from = from,
                                .tracee = &x->tracee};
}

/* --- going on --- */

/* What executes the instruction at pc other than in its place; NULL: nothing has to. */
static const struct breaks_point *point_for(struct broken *x, uint64_t pc)
{
    if (tracee_single_steps)
        return breaks_point_at(x->image, pc);
    struct breaks_stop s = broken_stop(x, pc, pc);
    const struct breaks_point *p = breaks_point_made(x->image, pc);
    if (!p && breaks_reserve(&s, pc, pc, RESERVED_AT_ONCE) == 0)
        p = breaks_point_made(x->image, pc);
    return p;
}

static enum tracee_done do_instruction(struct broken *x, uint64_t *pc)
{
    const struct breaks_point *p = point_for(x, *pc);
    return p ? tracee_do(&x->tracee, &p->code, breaks_read_code, x->image, pc) : TRACEE_NOT_DONE;
}

/* Does, and reports, what needs no step. */
static void pass_done(struct breaks *b, struct broken *x, struct breaks_resume *how, bool *over)
{
    uint64_t from = how->pc;
    enum tracee_done done;
    for (int i = 0; i < DONE_AT_ONCE && (how->next == BREAKS_STEP || *over); i++) {
        if ((done = do_instruction(x, &how->pc)) == TRACEE_NOT_DONE)
            return;
        struct breaks_stop s = broken_stop(x, how->pc, from);
        how->moved = true;
        if (!*over && done == TRACEE_DONE)
            how->next = b->callbacks.stepped(b->callbacks.arg, &s);
        *over = false;
        from = how->pc;
    }
}

bool broken_is_call(const struct broken *x, uint64_t at)
{
    uint8_t bytes[TRACEE_CODE_BYTES];
    struct tracee_code code = tracee_call_code(at);
    return breaks_read_code(x->image, at, bytes, tracee_call_bytes) &&
           memcmp(bytes, code.bytes, tracee_call_bytes) == 0;
}

/* Behind a system call that the kernel may yet begin again: by setting the pc back. */
static bool follows_call(const struct broken *x, uint64_t pc)
{
    return !tracee_calls_go_back && pc == x->at + tracee_call_bytes && broken_is_call(x, x->at);
}

void broken_go_by(struct breaks *b, struct broken *x, int request, int signal)
{
    place_resume(&b->place, &x->placed);
    tracee_go(&x->tracee, request, signal);
}

/* The end of a call about CPUs is a stop, too. */
void broken_go(struct breaks *b, struct broken *x, int signal)
{
    bool step = tracee_single_steps && x->stepping && !x->sequence;
    int request = step ? PTRACE_SINGLESTEP : x->calls_cpus ? PTRACE_SYSCALL : PTRACE_CONT;
    broken_go_by(b, x, request, signal);
}

/* Where it cannot be stepped, it runs on, and is not counted until the next breakpoint. */
static void run_on(struct breaks *b, struct broken *x, struct breaks_resume how)
{
    b->lost += x->stepping && !how.signal;
    x->stepping = x->over = false;
    if (how.moved)
        tracee_write_pc(&x->tracee, how.pc);
    broken_go(b, x, how.signal);
}

/* direct: never in a slot, as the pc is where a handler returns to, or where the kernel counts
 * back from. */
static void step_instruction(struct breaks *b, struct broken *x, struct breaks_resume how,
                             bool direct)
{
    x->call = direct && !how.signal ? x->at : 0;
    x->at = how.pc;
    x->signalled = how.signal != 0;
    const struct breaks_point *p = direct ? NULL : point_for(x, how.pc);
    if (direct || !broken_enter_sequence(x, how.pc)) {
        if (!p && !tracee_single_steps) {
            run_on(b, x, how);
            return;
        }
        x->slot_of = p ? (size_t)(p - x->image->point) + 1 : 0;
        if (p)
            tracee_enter_slot(&x->tracee, &p->code, how.pc, p->slot, &x->aside);
        else if (how.moved)
            tracee_write_pc(&x->tracee, how.pc);
    }
    broken_go(b, x, how.signal);
}

/* Past the breakpoint that it is at, by a slot that leads back: without a step. */
static bool pass_by_slot(struct breaks *b, struct broken *x, const struct breaks_resume *how)
{
    const struct breaks_point *p = x->over ? breaks_point_at(x->image, how->pc) : NULL;
    if (!p || !p->code.returns || how->next != BREAKS_RUN)
        return false;
    x->over = x->stepping = false;
    tracee_write_pc(&x->tracee, p->slot);
    broken_go(b, x, 0);
    return true;
}

void broken_resume(struct breaks *b, struct broken *x, struct breaks_resume how)
{
    if (b->leaving) {
        broken_park(b, x, how);
        return;
    }
    bool over = x->over;
    bool direct = how.signal || (breaks_is_set(x->image, how.pc) && follows_call(x, how.pc));
    x->slot_of = 0;
    if (!direct && pass_by_slot(b, x, &how))
        return;
    if (!direct)
        pass_done(b, x, &how, &over);
    x->over = over && how.next == BREAKS_RUN;
    x->stepping = how.next == BREAKS_STEP || x->over;
    if (x->stepping) {
        step_instruction(b, x, how, direct);
        return;
    }
    if (how.moved)
        tracee_write_pc(&x->tracee, how.pc);
    broken_go(b, x, how.signal);
}

/* --- behind a step --- */

static bool is_in_slot(const struct breaks_point *p, uint64_t pc)
{
    return pc >= p->slot && pc - p->slot < DISPLACED_SLOT_BYTES;
}

/* What a step in a slot has left relative to it. */
uint64_t broken_leave_slot(struct broken *x, uint64_t pc)
{
    const struct breaks_point *p = x->image->point + x->slot_of - 1;
    enum displaced_fix fix = (enum displaced_fix)p->code.fix;
    uint64_t distance = p->address - p->slot;
    bool executed = pc != p->slot;
    if (executed && (fix == DISPLACED_CALL || fix == DISPLACED_RETURNED))
        tracee_move_return(&x->tracee, distance);
    bool jumped = executed && (fix == DISPLACED_JUMP || fix == DISPLACED_CALL);
    bool stays = is_in_slot(p, pc) && (!executed || fix == DISPLACED_MOVE);
    if (jumped || stays)
        pc += distance;
    tracee_leave_slot(&x->tracee, &p->code, &x->aside, executed, &pc);
    return pc;
}

static bool broken_has_code(int tid, int code)
{
    siginfo_t info;
    return ptrace(PTRACE_GETSIGINFO, tid, NULL, &info) == 0 && info.si_code == code;
}

/* It met a breakpoint: one that was set behind its back, or that it was stepped to directly. */
static bool met_breakpoint(const struct broken *x, uint64_t address)
{
    return !x->slot_of && breaks_is_set(x->image, address) &&
           broken_has_code(x->tid, tracee_breakpoint_code);
}

/* It goes on as the last report says; what had to wait for that comes now. */
static void resume_or_deliver(struct breaks *b, struct broken *x, struct breaks_resume how)
{
    if (!broken_deliver_held(b, x, how))
        broken_resume(b, x, how);
}

static void on_step(struct breaks *b, struct broken *x, uint64_t pc)
{
    struct breaks_resume how = {.pc = pc, .next = BREAKS_RUN};
    uint64_t address = pc - tracee_breakpoint_moves_pc;
    if (met_breakpoint(x, address)) {
        how = (struct breaks_resume){address, true, x->over ? BREAKS_RUN : BREAKS_STEP, 0};
        x->at = address;
        broken_resume(b, x, how);
        return;
    }
    if (x->call && pc == x->at) /* the kernel has set the pc back, and it was made again */
        x->at = x->call;
    if (x->slot_of) {
        how.pc = broken_leave_slot(x, pc);
        how.moved = how.pc != pc;
    }
    struct breaks_stop s = broken_stop(x, how.pc, x->at);
    if (!x->over)
        how.next = b->callbacks.stepped(b->callbacks.arg, &s);
    x->over = false;
    resume_or_deliver(b, x, how);
}

/* A system call in a slot, where a handler has returned to, has been made. */
static bool ends_slot(struct breaks *b, struct broken *x, uint64_t pc)
{
    const struct breaks_point *p = breaks_point_of_slot(x->image, pc);
    if (!p || pc != p->slot + p->code.len)
        return false;
    struct breaks_resume how = {p->address + p->code.len, true, BREAKS_RUN, 0};
    struct breaks_stop s = broken_stop(x, how.pc, p->address);
    if (b->callbacks.stepped)
        how.next = b->callbacks.stepped(b->callbacks.arg, &s);
    x->over = false;
    broken_resume(b, x, how);
    return true;
}

/* --- breakpoints --- */

static void on_breakpoint(struct breaks *b, struct broken *x, uint64_t address)
{
    struct breaks_stop s = broken_stop(x, address, address);
    struct breaks_resume how = {.pc = address, .moved = true};
    how.next = b->callbacks.reached(b->callbacks.arg, &s);
    x->over = how.next == BREAKS_RUN;
    broken_resume(b, x, how);
}

void broken_moved(struct breaks *b, struct broken *x, int signal)
{
    struct breaks_resume how = {.next = BREAKS_RUN, .signal = signal};
    uint64_t pc;
    x->over = false;
    if (tracee_read_pc(&x->tracee, &pc) == 0) {
        how.pc = breaks_unslotted(x->image, pc);
        how.moved = how.pc != pc;
        struct breaks_stop s = broken_stop(x, how.pc, how.pc);
        if (b->callbacks.moved)
            how.next = b->callbacks.moved(b->callbacks.arg, &s);
    }
    broken_resume(b, x, how);
}

/* The system call that it ended in was executed. */
void broken_exited(struct breaks *b, struct broken *x, bool not_killed)
{
    if (!x->stepping || x->over || !not_killed || !x->image)
        return;
    struct breaks_stop s = broken_stop(x, 0, x->at);
    b->callbacks.stepped(b->callbacks.arg, &s);
}

void broken_trapped(struct breaks *b, struct broken *x)
{
    uint64_t pc;
    bool handler = x->signalled && broken_has_code(x->tid, HANDLER_BEGINS);
    x->signalled = false;
    if (handler || tracee_read_pc(&x->tracee, &pc) < 0) {
        broken_moved(b, x, 0);
        return;
    }
    if (x->sequence)
        resume_or_deliver(b, x, broken_leave_sequence(b, x, pc));
    else if (x->stepping)
        on_step(b, x, pc);
    else if (breaks_is_set(x->image, pc - tracee_breakpoint_moves_pc))
        on_breakpoint(b, x, pc - tracee_breakpoint_moves_pc);
    else if (!ends_slot(b, x, pc))
        broken_go_by(b, x, PTRACE_CONT, SIGTRAP);
}
