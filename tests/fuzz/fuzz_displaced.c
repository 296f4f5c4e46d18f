/* Any code, as it is stepped: the first byte says of which processor, the rest is the code. */
#include "fuzz.h"

#include "core/insn/arm_step.h"
#include "core/insn/displaced.h"
#include "core/insn/exclusive.h"

#include <stdlib.h>
#include <string.h>

enum { X86, ARM64, A32, T32, PROCESSORS };
enum { START = 0x10000, SLOT = 0x30000 };

struct code {
    const uint8_t *bytes;
    size_t len;
};

static bool read_code(void *arg, uint64_t address, void *to, size_t len)
{
    const struct code *c = arg;
    uint64_t at = (address & ~UINT64_C(1)) - START;
    if (at > c->len || len > c->len - at)
        return false;
    memcpy(to, c->bytes + at, len);
    return true;
}

/* From every place in the copy, the path before it is one of the sequence. */
static void check_copy(const struct exclusive *e)
{
    const struct exclusive_node *path[EXCLUSIVE_MAX_NODES], *n;
    if (e->len > EXCLUSIVE_MAX_BYTES || !e->nodes || e->nodes > EXCLUSIVE_MAX_NODES)
        abort();
    for (size_t at = 0; (n = exclusive_node_at(e, at)); at = n->at + 1u)
        if (exclusive_path(e, n, path) >= e->nodes || n->at >= e->len)
            abort();
}

static void step_arm(struct code *c, uint64_t at)
{
    struct displaced d;
    size_t left = c->len - (size_t)((at & ~UINT64_C(1)) - START);
    struct arm_state s = {.cpsr = at & 1 ? ARM_CPSR_T : 0}, before;
    if (!displaced_arm(c->bytes + (c->len - left), left, at, SLOT | (at & 1), &d))
        return;
    s.reg[15] = (uint32_t)at & ~UINT32_C(1);
    s.reg[1] = START;
    before = s;
    if (!arm_is_executed(&s, d.op, d.len))
        arm_pass(&s, d.len);
    else if (d.fix == DISPLACED_REGISTERS)
        arm_do(&s, &d, read_code, c);
    else {
        arm_enter_slot(&s, &d, SLOT);
        arm_leave_slot(&s, &before, &d, false);
        if (memcmp(&s, &before, sizeof s) != 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct exclusive e;
    struct displaced d;
    unsigned processor = size ? data[0] % PROCESSORS : 0;
    struct code c = {data + 1, size ? size - 1 : 0};
    uint64_t start = START | (processor == T32);
    for (size_t at = 0; at < c.len; at += processor == X86 ? 1 : processor == T32 ? 2 : 4) {
        if (processor == X86)
            displaced_x86(c.bytes + at, c.len - at, START + at, SLOT, &d);
        else if (processor == ARM64)
            displaced_arm64(c.bytes + at, c.len - at, START + at, SLOT, &d);
        else
            step_arm(&c, start + at);
        bool copied = processor == ARM64
                          ? exclusive_copy_arm64(read_code, &c, start + at, &e)
                          : processor != X86 && exclusive_copy_arm(read_code, &c, start + at, &e);
        if (copied)
            check_copy(&e);
    }
    return 0;
}
