/*
 * tracee_stepped: of tracee_step.h, what all processors have in common that step: their code is of
 * one mode, and a slot changes no register but the pc. Included by the file of each, once, which
 * names members of tracee_user before: TRACEE_PC, TRACEE_SP, and TRACEE_RESULT of calls.
 */
#pragma once

#include "tracee_step.h"

const bool tracee_single_steps = true;
const uint64_t tracee_mode_bits = 0;

enum tracee_done tracee_do(struct tracee *t, const struct displaced *d, exclusive_read *read,
                           void *arg, uint64_t *pc)
{
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
    return tracee_write_pc(t, slot);
}

int tracee_leave_slot(struct tracee *t, const struct displaced *d, const struct tracee_aside *aside,
                      bool executed, uint64_t *pc)
{
    return 0;
}

bool tracee_can_be_left(struct tracee *t)
{
    return true;
}

int tracee_read_pc(struct tracee *t, uint64_t *pc)
{
    int e = tracee_hold(t);
    *pc = e < 0 ? 0 : t->user.TRACEE_PC;
    return e;
}

int tracee_write_pc(struct tracee *t, uint64_t pc)
{
    int e = tracee_hold(t);
    t->is_changed |= e == 0 && t->user.TRACEE_PC != pc;
    t->user.TRACEE_PC = pc;
    return e;
}

int tracee_call_result(struct tracee *t, int64_t *result)
{
    int e = tracee_hold(t);
    *result = e < 0 ? 0 : (int64_t)t->user.TRACEE_RESULT;
    return e;
}

int breaks_stack(const struct breaks_stop *s, uint64_t *sp)
{
    int e = tracee_hold(s->tracee);
    *sp = e < 0 ? 0 : s->tracee->user.TRACEE_SP;
    return e;
}

int breaks_result(const struct breaks_stop *s, uint64_t *value)
{
    int e = tracee_hold(s->tracee);
    *value = e < 0 ? 0 : s->tracee->user.TRACEE_RESULT;
    return e;
}
