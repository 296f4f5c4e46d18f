/*
 * x86-64's hand-written code (OpenSSL's SHA-512 for AVX2) moves the stack pointer through its frame
 * and keeps the caller's in the 128 bytes below it, which belong to it, but not to the stack of a
 * sample. The same word is also at the frame's fixed end.
 */
#include "step.h"

enum { WORD = 8, RED_ZONE = 128, REACH = 4096 /* bytes: of a frame, and of its alignment */ };

static bool in_red_zone(const struct unwind_state *u, uint64_t addr)
{
    uint64_t below = unwind_sp(u) - addr;
    return u->space->machine == UNWIND_X86_64 && u->signalled && below && below <= RED_ZONE;
}

/* Whether there is a return address, one that follows a call. */
static bool is_call(const struct unwind_state *u, uint64_t at)
{
    struct unwind_code code;
    uint64_t pc, target;
    bool unread;
    return unwind_number(u->space, at, WORD, &pc) && pc &&
           u->space->code(u->space->arg, pc - 1, &code) &&
           u->cpu->called(u->space, pc, &target, &unread);
}

bool unwind_from_red_zone(const struct unwind_state *u, uint64_t addr, uint64_t *out)
{
    uint64_t sp = unwind_sp(u), value;
    if (!in_red_zone(u, addr))
        return false;
    for (uint64_t at = sp; at - sp < REACH; at += WORD) {
        if (!unwind_number(u->space, at, WORD, &value))
            return false;
        if (value > at && value - at < REACH && value % WORD == 0 && is_call(u, value)) {
            *out = value;
            return true;
        }
    }
    return false;
}
