/*
 * tracee_stepped: of tracee_step.h, what all processors have in common that step: their code is of
 * one mode, and a slot changes no register but the pc. Included by the file of each, once.
 */
#ifndef PSUITE_PLAT_LINUX_PTRACE_TRACEE_STEPPED_H
#define PSUITE_PLAT_LINUX_PTRACE_TRACEE_STEPPED_H

#include "tracee_step.h"

const bool tracee_single_steps = true;
const uint64_t tracee_mode_bits = 0;

enum tracee_done tracee_do(struct tracee *t, const struct displaced *d, exclusive_read *read,
                           void *arg, uint64_t *pc)
{
    (void)read;
    (void)arg;
    if (displaced_runs(d))
        return TRACEE_NOT_DONE;
    if (d->fix == DISPLACED_LOAD)
        tracee_write_reg(t, d->reg, d->value);
    *pc += d->len;
    return TRACEE_DONE;
}

int tracee_enter_slot(struct tracee *t, const struct displaced *d, uint64_t pc, uint64_t slot,
                      struct tracee_aside *aside)
{
    (void)d;
    (void)pc;
    (void)aside;
    return tracee_write_pc(t, slot);
}

int tracee_leave_slot(struct tracee *t, const struct displaced *d, const struct tracee_aside *aside,
                      bool executed, uint64_t *pc)
{
    (void)t;
    (void)d;
    (void)aside;
    (void)executed;
    (void)pc;
    return 0;
}

bool tracee_can_be_left(struct tracee *t)
{
    (void)t;
    return true;
}

#endif
