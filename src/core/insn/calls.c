#include "core/insn/calls.h"

#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "core/insn/arm_code.h"
#include "core/insn/x86.h"

#include <string.h>

bool insn_machine_named(const char *name, enum insn_machine *out)
{
    if (strcmp(name, "x86_64") == 0)
        *out = INSN_X86_64;
    else if (strcmp(name, "aarch64") == 0)
        *out = INSN_ARM64;
    else if (strncmp(name, "armv", 4) == 0)
        *out = INSN_ARM;
    else
        return false;
    return true;
}

static bool leads_away(enum insn_kind kind)
{
    return kind == INSN_CALL || kind == INSN_JUMP;
}

static void find_x86(const uint8_t *code, size_t len, uint64_t addr, insn_call_fn *emit, void *arg)
{
    struct x86_insn i;
    for (size_t at = 0; at < len; at += i.len) {
        if (!x86_insn_read(code + at, len - at, &i) || !i.len)
            i = (struct x86_insn){.kind = INSN_PLAIN, .len = 1};
        if (leads_away(i.kind))
            emit(arg, x86_insn_target(&i, addr + at));
    }
}

static void find_arm64(const uint8_t *code, size_t len, uint64_t addr, insn_call_fn *emit,
                       void *arg)
{
    struct arm64_insn i;
    for (size_t at = 0; at + 4 <= len; at += 4) {
        arm64_insn_read(get_le32(code + at), &i);
        if (leads_away(i.kind))
            emit(arg, arm64_insn_target(&i, addr + at));
    }
}

static void find_arm(const uint8_t *code, size_t len, uint64_t addr, insn_call_fn *emit, void *arg)
{
    struct arm_code c;
    for (size_t at = 0; at + 4 <= len; at += 4) {
        arm_code_read(get_le32(code + at), &c);
        if (c.kind == ARM_JUMP || (c.kind == ARM_CALL && c.direct && !c.exchanges))
            emit(arg, arm_code_target(&c, false, (uint32_t)(addr + at)));
    }
}

void insn_calls(enum insn_machine machine, const uint8_t *code, size_t len, uint64_t addr,
                insn_call_fn *emit, void *arg)
{
    if (machine == INSN_X86_64)
        find_x86(code, len, addr, emit, arg);
    else if (machine == INSN_ARM64)
        find_arm64(code, len, addr, emit, arg);
    else
        find_arm(code, len, addr, emit, arg);
}
