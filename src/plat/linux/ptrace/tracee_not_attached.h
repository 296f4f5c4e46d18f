/*
 * tracee_not_attached: of tracee_trap.h, what processors have in common on which a process cannot
 * be stepped without breakpoints. Included by the file of each, once.
 */
#pragma once

#include "tracee_trap.h"

const bool tracee_can_attach = false;

bool tracee_find_trap(const uint8_t *code, size_t len, uint64_t address, struct tracee_trap *out)
{
    return false;
}

void tracee_trap_action(const struct tracee_trap *trap, uint64_t out[TRACEE_ACTION_WORDS])
{
    for (size_t i = 0; i < TRACEE_ACTION_WORDS; i++)
        out[i] = 0;
}

struct tracee_call tracee_action_call(int signal, uint64_t action, uint64_t old)
{
    return (struct tracee_call){.number = -1, .arg = {action, old}};
}

bool tracee_restarts(struct tracee *t)
{
    return false;
}

bool tracee_sets_mask(struct tracee *t)
{
    return false;
}
