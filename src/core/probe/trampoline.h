/*
 * trampoline: what a patched function jumps to: a call of the hook, the number of the site, and the
 * displaced instructions, as bytes.
 *
 * The hook finds the number where its return address leads, and returns behind it, with all
 * registers and flags as they were. x86-64: the call pushes 8 bytes. ARM: before it the link
 * register is kept on the stack, at the stack pointer, which the hook takes back: 16 bytes on
 * arm64, 8 on 32-bit ARM.
 */
#pragma once

#include "relocate.h"

enum { PROBE_MAX_HEAD = 12, PROBE_MAX_TRAMPOLINE = PROBE_MAX_HEAD + PROBE_MAX_MOVED };

struct probe_hook {
    uint64_t addr; /* of the hook, at run time */
    uint32_t site;
};

/* The bytes written to out, at most PROBE_MAX_TRAMPOLINE; m->to is where they will be, aligned to 4
 * bytes. Otherwise as of probe_x86_relocate and the others, -ERANGE for the hook, too. -ENOTSUP:
 * the machine (ELF_MACHINE_*) is none of ours. */
int probe_trampoline(unsigned machine, const struct probe_moved *m, const struct probe_hook *h,
                     uint8_t *out);
