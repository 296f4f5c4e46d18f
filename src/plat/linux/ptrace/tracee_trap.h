/*
 * tracee_trap: what a process needs that is stepped by a tracer which may be killed; one
 * implementation per processor. The thread is in a ptrace-stop of the calling thread.
 */
#pragma once

#include "tracee_step.h"

enum { TRACEE_ACTION_WORDS = 4 }; /* of the kernel's struct sigaction */

extern const bool tracee_can_attach;
extern const char *const tracee_why_not_attached; /* else */

/* Code of a process: */
struct tracee_trap {
    uint64_t handler;  /* an instruction that returns */
    uint64_t restorer; /* what a handler returns to */
    uint64_t call;     /* an instruction of a system call */
};
/* Looks for it in memory that is mapped at an address. */
bool tracee_find_trap(const uint8_t *code, size_t len, uint64_t address, struct tracee_trap *out);
void tracee_trap_action(const struct tracee_trap *trap, uint64_t out[TRACEE_ACTION_WORDS]);
/* Sets a signal's action, by addresses in its memory. */
struct tracee_call tracee_action_call(int signal, uint64_t action, uint64_t old);

/* Behind a system call that the kernel begins again, unless a handler is called first. */
bool tracee_restarts(struct tracee *t);
/* Behind one that says which signals are blocked. */
bool tracee_sets_mask(struct tracee *t);
