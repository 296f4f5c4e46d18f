/* A look at a thread that our interrupt has stopped: one sample for each tick it represents. */
#include "plat/clock.h"
#include "plat/proc.h"
#include "sample_ptrace.h"

#include <stdio.h>
#include <string.h>

void tracer_update_comm(struct tracer *t, struct tracee *x, bool exec)
{
    SCOPED_BUF text = BUF_INIT;
    char file[32], name[sizeof x->name] = "";
    snprintf(file, sizeof file, "task/%d/comm", x->tid);
    if (proc_text(x->process->pid, file, &text, NULL) == 0)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(buf_str(&text), "\n"), buf_str(&text));
    if (!*name || (!exec && strcmp(name, x->name) == 0))
        return;
    memcpy(x->name, name, sizeof name);
    ptrace_record_comm(t->records, ids_of_tracee(x), name, exec);
}

static size_t walk_frames(int tid, const struct tracee_regs *regs, uint64_t *chain)
{
    struct tracee_memory memory = {.tid = tid};
    uint64_t fp = regs->fp, pc;
    size_t n = 0;
    chain[n++] = regs->pc;
    while (n < PTRACE_MAX_CHAIN && tracee_caller_frame(&memory, regs->narrow, &fp, &pc))
        chain[n++] = pc;
    return n;
}

/* What core unwinds. */
static void copy_stack(struct tracer *t, const struct tracee *x, const struct tracee_regs *regs,
                       struct ptrace_sample *s)
{
    size_t max_bytes =
        t->want.stack_bytes < PTRACE_MAX_STACK ? t->want.stack_bytes : PTRACE_MAX_STACK;
    s->reg = regs->reg;
    s->narrow = regs->narrow;
    s->stack = t->stack;
    s->stack_len = t->stack ? tracee_copy(x->tid, regs->sp, t->stack, max_bytes) : 0;
    t->counts.stack_bytes += s->stack_len;
}

static void take_sample(struct tracer *t, struct tracee *x, const struct tracee_regs *regs)
{
    uint64_t chain[PTRACE_MAX_CHAIN];
    struct ptrace_sample s = {.pc = regs->pc, .period_ns = t->period_ns * x->due, .chain = chain};
    if (t->want.registers && (regs->given & t->want.registers) == t->want.registers)
        copy_stack(t, x, regs, &s);
    else if (t->want.chains)
        s.chain_len = walk_frames(x->tid, regs, chain);
    traced_maps_update(t, x->process, regs->pc);
    if ((x->samples & (x->samples - 1)) == 0) /* names are given early: ask ever more rarely */
        tracer_update_comm(t, x, false);
    ptrace_record_sample(t->records, ids_of_tracee(x), &s);
    x->samples++;
}

void tracer_sample(struct tracer *t, struct tracee *x)
{
    struct tracee_regs regs;
    uint64_t begin_ns = clock_mono_ns();
    if (tracee_regs_read(x->tid, &regs) < 0)
        return;
    tracer_count_restart(t, restart_stopped(&x->restart, x->tid, &regs));
    if (regs.in_call) {
        t->counts.in_call++;
        tracer_undo_charge(t, x);
        return;
    }
    t->counts.samples++;
    t->counts.weights += x->due;
    t->counts.weight_squares += (uint64_t)x->due * x->due;
    take_sample(t, x, &regs);
    t->counts.sample_ns += clock_mono_ns() - begin_ns;
}
