/* A look at a thread that our interrupt has stopped: one sample for each tick it stands for. */
#include "plat/clock.h"
#include "plat/proc.h"
#include "sample_ptrace.h"

#include <stdio.h>
#include <string.h>

static struct ptrace_who who(const struct tracee *x)
{
    return (struct ptrace_who){x->of->pid, x->tid};
}

void tracer_rename(struct tracer *t, struct tracee *x, bool exec)
{
    struct buf text = BUF_INIT;
    char file[32], name[sizeof x->name] = "";
    snprintf(file, sizeof file, "task/%d/comm", x->tid);
    if (proc_text(x->of->pid, file, &text, NULL) == 0)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(buf_str(&text), "\n"), buf_str(&text));
    buf_release(&text);
    if (!*name || (!exec && strcmp(name, x->name) == 0))
        return;
    memcpy(x->name, name, sizeof name);
    ptrace_record_comm(t->records, who(x), name, exec);
}

static size_t walk(int tid, const struct tracee_regs *regs, uint64_t *chain)
{
    struct tracee_memory memory = {.tid = tid};
    uint64_t fp = regs->fp, pc;
    size_t n = 0;
    chain[n++] = regs->pc;
    while (n < PTRACE_MOST_CHAIN && tracee_caller(&memory, regs->narrow, &fp, &pc))
        chain[n++] = pc;
    return n;
}

/* What core unwinds: nothing of a 32-bit program. */
static void take_stack(struct tracer *t, const struct tracee *x, const struct tracee_regs *regs,
                       struct ptrace_sample *s)
{
    size_t most = t->want.stack_bytes < PTRACE_MOST_STACK ? t->want.stack_bytes : PTRACE_MOST_STACK;
    s->reg = regs->reg;
    s->stack = t->stack;
    s->stack_len = t->stack ? tracee_copy(x->tid, regs->sp, t->stack, most) : 0;
    t->counts.stack_bytes += s->stack_len;
}

static void sample(struct tracer *t, struct tracee *x, const struct tracee_regs *regs)
{
    uint64_t chain[PTRACE_MOST_CHAIN];
    struct ptrace_sample s = {.pc = regs->pc, .period_ns = t->period_ns * x->due, .chain = chain};
    if (t->want.registers && (regs->given & t->want.registers) == t->want.registers)
        take_stack(t, x, regs, &s);
    else if (t->want.chains)
        s.chain_len = walk(x->tid, regs, chain);
    traced_maps_cover(t, x->of, regs->pc);
    if ((x->samples & (x->samples - 1)) == 0) /* names are given early: ask ever more rarely */
        tracer_rename(t, x, false);
    ptrace_record_sample(t->records, who(x), &s);
    x->samples++;
}

void tracer_look(struct tracer *t, struct tracee *x)
{
    struct tracee_regs regs;
    uint64_t begin_ns = clock_mono_ns();
    if (tracee_regs_read(x->tid, &regs) < 0)
        return;
    tracer_count_restart(t, restart_stopped(&x->restart, x->tid, &regs));
    if (regs.in_call) {
        t->counts.in_call++;
        tracer_no_sample(t, x);
        return;
    }
    t->counts.looks++;
    t->counts.weights += x->due;
    t->counts.weight_squares += (uint64_t)x->due * x->due;
    sample(t, x, &regs);
    t->counts.look_ns += clock_mono_ns() - begin_ns;
}
